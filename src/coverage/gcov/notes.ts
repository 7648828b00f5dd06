/** gcov's notes (.gcno): the functions of one compiled source, their blocks, the arcs between them, and their lines. */

import { Fault } from '../../machine/index.js';
import { GcovWords } from './words.js';

export interface Notes {
  /** The same in the counters that belong to them. */
  readonly stamp: number;
  /** Where the compiler was called; names of sources are relative to it. Undefined before GCC 9. */
  readonly folder: string | undefined;
  readonly functions: readonly NotedFunction[];
}

export interface NotedFunction {
  readonly ident: number;
  readonly lineChecksum: number;
  readonly flowChecksum: number;
  /** As the linker knows it. */
  readonly name: string;
  /** Made by the compiler: nobody wrote it. */
  readonly isArtificial: boolean;
  readonly source: string;
  readonly startLine: number;
  /** Undefined before GCC 8. */
  readonly endLine: number | undefined;
  /** Block 0 is the entry, block 1 the exit. */
  readonly blocks: number;
  readonly arcs: readonly Arc[];
  /** In the order in which they are written. */
  readonly places: readonly Place[];
}

export interface Arc {
  readonly from: number;
  readonly to: number;
  /** It follows from the others, and has no counter. */
  readonly isOnTree: boolean;
  /** It stands for a call that does not return, or for a return from elsewhere. */
  readonly isFake: boolean;
}

/** Lines of one source that a block stands on. */
export interface Place {
  readonly block: number;
  readonly source: string;
  readonly lines: readonly number[];
}

const tags = { function: 0x01000000, blocks: 0x01410000, arcs: 0x01430000, lines: 0x01450000 };
const onTree = 1;
const fake = 2;

/** Block 1 is the exit since GCC 4.8; it was the last one before. */
const oldestVersion = 408;

export function readNotes(bytes: Uint8Array): Notes | Fault {
  const words = GcovWords.open(bytes, 'notes');
  if (words instanceof Fault) return words;
  const { version, hasChecksum } = words;
  if (version < oldestVersion) return new Fault('text', 'it is of a GCC before 4.8');
  const stamp = words.word();
  if (hasChecksum) words.word();
  const folder = version >= 900 ? words.string() : undefined;
  // Whether blocks that were not executed can be told apart on a line.
  if (version >= 800) words.word();
  const functions: GrowingFunction[] = [];
  let blocks = 0;
  while (words.has(8)) {
    const tag = words.word();
    if (tag === 0) break;
    const size = words.size(words.word());
    const start = words.at;
    if (!words.has(size)) return new Fault('text', 'it is cut off');
    const last = functions.at(-1);
    if (tag === tags.function) functions.push(functionOf(words));
    else if (last !== undefined) {
      const isSound = readInto(last, tag, words, size);
      if (tag === tags.blocks) blocks += last.blocks;
      // Each has an arc, which takes more room than a byte: what claims more is not to be made room for.
      if (!isSound || blocks > bytes.length)
        return new Fault('text', `its record at byte ${start} is damaged`);
    }
    words.goTo(start + size);
  }
  return { stamp, folder, functions };
}

interface GrowingFunction extends NotedFunction {
  blocks: number;
  readonly arcs: Arc[];
  readonly places: Place[];
}

function functionOf(words: GcovWords): GrowingFunction {
  const { version } = words;
  const [ident, lineChecksum, flowChecksum] = [words.word(), words.word(), words.word()];
  const name = words.string() ?? '';
  const isArtificial = version >= 800 && words.word() !== 0;
  const source = words.string() ?? '';
  const startLine = words.word();
  if (version >= 800) words.word();
  const endLine = version >= 800 ? words.word() : undefined;
  return {
    ident,
    lineChecksum,
    flowChecksum,
    name,
    isArtificial,
    source,
    startLine,
    endLine,
    blocks: 0,
    arcs: [],
    places: [],
  };
}

/** Whether the record can be what it says it is. */
function readInto(noted: GrowingFunction, tag: number, words: GcovWords, size: number): boolean {
  switch (tag) {
    case tags.blocks:
      // Their number; a word of flags for each before GCC 8.
      noted.blocks = words.version >= 800 ? words.word() : size / 4;
      return true;
    case tags.arcs:
      return readArcs(noted, words, size);
    case tags.lines:
      return readLines(noted, words, size);
    default:
      return true;
  }
}

function readArcs(noted: GrowingFunction, words: GcovWords, size: number): boolean {
  const from = words.word();
  for (let left = Math.floor((size / 4 - 1) / 2); left > 0; left--) {
    const [to, flags] = [words.word(), words.word()];
    if (from >= noted.blocks || to >= noted.blocks) return false;
    noted.arcs.push({ from, to, isOnTree: (flags & onTree) !== 0, isFake: (flags & fake) !== 0 });
  }
  return true;
}

function readLines(noted: GrowingFunction, words: GcovWords, size: number): boolean {
  const end = words.at + size;
  const block = words.word();
  if (block >= noted.blocks) return false;
  let lines: number[] | undefined;
  while (words.at < end) {
    const line = words.word();
    if (line !== 0) {
      if (lines === undefined) return false;
      lines.push(line);
      continue;
    }
    const source = words.string();
    if (source === undefined) break;
    lines = [];
    noted.places.push({ block, source, lines });
  }
  return true;
}
