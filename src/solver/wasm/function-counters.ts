/** Adds a 64-bit call counter in memory to each function of a module, and changes nothing else. */

import { type Bytes, sections, unsigned } from './encoding.js';
import { ModuleReader, type Section, sectionsOf } from './module-reader.js';

export const counterSize = 8;

/** The number of functions of a module, without imported ones. */
export function ownFunctions(bytes: Uint8Array): number {
  const section = sectionsOf(bytes).find(({ id }) => id === sections.code);
  return section === undefined ? 0 : new ModuleReader(bytes, section.start).unsigned();
}

/** @param base address of the first counter, a multiple of eight */
export function withFunctionCounters(bytes: Uint8Array, base: number): Uint8Array {
  const all = sectionsOf(bytes);
  const code = all.find(({ id }) => id === sections.code);
  if (code === undefined) return bytes;
  const body = countingCode(bytes, code, base);
  const size = unsigned(body.length);
  // Copies everything before and after the section.
  const before = bytes.subarray(0, sectionStart(all, code));
  const after = bytes.subarray(code.end);
  const result = new Uint8Array(before.length + 1 + size.length + body.length + after.length);
  let at = 0;
  for (const part of [before, [sections.code], size, body, after]) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

function sectionStart(all: readonly Section[], section: Section): number {
  const before = all[all.indexOf(section) - 1];
  return before?.end ?? 8;
}

function countingCode(bytes: Uint8Array, { start, end }: Section, base: number): Uint8Array {
  const reader = new ModuleReader(bytes, start);
  const functions = reader.unsigned();
  // Each function grows by its counting code, and its size may take one more byte.
  const grown = new Uint8Array(end - start + functions * (counting(2 ** 32 - 1).length + 1));
  let at = 0;
  const put = (part: Bytes | Uint8Array): void => {
    grown.set(part, at);
    at += part.length;
  };
  put(unsigned(functions));
  for (let index = 0; index < functions; index++) {
    const size = reader.unsigned();
    const first = reader.at;
    const next = first + size;
    for (let groups = reader.unsigned(); groups > 0; groups--) {
      reader.unsigned();
      reader.byte();
    }
    const count = counting(base + index * counterSize);
    put(unsigned(size + count.length));
    put(bytes.subarray(first, reader.at));
    put(count);
    put(bytes.subarray(reader.at, next));
    reader.at = next;
  }
  return grown.subarray(0, at);
}

const [i32Const, i64Const, i64Load, i64Store, i64Add] = [0x41, 0x42, 0x29, 0x37, 0x7c];
const alignment = 3;

/** memory[address] += 1 */
function counting(address: number): Bytes {
  const place = [alignment, ...unsigned(address)];
  return [i32Const, 0, i32Const, 0, i64Load, ...place, i64Const, 1, i64Add, i64Store, ...place];
}
