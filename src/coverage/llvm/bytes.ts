/** The numbers that LLVM's profiles and coverage maps are made of, in the order of bytes of nearly all machines. */

/** Reads past the end are zero and are told of afterwards: whoever reads a list looks before it believes its length. */
export class ProfileBytes {
  isCutOff = false;
  #at = 0;

  constructor(readonly bytes: Buffer) {}

  get at(): number {
    return this.#at;
  }

  get left(): number {
    return Math.max(0, this.bytes.length - this.#at);
  }

  goTo(at: number): void {
    this.#at = at;
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  /** To where a number of eight bytes may begin. */
  align(): void {
    this.#at = Math.ceil(this.#at / 8) * 8;
  }

  word(bytes: 1 | 2 | 4): number {
    return this.#has(bytes) ? this.bytes.readUIntLE(this.#forward(bytes), bytes) : 0;
  }

  /** Exact up to 2^53, which no counter reaches in a month. */
  wide(): number {
    return this.#has(8) ? Number(this.bytes.readBigUInt64LE(this.#forward(8))) : 0;
  }

  wideExact(): bigint {
    return this.#has(8) ? this.bytes.readBigUInt64LE(this.#forward(8)) : 0n;
  }

  /** Eight bytes that stand for a name or for the shape of a function. */
  digest(): string {
    return this.take(8).toString('hex');
  }

  take(bytes: number): Buffer {
    if (!this.#has(bytes)) return Buffer.alloc(0);
    const start = this.#forward(bytes);
    return this.bytes.subarray(start, start + bytes);
  }

  /** Seven bits to a byte, the lowest first (LEB128). */
  packed(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.word(1);
      value += (byte % 128) * scale;
      // Nothing that is counted here needs more than ten bytes.
      if (byte < 128 || scale > 2 ** 63) return value;
    }
  }

  #has(bytes: number): boolean {
    const has = bytes >= 0 && this.#at >= 0 && this.#at + bytes <= this.bytes.length;
    if (!has) this.isCutOff = true;
    return has;
  }

  #forward(bytes: number): number {
    const start = this.#at;
    this.#at += bytes;
    return start;
  }
}
