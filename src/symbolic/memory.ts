/** The memory of a program as far as its traced code has seen it: every byte with whoever wrote it. */

import { type Instance, nowhere } from './instances.js';

const pageBits = 12;
const pageBytes = 1 << pageBits;

/** What is known of a byte. */
const state = {
  unseen: 0,
  known: 1,
  /** Somebody is known to have written it; what, is not. */
  written: 2,
  /** Somebody has made room, and nobody is known to have written there. */
  fresh: 3,
} as const;

interface Page {
  readonly bytes: Uint8Array;
  readonly writers: Int32Array;
  readonly states: Uint8Array;
}

/** Some bytes that were written by one and the same instance. */
export interface WrittenBytes {
  /** From the first byte that was read. */
  readonly offset: number;
  readonly length: number;
  /** Where they were; -1 for a variable that is never seen from outside. */
  readonly address: number;
  /** `nowhere` for what was there before the run, or was written by code that nothing is known of. */
  readonly writer: Instance;
}

/** What memory has to ask others about. */
export interface Surroundings {
  /** Who has written to an address after an instance, when traced code has not. @param isSure somebody has */
  outsideWriter(address: number, after: Instance, isSure: boolean): Instance;
  /** What is there when the program starts, between two addresses. */
  initialBytes(from: number, to: number, onByte: (address: number, byte: number) => void): void;
}

/** In place of one writer. */
export const several = -2;

export class Memory {
  readonly #pages = new Map<number, Page>();
  #last: Page | undefined;
  #lastNumber = -1;

  constructor(private readonly around: Surroundings) {}

  /** The page of an address. */
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
      this.around.initialBytes(start, start + pageBytes, (at, byte) => {
        bytes[at - start] = byte;
        states[at - start] = state.known;
      });
    }
    this.#last = page;
    this.#lastNumber = number;
    return page;
  }

  /** A byte that traced code has written. */
  write(address: number, byte: number, writer: Instance): void {
    const page = this.#page(address);
    const at = address % pageBytes;
    page.bytes[at] = byte;
    page.writers[at] = writer;
    page.states[at] = state.known;
  }

  /** A byte that was read: tells who has written it, and notes what it is. */
  read(address: number, byte: number): Instance {
    const page = this.#page(address);
    const at = address % pageBytes;
    const isKnown = page.states[at] === state.known;
    if (isKnown ? page.bytes[at] !== byte : page.states[at] !== state.written)
      page.writers[at] = this.around.outsideWriter(address, page.writers[at] ?? nowhere, isKnown);
    page.bytes[at] = byte;
    page.states[at] = state.known;
    return page.writers[at] ?? nowhere;
  }

  /** Up to eight bytes that traced code has written. */
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
      states[at + byte] = state.known;
    }
  }

  /** Up to eight bytes that were read: the one who has written them, or `several`. */
  readWord(address: number, length: number, low: number, high: number): Instance {
    let writer: Instance | undefined;
    let areSame = true;
    for (let byte = 0; byte < length; byte++) {
      const value = (byte < 4 ? low >>> (8 * byte) : high >>> (8 * (byte - 4))) & 0xff;
      const other = this.read(address + byte, value);
      areSame &&= byte === 0 || other === writer;
      writer = other;
    }
    return areSame ? (writer ?? nowhere) : several;
  }

  /** Somebody has written there, nobody knows what. */
  mark(address: number, length: number, writer: Instance): void {
    this.#note(address, length, writer, state.written);
  }

  /** Somebody has made room there. */
  renew(address: number, length: number, maker: Instance): void {
    this.#note(address, length, maker, state.fresh);
  }

  #note(address: number, length: number, writer: Instance, what: number): void {
    for (let at = 0; at < length; ) {
      const page = this.#page(address + at);
      const from = (address + at) % pageBytes;
      const to = Math.min(pageBytes, from + length - at);
      page.writers.fill(writer, from, to);
      page.states.fill(what, from, to);
      at += to - from;
    }
  }

  /** The byte there; undefined where it is not known. */
  peek(address: number): number | undefined {
    const page = this.#page(address);
    const at = address % pageBytes;
    return page.states[at] === state.known ? page.bytes[at] : undefined;
  }

  writerOf(address: number): Instance {
    return this.#page(address).writers[address % pageBytes] ?? nowhere;
  }

  /** Bytes go from one place to another, as if all at once; what is not known stays so. */
  copy(to: number, from: number, length: number, writer: Instance): void {
    const bytes = Array.from({ length }, (_, at) => this.peek(from + at));
    for (const [at, byte] of bytes.entries()) {
      if (byte === undefined) this.mark(to + at, 1, writer);
      else this.write(to + at, byte, writer);
    }
  }

  /** Who has written what of some bytes. */
  written(address: number, length: number): readonly WrittenBytes[] {
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
