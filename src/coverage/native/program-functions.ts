/** Reads the addresses of a program's functions from its symbols. */

import { elfContents, Fault, readInput } from '../../machine/index.js';

interface PlacedFunction {
  readonly name: string;
  /** Relative to the start of the program. */
  readonly from: number;
  readonly to: number;
}

/** A program with debug information can be large. */
const maxProgramBytes = 4 * 2 ** 30 - 1;

/** A 64-bit symbol: name, kind, section, address, size. */
const symbolSize = 24;
const functionKinds: ReadonlySet<number> = new Set([2, 10]);

/** The symbol that places are relative to; see counters.c. */
const programStart = '__executable_start';

export class ProgramFunctions {
  private constructor(private readonly functions: readonly PlacedFunction[]) {}

  /** Has no functions if the program has no symbols, or is not a little-endian 64-bit program. */
  static async read(program: string): Promise<ProgramFunctions | Fault> {
    const bytes = readInput(program, { maxBytes: maxProgramBytes });
    if (bytes instanceof Fault) return bytes;
    const isKnown = bytes[4] === 2 && bytes[5] === 1;
    const sections = isKnown ? await elfContents(bytes, ['.symtab', '.strtab']) : [];
    if (sections instanceof Fault) return new Fault(sections.kind, `${program}: ${sections.message}`);
    const [symbols = Buffer.alloc(0), names = Buffer.alloc(0)] = sections;
    return new ProgramFunctions(placedFunctions(symbols, names));
  }

  /** Linker name of the function at a place, without suffixes of the compiler; undefined outside of functions. */
  at(place: number): string | undefined {
    let [low, high] = [0, this.functions.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.functions[middle]?.from ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    const candidate = this.functions[low - 1];
    return candidate !== undefined && place < candidate.to ? candidate.name : undefined;
  }
}

function placedFunctions(symbols: Buffer, names: Buffer): readonly PlacedFunction[] {
  const placed: PlacedFunction[] = [];
  let start = 0;
  for (let at = 0; at + symbolSize <= symbols.length; at += symbolSize) {
    const nameAt = symbols.readUInt32LE(at);
    const name = names.toString('latin1', nameAt, names.indexOf(0, nameAt));
    const from = Number(symbols.readBigUInt64LE(at + 8));
    if (name === programStart) start = from;
    const size = Number(symbols.readBigUInt64LE(at + 16));
    if (functionKinds.has((symbols[at + 4] ?? 0) & 15) && size > 0)
      // `.cold`, `.part.0`, `.isra.0`: parts and variants of a source function.
      placed.push({ name: name.replace(/\..*$/, ''), from, to: from + size });
  }
  return placed
    .map(({ name, from, to }) => ({ name, from: from - start, to: to - start }))
    .toSorted((a, b) => a.from - b.from);
}
