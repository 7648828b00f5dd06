/** Reads the parts of a WebAssembly module that call counters need (core specification, chapter 5). */

/** The content of a section, without its id and size. */
export interface Section {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

const headerSize = 8;

export class ModuleReader {
  at: number;

  constructor(
    readonly bytes: Uint8Array,
    start = 0,
  ) {
    this.at = start;
  }

  byte(): number {
    return this.bytes[this.at++] ?? 0;
  }

  /** Unsigned LEB128. */
  unsigned(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80 || this.at > this.bytes.length) return value;
    }
  }

  text(): string {
    const size = this.unsigned();
    const start = this.at;
    this.at += size;
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, size).toString('utf8');
  }
}

export function sectionsOf(bytes: Uint8Array): readonly Section[] {
  const reader = new ModuleReader(bytes, headerSize);
  const sections: Section[] = [];
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const size = reader.unsigned();
    sections.push({ id, start: reader.at, end: reader.at + size });
    reader.at += size;
  }
  return sections;
}
