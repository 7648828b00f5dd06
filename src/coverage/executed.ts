/** What a run executed, by names that mean the same in another run, and in another version as far as its code is the same. */

/** How often each function was called, and each line of each file executed; only what was. */
export interface Executed {
  /** By the name of the function; those of the same name are one. */
  readonly functions: ReadonlyMap<string, number>;
  /** By the name of the file, then by the number of the line. Empty where only calls are counted. */
  readonly files: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** How many regions: pieces of functions that are executed whole or not at all. Undefined where they are not counted. */
  readonly regions?: number | undefined;
}

/** Everything that could be executed, by the same names. */
export interface Executable {
  readonly functions: ReadonlySet<string>;
  /** The numbers of each file's lines; undefined where only calls are counted. */
  readonly files: ReadonlyMap<string, readonly number[]> | undefined;
  readonly regions?: number | undefined;
}

/** How much there is to be executed. */
export interface Whole {
  readonly functions: number;
  /** Undefined where only calls are counted. */
  readonly files?: number | undefined;
  readonly lines?: number | undefined;
  readonly regions?: number | undefined;
}

export function wholeOf({ functions, files, regions }: Executable): Whole {
  if (files === undefined) return { functions: functions.size };
  let lines = 0;
  for (const numbers of files.values()) lines += numbers.length;
  return { functions: functions.size, files: files.size, lines, regions };
}

export function linesOf({ files }: Executed): number {
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

/** The functions that the second calls more often, those with the most calls more first. */
export function growth(before: Executed, after: Executed): readonly Growth[] {
  return [...after.functions]
    .map(([name, calls]) => ({ name, before: before.functions.get(name) ?? 0, after: calls }))
    .filter((one) => one.after > one.before)
    .toSorted((a, b) => b.after - b.before - (a.after - a.before) || (a.name < b.name ? -1 : 1));
}

/** What only the first executes. */
export function without(one: Executed, other: Executed): Executed {
  const files = [...one.files].flatMap(([file, lines]) => {
    const theirs = other.files.get(file);
    const own = new Map([...lines].filter(([line]) => theirs?.has(line) !== true));
    return own.size === 0 ? [] : [[file, own] as const];
  });
  return {
    functions: new Map([...one.functions].filter(([name]) => !other.functions.has(name))),
    files: new Map(files),
  };
}
