/** Finds the modules in LLVM bitcode, and their target triple. clang reads the rest. */

import type { Fault } from '../../machine/index.js';
import { type ByteRange, damage, partOf } from '../../machine/index.js';

const magic = 0xdec04342;
/** Apple's compilers wrap bitcode in a header. */
const wrapperMagic = 0x0b17c0de;
const wrapperSize = 20;

export function isBitcode(beginning: Buffer): boolean {
  if (beginning.length < 4) return false;
  const word = beginning.readUInt32LE(0);
  return word === magic || word === wrapperMagic;
}

/**
 * The modules in a section; linkers concatenate those of all objects. At the top level, bitcode has only blocks, each
 * with its length (LLVM Bitcode File Format, "Blocks").
 */
export async function bitcodeModules(section: ByteRange): Promise<readonly ByteRange[] | Fault> {
  const modules: ByteRange[] = [];
  for (let at = await afterZeros(section, 0); at < section.size; ) {
    const module = await moduleAt(section, at);
    if (module === undefined) return damage(`its bitcode is damaged at byte ${section.start + at}`);
    modules.push(module.content);
    at = await afterZeros(section, module.end);
  }
  return modules;
}

/** Aligned sections have zeros between them. */
async function afterZeros(section: ByteRange, from: number): Promise<number> {
  const together = 1 << 10;
  for (let at = from; at < section.size; at += together) {
    const nonZero = (await section.read(at, together)).findIndex((byte) => byte !== 0);
    if (nonZero !== -1) return at + nonZero;
  }
  return section.size;
}

async function moduleAt(
  section: ByteRange,
  from: number,
): Promise<{ readonly content: ByteRange; readonly end: number } | undefined> {
  const header = await section.read(from, wrapperSize);
  if (!isBitcode(header)) return undefined;
  if (header.readUInt32LE(0) === wrapperMagic) {
    if (header.length < wrapperSize) return undefined;
    const offset = header.readUInt32LE(8);
    const size = header.readUInt32LE(12);
    const end = from + offset + size;
    if (offset < wrapperSize || size === 0 || end > section.size) return undefined;
    return { content: partOf(section, from + offset, size), end };
  }
  let at = from + 4;
  for (;;) {
    const block = blockIn(await section.read(at, 8));
    if (block === undefined) break;
    at += 8 + block.bytes;
    if (at > section.size) return undefined;
  }
  return at === from + 4 ? undefined : { content: partOf(section, from, at - from), end: at };
}

interface BlockHeader {
  readonly id: number;
  /** Bits of an abbreviation id. */
  readonly width: number;
  readonly bytes: number;
}

/**
 * A block begins with 2 bits for its kind of entry, 8 with its number, 4 with its width; then its length in words.
 */
function blockIn(header: Buffer): BlockHeader | undefined {
  if (header.length < 8) return undefined;
  const word = header.readUInt32LE(0);
  const id = (word >>> 2) & 0xff;
  if ((word & 3) !== 1 || id >= 0x80) return undefined;
  return { id, width: (word >>> 10) & 0xf, bytes: 4 * header.readUInt32LE(4) };
}

const moduleBlock = 8;
const tripleRecord = 2;
const nestedBlock = 1;
const plainRecord = 3;

/** The target triple of a module, if it has one. */
export function bitcodeTriple(module: Buffer): string | undefined {
  for (let at = 4; ; ) {
    const block = blockIn(module.subarray(at, at + 8));
    if (block === undefined) return undefined;
    if (block.id === moduleBlock) return tripleIn(new Bits(module, at + 8, block.bytes), block.width);
    at += 8 + block.bytes;
  }
}

function tripleIn(bits: Bits, width: number): string | undefined {
  while (!bits.isAtEnd) {
    const kind = bits.fixed(width);
    if (kind === nestedBlock) {
      bits.skipBlock();
      continue;
    }
    // LLVM writes the triple before any abbreviated record.
    if (kind !== plainRecord) return undefined;
    const code = bits.variable(6);
    const length = bits.variable(6);
    let text = '';
    for (let at = 0; at < length && !bits.isAtEnd; at++) text += String.fromCharCode(bits.variable(6) & 0x7f);
    if (code === tripleRecord) return /^\w[\w.+-]*$/.test(text) ? text : undefined;
  }
  return undefined;
}

class Bits {
  /** In bits. */
  #at: number;
  readonly #end: number;

  constructor(
    private readonly bytes: Buffer,
    from: number,
    length: number,
  ) {
    this.#at = from * 8;
    this.#end = Math.min(from + length, bytes.length) * 8;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  fixed(width: number): number {
    let value = 0;
    for (let bit = 0; bit < width; bit++, this.#at++) {
      const byte = this.bytes[Math.floor(this.#at / 8)] ?? 0;
      if ((byte >>> (this.#at % 8)) & 1) value += 2 ** bit;
    }
    return value;
  }

  /** Chunks of a width; the highest bit says whether another follows. */
  variable(width: number): number {
    const half = 2 ** (width - 1);
    let value = 0;
    for (let weight = 1; ; weight *= half) {
      const piece = this.fixed(width);
      value += (piece % half) * weight;
      if (piece < half || this.isAtEnd) return value;
    }
  }

  skipBlock(): void {
    this.variable(8);
    this.variable(4);
    this.#at = Math.ceil(this.#at / 32) * 32;
    const words = this.fixed(32);
    this.#at += words * 32;
  }
}
