/** The coverage map that clang puts into a program: which regions of its sources each function has, and what counts them. */

import { isAbsolute, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { Fault, md5 } from '../../machine/index.js';
import { ProfileBytes } from './bytes.js';

export interface MappedFunction {
  /** A digest of its name. */
  readonly name: string;
  readonly shape: string;
  /** Files it stands in; one that is included or expanded several times is there several times. */
  readonly files: readonly string[];
  readonly expressions: readonly Expression[];
  readonly regions: readonly Region[];
}

/** A sum or a difference of two others. */
interface Expression {
  readonly left: number;
  readonly right: number;
}

export type RegionKind = 'code' | 'expansion' | 'skipped' | 'gap';

export interface Region {
  readonly kind: RegionKind;
  /** Among the function's files. */
  readonly file: number;
  /** The file that is expanded there. */
  readonly expanded: number;
  /** How often it was entered, as the map writes it: see region-counts.ts. */
  readonly counter: number;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** As the map writes them; the oldest is that of LLVM 11, the newest that of LLVM 17. */
const versions = { oldest: 3, newest: 5 };
/** From here on the first name of a file is the folder of the compiler's call. */
const withFolder = 5;

const cutOff = new Fault('text', 'its coverage map is cut off');
const damaged = new Fault('text', 'its coverage map is damaged');

/** A file that unpacks to more than this was made to. */
const mostNameBytes = 1 << 28;

/** @param map the section `__llvm_covmap`; @param functions the section `__llvm_covfun` */
export function readCoverageMap(map: Buffer, functions: Buffer): readonly MappedFunction[] | Fault {
  const names = readFileNames(map);
  if (names instanceof Fault) return names;
  const reader = new ProfileBytes(functions);
  const found = new Map<string, MappedFunction>();
  while (reader.left >= 28) {
    const name = reader.digest();
    const size = reader.word(4);
    const [shape, filesOf] = [reader.digest(), reader.digest()];
    const content = reader.take(size);
    reader.align();
    if (reader.isCutOff) return cutOff;
    const files = names.get(filesOf);
    if (files === undefined) return damaged;
    const read = readFunction(content, files);
    if (read instanceof Fault) return read;
    const known = found.get(name);
    // Sources that do not use a function say that it is there and no more.
    if (known === undefined || (isEmpty(known) && !isEmpty({ shape, ...read })))
      found.set(name, { name, shape, ...read });
  }
  return [...found.values()];
}

function isEmpty({ shape, regions }: Pick<MappedFunction, 'shape' | 'regions'>): boolean {
  return /^0*$/.test(shape) && regions.length === 1 && regions[0]?.counter === 0;
}

/** Lists of files by their digests. */
function readFileNames(map: Buffer): ReadonlyMap<string, readonly string[]> | Fault {
  const reader = new ProfileBytes(map);
  const lists = new Map<string, readonly string[]>();
  while (reader.left >= 16) {
    reader.skip(4);
    const size = reader.word(4);
    reader.skip(4);
    const version = reader.word(4);
    if (version < versions.oldest || version > versions.newest)
      return new Fault(
        'text',
        `its coverage map has version ${version + 1}, and ${versions.oldest + 1} to ${versions.newest + 1} are read: those of LLVM 11 to 17`,
      );
    const list = reader.take(size);
    reader.align();
    if (reader.isCutOff) return cutOff;
    const names = namesIn(list, version);
    if (names instanceof Fault) return names;
    lists.set(md5(list).toString('hex', 0, 8), names);
  }
  return lists;
}

function namesIn(list: Buffer, version: number): readonly string[] | Fault {
  const packed = new ProfileBytes(list);
  const many = packed.packed();
  const text = unpackedText(packed);
  if (text instanceof Fault) return text;
  const reader = new ProfileBytes(text);
  if (many > text.length) return damaged;
  const names = Array.from({ length: many }, () => reader.take(reader.packed()).toString('utf8'));
  if (reader.isCutOff) return damaged;
  const [folder = ''] = version >= withFolder ? names : [];
  return names.map((name) => (isAbsolute(name) || folder === '' ? name : join(folder, name)));
}

/** What stands there after its size, and after its size packed, which is 0 for what is not. */
export function unpackedText(reader: ProfileBytes): Buffer | Fault {
  const [size, packedSize] = [reader.packed(), reader.packed()];
  if (packedSize === 0) return reader.take(size);
  if (size > mostNameBytes) return damaged;
  try {
    return inflateSync(reader.take(packedSize), { maxOutputLength: Math.max(1, size) });
  } catch {
    return damaged;
  }
}

type FunctionContent = Pick<MappedFunction, 'files' | 'expressions' | 'regions'>;

function readFunction(content: Buffer, names: readonly string[]): FunctionContent | Fault {
  const reader = new ProfileBytes(content);
  const many = reader.packed();
  if (many > content.length) return damaged;
  const files = Array.from({ length: many }, () => names[reader.packed()]);
  const expressionCount = reader.packed();
  if (expressionCount > content.length) return damaged;
  const expressions = Array.from({ length: expressionCount }, () => ({
    left: reader.packed(),
    right: reader.packed(),
  }));
  const regions: Region[] = [];
  for (let file = 0; file < many; file++) {
    let line = 0;
    for (let left = reader.packed(); left > 0; left--) {
      if (reader.isCutOff) return damaged;
      const { kind, counter, expanded } = kindOf(reader);
      if (kind === 'unknown') return damaged;
      line += reader.packed();
      const startColumn = reader.packed();
      const endLine = line + reader.packed();
      const end = reader.packed();
      if (endLine > mostLines) return damaged;
      if (kind === 'branch') continue;
      const isGap = end >= gapBit;
      const endColumn = isGap ? end - gapBit : end;
      const isWholeLines = startColumn === 0 && endColumn === 0;
      regions.push({
        kind: isGap ? 'gap' : kind,
        file,
        expanded,
        counter,
        startLine: line,
        startColumn: isWholeLines ? 1 : startColumn,
        endLine,
        endColumn: isWholeLines ? lastColumn : endColumn,
      });
    }
  }
  if (reader.isCutOff || regions.some(({ expanded }) => expanded >= many)) return damaged;
  const known = files.flatMap((file) => (file === undefined ? [] : [file]));
  return known.length < files.length ? damaged : { files: known, expressions, regions };
}

/** No file has as many. */
const mostLines = 1_000_000;

const gapBit = 2 ** 31;
const lastColumn = 2 ** 32 - 1;

interface ReadKind {
  readonly kind: RegionKind | 'branch' | 'unknown';
  readonly counter: number;
  readonly expanded: number;
}

/** Where no counter stands, the bits above say what kind of region it is. */
function kindOf(reader: ProfileBytes): ReadKind {
  const word = reader.packed();
  if (word % 4 !== 0) return { kind: 'code', counter: word, expanded: 0 };
  const rest = Math.floor(word / 8);
  if (Math.floor(word / 4) % 2 === 1) return { kind: 'expansion', counter: 0, expanded: rest };
  switch (rest) {
    case 0:
      return { kind: 'code', counter: 0, expanded: 0 };
    case 2:
      return { kind: 'skipped', counter: 0, expanded: 0 };
    case 4:
      reader.packed();
      reader.packed();
      return { kind: 'branch', counter: 0, expanded: 0 };
    default:
      return { kind: 'unknown', counter: 0, expanded: 0 };
  }
}
