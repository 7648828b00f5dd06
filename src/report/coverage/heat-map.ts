/** Execution counts of one run, or differences between two, with totals for every file and folder. */

import { scopeOf } from '../../coverage/index.js';
import type { CoverageView } from './coverage.js';
import { pairedLines } from './paired-lines.js';

/** A run, with the text of its source files as far as available. */
export interface HeatSide {
  readonly view: CoverageView;
  readonly texts: ReadonlyMap<string, string>;
}

export type HeatSides = readonly [first: HeatSide, second?: HeatSide];

export interface HeatMap {
  /** `functions` if one of the runs has no line counts. */
  readonly unit: 'lines' | 'functions';
  readonly isCompared: boolean;
  /** Executed files, the most relevant first. */
  readonly files: readonly HeatFile[];
  /** Folders with totals of all files below them, by name. */
  readonly folders: readonly HeatFolder[];
  readonly totals: HeatTotals;
  /** The highest count of a row. */
  readonly most: number;
}

/** A file with its lines, or a class with its functions. */
export interface HeatFile {
  readonly name: string;
  readonly totals: HeatTotals;
  readonly rows: readonly HeatRow[];
  /** The text of the lines is available. */
  readonly hasText: boolean;
}

export interface HeatFolder {
  /** With its separator, such as `src/`. */
  readonly name: string;
  readonly files: number;
  readonly totals: HeatTotals;
}

export interface HeatRow {
  /** Line numbers in the first and second run; 0 if a run does not have the line. */
  readonly first: number;
  readonly second: number;
  readonly text: string;
  /** Execution counts; undefined if not executable. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** Numbers of rows, and of executions. A pair holds the first run's value and the second's. */
export interface HeatTotals {
  /** Number of executable rows. */
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
      const known = folders.get(folder) ?? { files: 0, totals: zeroTotals };
      folders.set(folder, { files: known.files + 1, totals: sumOf(known.totals, totals) });
    }
  const isCompared = second !== undefined;
  const files = all.filter(({ totals }) => totals.executed > 0);
  return {
    unit,
    isCompared,
    files: files.toSorted((a, b) => relevanceOf(b, isCompared) - relevanceOf(a, isCompared) || byName(a, b)),
    folders: [...folders]
      .map(([name, { files: many, totals }]) => ({ name, files: many, totals }))
      .filter(({ totals }) => totals.executed > 0)
      .toSorted(byName),
    totals: all.reduce((sum, { totals }) => sumOf(sum, totals), zeroTotals),
    most: files.reduce((high, { rows }) => Math.max(high, mostOf(rows)), 0),
  };
}

/** The relevance of a file, for sorting. */
export function relevanceOf({ totals }: HeatFile, isCompared: boolean): number {
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

/** One file of one run. */
export class FileSide {
  /** Undefined if not available. */
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
    // Functions that were never called count in the totals but get no row.
    const rows = all.filter((row) => (row.before ?? 0) + (row.after ?? 0) > 0);
    return { name, rows, totals: totalsOf(all), hasText: true };
  });
}

/** Stands for the class of a function without one. */
const outside = '(no class)';

function callsOf(side: HeatSide | undefined): ReadonlyMap<string, number> {
  const calls = new Map<string, number>();
  for (const name of side?.view.executable.functions ?? []) {
    calls.set(name, side?.view.executed.functions.get(name) ?? 0);
  }
  return calls;
}

const zeroTotals: HeatTotals = { whole: 0, executed: 0, only: [0, 0], more: [0, 0], executions: [0, 0] };

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

/** `src/` and `src/smt/` of `src/smt/a.cpp`. Template arguments are no folders. */
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
