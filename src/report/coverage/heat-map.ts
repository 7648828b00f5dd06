/** What one run executed, or what tells two apart: line by line, with totals for every file and folder. */

import { scopeOf } from '../../coverage/index.js';
import type { CoverageView } from './coverage.js';
import { pairedLines } from './paired-lines.js';

/** A run, with the text of its sources by the names of their files, as far as it is at hand. */
export interface HeatSide {
  readonly view: CoverageView;
  readonly texts: ReadonlyMap<string, string>;
}

/** One run, or two to be compared. */
export type HeatSides = readonly [first: HeatSide, second?: HeatSide];

export interface HeatMap {
  /** Functions where one of the runs counts nothing smaller. */
  readonly unit: 'lines' | 'functions';
  readonly isCompared: boolean;
  /** Those of which something was executed, the most telling first. */
  readonly files: readonly HeatFile[];
  /** Folders with everything below them, by name. */
  readonly folders: readonly HeatFolder[];
  readonly totals: HeatTotals;
  /** How often the most executed row was. */
  readonly most: number;
}

/** A file with its lines, or a class with its functions. */
export interface HeatFile {
  readonly name: string;
  readonly totals: HeatTotals;
  readonly rows: readonly HeatRow[];
  /** Of lines, whether their text is at hand. */
  readonly hasText: boolean;
}

export interface HeatFolder {
  /** With what it ends in, such as `src/`. */
  readonly name: string;
  readonly files: number;
  readonly totals: HeatTotals;
}

