/** Where the functions of a program are in it, as its symbols say. */

import { elfContents, Fault, readInput } from '../../machine/index.js';

interface PlacedFunction {
  readonly name: string;
  /** From where the program begins. */
  readonly from: number;
  readonly to: number;
}

/** A program with its debug information may be large. */
const mostBytes = 4 * 2 ** 30 - 1;

/** A symbol of a program of 64 bits: name, kind, section, place, size. */
const symbolSize = 24;
const functionKinds: ReadonlySet<number> = new Set([2, 10]);

/** Where places are counted from; see counters.c. */
const programStart = '__executable_start';

export class ProgramFunctions {
  private constructor(private readonly functions: readonly PlacedFunction[]) {}

  /** Without symbols, or in another layout than that of nearly all machines, it has none. */
  static async read(program: string): Promise<ProgramFunctions | Fault> {
    const bytes = readInput(program, { maxBytes: mostBytes });
    if (bytes instanceof Fault) return bytes;
    const isKnown = bytes[4] === 2 && bytes[5] === 1;
    const sections = isKnown ? await elfContents(bytes, ['.symtab', '.strtab']) : [];
    if (sections instanceof Fault) return new Fault(sections.kind, `${program}: ${sections.message}`);
    const [symbols = Buffer.alloc(0), names = Buffer.alloc(0)] = sections;
    return new ProgramFunctions(placedFunctions(symbols, names));
  }

  /** The function at a place, as the linker knows it and without what the compiler made of it; undefined for none. */
  at(place: number): string | undefined {
    let [low, high] = [0, this.functions.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.functions[middle]?.from ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    const found = this.functions[low - 1];
    return found !== undefined && place < found.to ? found.name : undefined;
  }
}

function placedFunctions(symbols: Buffer, names: Buffer): readonly PlacedFunction[] {
  const found: PlacedFunction[] = [];
  let start = 0;
  for (let at = 0; at + symbolSize <= symbols.length; at += symbolSize) {
    const nameAt = symbols.readUInt32LE(at);
    const name = names.toString('latin1', nameAt, names.indexOf(0, nameAt));
    const from = Number(symbols.readBigUInt64LE(at + 8));
    if (name === programStart) start = from;
    const size = Number(symbols.readBigUInt64LE(at + 16));
    if (functionKinds.has((symbols[at + 4] ?? 0) & 15) && size > 0)
      // `.cold`, `.part.0`, `.isra.0`: pieces and variants of one that somebody wrote.
      found.push({ name: name.replace(/\..*$/, ''), from, to: from + size });
  }
  return found
    .map(({ name, from, to }) => ({ name, from: from - start, to: to - start }))
    .toSorted((a, b) => a.from - b.from);
}
