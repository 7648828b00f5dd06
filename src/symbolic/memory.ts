/** The memory of a program as far as its traced code has accessed it, with the writer of every byte. */

import { type Instance, nowhere } from './instances.js';

const pageBits = 12;
const pageBytes = 1 << pageBits;

const ByteState = {
  unseen: 0,
  known: 1,
  /** Written by a known instance, with an unknown value. */
  written: 2,
  /** Allocated, with no known write since. */
  fresh: 3,
} as const;

interface Page {
  readonly bytes: Uint8Array;
  readonly writers: Int32Array;
  readonly states: Uint8Array;
}

/** Consecutive bytes with the same writer. */
export interface WrittenBytes {
  readonly offset: number;
  readonly length: number;
  /** Their address; -1 for a local variable that only lives in a register. */
  readonly address: number;
  /** `nowhere` for bytes from before the run or from unknown code. */
  readonly writer: Instance;
}

export interface MemoryContext {
  /**
   * The untraced writer of an address after an instance.
   *
   * @param isSure there must have been a write
   */
  outsideWriter(address: number, after: Instance, isSure: boolean): Instance;
  initialBytes(from: number, to: number, onByte: (address: number, byte: number) => void): void;
}

export const severalWriters = -2;

export class Memory {
  readonly #pages = new Map<number, Page>();
  #last: Page | undefined;
  #lastNumber = -1;

  constructor(private readonly context: MemoryContext) {}

  #page(address: number): Page {
    const number = Math.floor(address / pageBytes);
    if (number === this.#lastNumber && this.#last !== undefined) return this.#last;
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = {
        bytes: new Uint8Array(pageBytes),
        writers: new Int32Array(pageBytes).fill(nowhere),
        states: new Uint8Array(pageBytes),
      };
      this.#pages.set(number, page);
      const { bytes, states } = page;
      const start = number * pageBytes;
      this.context.initialBytes(start, start + pageBytes, (at, byte) => {
        bytes[at - start] = byte;
        states[at - start] = ByteState.known;
      });
    }
    this.#last = page;
    this.#lastNumber = number;
    return page;
  }

  write(address: number, byte: number, writer: Instance): void {
    const page = this.#page(address);
    const at = address % pageBytes;
    page.bytes[at] = byte;
    page.writers[at] = writer;
    page.states[at] = ByteState.known;
  }

  /** Stores a byte that was read, and returns its writer. */
  read(address: number, byte: number): Instance {
    const page = this.#page(address);
    const at = address % pageBytes;
    const isKnown = page.states[at] === ByteState.known;
    if (isKnown ? page.bytes[at] !== byte : page.states[at] !== ByteState.written)
      page.writers[at] = this.context.outsideWriter(address, page.writers[at] ?? nowhere, isKnown);
    page.bytes[at] = byte;
    page.states[at] = ByteState.known;
    return page.writers[at] ?? nowhere;
  }

  writeWord(address: number, length: number, low: number, high: number, writer: Instance): void {
    const at = address % pageBytes;
    if (at + length > pageBytes) {
      for (let byte = 0; byte < length; byte++)
        this.write(address + byte, byte < 4 ? low >>> (8 * byte) : high >>> (8 * (byte - 4)), writer);
      return;
    }
    const { bytes, writers, states } = this.#page(address);
    for (let byte = 0; byte < length; byte++) {
      bytes[at + byte] = byte < 4 ? low >>> (8 * byte) : high >>> (8 * (byte - 4));
      writers[at + byte] = writer;
      states[at + byte] = ByteState.known;
    }
  }

  /** Stores up to eight bytes that were read, and returns their writer, or `severalWriters`. */
  readWord(address: number, length: number, low: number, high: number): Instance {
    let writer: Instance | undefined;
    let areSame = true;
    for (let byte = 0; byte < length; byte++) {
      const value = (byte < 4 ? low >>> (8 * byte) : high >>> (8 * (byte - 4))) & 0xff;
      const other = this.read(address + byte, value);
      areSame &&= byte === 0 || other === writer;
      writer = other;
    }
    return areSame ? (writer ?? nowhere) : severalWriters;
  }

  markWritten(address: number, length: number, writer: Instance): void {
    this.#mark(address, length, writer, ByteState.written);
  }

  markFresh(address: number, length: number, maker: Instance): void {
    this.#mark(address, length, maker, ByteState.fresh);
  }

  #mark(address: number, length: number, writer: Instance, what: number): void {
    for (let at = 0; at < length; ) {
      const page = this.#page(address + at);
      const from = (address + at) % pageBytes;
      const to = Math.min(pageBytes, from + length - at);
      page.writers.fill(writer, from, to);
      page.states.fill(what, from, to);
      at += to - from;
    }
  }

  peek(address: number): number | undefined {
    const page = this.#page(address);
    const at = address % pageBytes;
    return page.states[at] === ByteState.known ? page.bytes[at] : undefined;
  }

  writerOf(address: number): Instance {
    return this.#page(address).writers[address % pageBytes] ?? nowhere;
  }

  /** Copies bytes as `memmove` does. Unknown bytes remain unknown. */
  copy(to: number, from: number, length: number, writer: Instance): void {
    const bytes = Array.from({ length }, (_, at) => this.peek(from + at));
    for (const [at, byte] of bytes.entries()) {
      if (byte === undefined) this.markWritten(to + at, 1, writer);
      else this.write(to + at, byte, writer);
    }
  }

  /** The writers of several ranges, with offsets as if the ranges followed one another. */
  writersOfAll(
    ranges: readonly { readonly address: number; readonly length: number }[],
  ): readonly WrittenBytes[] {
    let end = 0;
    return ranges.flatMap(({ address, length }) => {
      const from = end;
      end += length;
      return this.writersOf(address, length).map((run) => ({ ...run, offset: run.offset + from }));
    });
  }

  writersOf(address: number, length: number): readonly WrittenBytes[] {
    const runs: { offset: number; length: number; address: number; writer: Instance }[] = [];
    for (let offset = 0; offset < length; offset++) {
      const writer = this.writerOf(address + offset);
      const last = runs.at(-1);
      if (last?.writer === writer) last.length++;
      else runs.push({ offset, length: 1, address: address + offset, writer });
    }
    return runs;
  }
}
