/** Reads the words of gcov's files: 32-bit numbers in either byte order, and strings. */

import { Fault } from '../../machine/index.js';

export type GcovKind = 'notes' | 'counters';

/** Magic numbers as letters. */
const magics: Readonly<Record<GcovKind, string>> = { notes: 'gcno', counters: 'gcda' };

/**
 * The version of GCC that defined the file's format: 1202 for 12.2. clang writes the version of GCC 4.8 by default.
 */
export type GcovVersion = number;

/** From this version on, lengths count bytes instead of words, and a checksum follows the stamp. */
const lengthsInBytes: GcovVersion = 1200;

export class GcovWords {
  readonly version: GcovVersion;
  readonly #view: DataView;
  #at = 8;

  private constructor(
    readonly bytes: Uint8Array,
    private readonly isLittle: boolean,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.version = gccVersion(this.#view.getUint32(4, isLittle));
  }

  static open(bytes: Uint8Array, kind: GcovKind): GcovWords | Fault {
    const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
    const isLittle = start === [...magics[kind]].toReversed().join('');
    if (bytes.length < 12 || (!isLittle && start !== magics[kind]))
      return new Fault('text', `it does not hold gcov's ${kind}`);
    const words = new GcovWords(bytes, isLittle);
    return Number.isNaN(words.version) ? new Fault('text', 'its version is not known to gcov') : words;
  }

  get hasChecksum(): boolean {
    return this.version >= lengthsInBytes;
  }

  get at(): number {
    return this.#at;
  }

  /** Bytes of a record with this length. A negative length stands for that many omitted zeros. */
  size(length: number): number {
    return this.hasChecksum ? length : 4 * length;
  }

  /** Whether this many bytes are left. */
  has(bytes: number): boolean {
    return bytes >= 0 && this.#at + bytes <= this.bytes.length;
  }

  goTo(at: number): void {
    this.#at = at;
  }

  /** Returns zero past the end; the caller checks the record's length first. */
  word(): number {
    const value = this.has(4) ? this.#view.getUint32(this.#at, this.isLittle) : 0;
    this.#at += 4;
    return value;
  }

  signedWord(): number {
    return this.word() | 0;
  }

  /** Exact up to 2^53, which no counter reaches in a month. */
  counter(): number {
    const low = this.word();
    return low + this.word() * 2 ** 32;
  }

  /** Undefined for the empty string, which ends a list of lines. */
  string(): string | undefined {
    const size = this.size(this.word());
    if (size === 0 || !this.has(size)) return undefined;
    const bytes = this.bytes.subarray(this.#at, this.#at + size);
    this.#at += size;
    const end = bytes.indexOf(0);
    return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString('utf8');
  }
}

/** `B22*` is 12.2, `A93*` 9.3, `408*` 4.8; other text is invalid. */
function gccVersion(word: number): GcovVersion {
  const text = [24, 16, 8].map((shift) => String.fromCharCode((word >>> shift) & 0xff)).join('');
  const recent = /^([A-Z])(\d)(\d)$/.exec(text);
  if (recent !== null) {
    const [, letter = '', unit, minor] = recent;
    return 100 * (10 * (letter.charCodeAt(0) - 'A'.charCodeAt(0)) + Number(unit)) + Number(minor);
  }
  const [, major, minor] = /^(\d)(\d\d)$/.exec(text) ?? [];
  return major === undefined ? Number.NaN : 100 * Number(major) + Number(minor);
}