export interface HeatRow {
  /** Its number in the first run's text, and in the second's; 0 where that has no such line. */
  readonly first: number;
  readonly second: number;
  readonly text: string;
  /** How often each run executed it; undefined where it could not. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** Numbers of rows, and of executions; of pairs, what is of the first run and what of the second. */
export interface HeatTotals {
  /** That can be executed. */
  readonly whole: number;
  readonly executed: number;
  readonly only: readonly [number, number];
  readonly more: readonly [number, number];
  readonly executions: readonly [number, number];
}

export function heatMap([first, second]: HeatSides): HeatMap {
  const countsLines = (side: HeatSide | undefined): boolean =>
    side === undefined || side.view.executable.files !== undefined;
  const unit = countsLines(first) && countsLines(second) ? 'lines' : 'functions';
  const all = unit === 'lines' ? lineFiles(first, second) : functionFiles(first, second);
  const separator = unit === 'lines' ? '/' : '::';
  const folders = new Map<string, { files: number; totals: HeatTotals }>();
  for (const { name, totals } of all)
    for (const folder of foldersOf(name, separator)) {
      const known = folders.get(folder) ?? { files: 0, totals: nothing };
      folders.set(folder, { files: known.files + 1, totals: sumOf(known.totals, totals) });
    }
  const isCompared = second !== undefined;
  const files = all.filter(({ totals }) => totals.executed > 0);
  return {
    unit,
    isCompared,
    files: files.toSorted((a, b) => weightOf(b, isCompared) - weightOf(a, isCompared) || byName(a, b)),
    folders: [...folders]
      .map(([name, { files: many, totals }]) => ({ name, files: many, totals }))
      .filter(({ totals }) => totals.executed > 0)
      .toSorted(byName),
    totals: all.reduce((sum, { totals }) => sumOf(sum, totals), nothing),
    most: files.reduce((high, { rows }) => Math.max(high, mostOf(rows)), 0),
  };
}

/** How much a file has to tell. */
export function weightOf({ totals }: HeatFile, isCompared: boolean): number {
  const { only, more, executions } = totals;
  return isCompared ? only[0] + only[1] + more[0] + more[1] : executions[0];
}

export function mostOf(rows: readonly HeatRow[]): number {
  return rows.reduce((high, { before = 0, after = 0 }) => Math.max(high, before, after), 0);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function lineFiles(first: HeatSide, second: HeatSide | undefined): readonly HeatFile[] {
  const namesOf = (side: HeatSide | undefined): Iterable<string> => side?.view.executable.files?.keys() ?? [];
  return [...new Set([...namesOf(first), ...namesOf(second)])].map((name) => {
    const [before, after] = [new FileSide(name, first), new FileSide(name, second)];
    const pairs = pairedLines(before, after);
    const rows = pairs.pairs.map(
      ([one, other]): HeatRow => ({
        first: one,
        second: other,
        text: (pairs.hasText ? (after.textAt(other) ?? before.textAt(one)) : undefined) ?? '',
        before: before.countAt(one),
        after: after.countAt(other),
      }),
    );
    return { name, rows, totals: totalsOf(rows), hasText: pairs.hasText };
  });
}

/** One file as a run has it. */
export class FileSide {
  /** Undefined where it is not at hand. */
  readonly text: readonly string[] | undefined;
  readonly numbers: ReadonlySet<number>;
  readonly #counts: ReadonlyMap<number, number> | undefined;

  constructor(name: string, side: HeatSide | undefined) {
    this.text = side?.texts.get(name)?.split('\n');
    this.numbers = new Set(side?.view.executable.files?.get(name));
    this.#counts = side?.view.executed.files.get(name);
  }

  countAt(line: number): number | undefined {
    return this.numbers.has(line) ? (this.#counts?.get(line) ?? 0) : undefined;
  }

  textAt(line: number): string | undefined {
    return this.text?.[line - 1];
  }
}

function functionFiles(first: HeatSide, second: HeatSide | undefined): readonly HeatFile[] {
  const [before, after] = [callsOf(first), callsOf(second)];
  const scopes = new Map<string, string[]>();
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const scope = scopeOf(name) || outside;
    scopes.set(scope, [...(scopes.get(scope) ?? []), name]);
  }
  return [...scopes].map(([name, functions]) => {
    const all = functions.toSorted().map(
      (text, at): HeatRow => ({
        first: at + 1,
        second: at + 1,
        text,
        before: before.get(text),
        after: after.get(text),
      }),
    );
    // Of thousands that were never called, the number is enough.
    const rows = all.filter((row) => (row.before ?? 0) + (row.after ?? 0) > 0);
    return { name, rows, totals: totalsOf(all), hasText: true };
  });
}

/** In place of the class of a function that has none. */
const outside = '(no class)';

function callsOf(side: HeatSide | undefined): ReadonlyMap<string, number> {
  const calls = new Map<string, number>();
  for (const name of side?.view.executable.functions ?? []) {
    calls.set(name, side?.view.executed.functions.get(name) ?? 0);
  }
  return calls;
}

const nothing: HeatTotals = { whole: 0, executed: 0, only: [0, 0], more: [0, 0], executions: [0, 0] };

function totalsOf(rows: readonly HeatRow[]): HeatTotals {
  let [whole, executed] = [0, 0];
  const [only, more, executions]: [number, number][] & { length: 3 } = [
    [0, 0],
    [0, 0],
    [0, 0],
  ];
  for (const { before, after } of rows) {
    if (before === undefined && after === undefined) continue;
    const [a, b] = [before ?? 0, after ?? 0];
    whole++;
    if (a + b > 0) executed++;
    executions[0] += a;
    executions[1] += b;
    if (a === b) continue;
    const side = a > b ? 0 : 1;
    (a === 0 || b === 0 ? only : more)[side]++;
  }
  return { whole, executed, only, more, executions };
}

function sumOf(a: HeatTotals, b: HeatTotals): HeatTotals {
  const pair = (one: readonly [number, number], other: readonly [number, number]): [number, number] => [
    one[0] + other[0],
    one[1] + other[1],
  ];
  return {
    whole: a.whole + b.whole,
    executed: a.executed + b.executed,
    only: pair(a.only, b.only),
    more: pair(a.more, b.more),
    executions: pair(a.executions, b.executions),
  };
}

/** `src/` and `src/smt/` of `src/smt/a.cpp`; what stands in brackets of a template is no folder. */
function foldersOf(name: string, separator: '/' | '::'): readonly string[] {
  const folders: string[] = [];
  let depth = 0;
  for (let at = 0; at < name.length; at++) {
    if (separator === '::' && '<('.includes(name.charAt(at))) depth++;
    else if (separator === '::' && '>)'.includes(name.charAt(at))) depth--;
    else if (depth === 0 && name.startsWith(separator, at)) {
      folders.push(name.slice(0, at + separator.length));
      at += separator.length - 1;
    }
  }
  return folders.filter((folder) => folder !== separator);
}
