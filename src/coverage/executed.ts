/**
 * Counts of a run by names, which are comparable between runs, and between versions as far as their code is equal.
 */

/** Calls by function and executions by file and line, without zeros. */
export interface Executed {
  /** By function name, summed over functions of the same name. */
  readonly functions: ReadonlyMap<string, number>;
  /** By file name, then by line. Empty if only calls are counted. */
  readonly files: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Number of executed regions: code that runs completely or not at all. Undefined if regions are not counted. */
  readonly regions?: number | undefined;
}

/** Everything that can be executed, by the same names. */
export interface Executable {
  readonly functions: ReadonlySet<string>;
  /** Lines of each file; undefined if only calls are counted. */
  readonly files: ReadonlyMap<string, readonly number[]> | undefined;
  readonly regions?: number | undefined;
}

/** Totals of the executable code. */
export interface ExecutableTotals {
  readonly functions: number;
  /** Undefined if only calls are counted. */
  readonly files?: number | undefined;
  readonly lines?: number | undefined;
  readonly regions?: number | undefined;
}

export function totalsOf({ functions, files, regions }: Executable): ExecutableTotals {
  if (files === undefined) return { functions: functions.size };
  let lines = 0;
  for (const numbers of files.values()) lines += numbers.length;
  return { functions: functions.size, files: files.size, lines, regions };
}

export function executedLineCount({ files }: Executed): number {
  let sum = 0;
  for (const lines of files.values()) sum += lines.size;
  return sum;
}

/** A function that one run calls more often than another. */
export interface Growth {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** Functions that the second run calls more often, largest increase first. */
export function growth(before: Executed, after: Executed): readonly Growth[] {
  return [...after.functions]
    .map(([name, calls]) => ({ name, before: before.functions.get(name) ?? 0, after: calls }))
    .filter((one) => one.after > one.before)
    .toSorted((a, b) => b.after - b.before - (a.after - a.before) || (a.name < b.name ? -1 : 1));
}

/** Counts of code that only the first run executes. */
export function executedOnlyBy(one: Executed, other: Executed): Executed {
  const files = [...one.files].flatMap(([file, lines]) => {
    const theirs = other.files.get(file);
    const onlyHere = new Map([...lines].filter(([line]) => theirs?.has(line) !== true));
    return onlyHere.size === 0 ? [] : [[file, onlyHere] as const];
  });
  return {
    functions: new Map([...one.functions].filter(([name]) => !other.functions.has(name))),
    files: new Map(files),
  };
}
