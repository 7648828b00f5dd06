/** Which sources of a program are needed for what it is used for: those whose functions are called, and what these rest on. */

import type { Objects } from './objects.js';

/** What is known of the sources of a program from all commits that were built whole. */
export class KnownSources {
  readonly #names = new Set<string>();
  /** By symbols: a source that defines each. */
  readonly #definers = new Map<string, string>();

  get count(): number {
    return this.#names.size;
  }

  add({ symbols, sources }: Objects): void {
    for (const { name, defines } of sources) {
      this.#names.add(name);
      for (const number of defines) this.#definers.set(symbols[number] ?? '', name);
    }
  }

  /** All of them without some, in order. */
  without(needed: ReadonlySet<string>): readonly string[] {
    return [...this.#names].filter((name) => !needed.has(name)).toSorted();
  }

  definerOf(symbol: string): string | undefined {
    return this.#definers.get(symbol);
  }
}

/**
 * The sources without which these calls could not be made. A source is needed if a function of its own is called, or would be
 * instead of another one's that stands back for it. Of what those refer to and do not define, tables and variables must be
 * there, too, and functions that are called; a template that every source makes for itself is called in many and needs none
 * of them.
 */
export function neededSources(
  { symbols, functions, sources }: Objects,
  called: ReadonlySet<string>,
): ReadonlySet<string> {
  const isFunction = new Set(functions);
  const isCalled = (number: number): boolean => called.has(symbols[number] ?? '');
  const definer = new Map<number, (typeof sources)[number]>();
  for (const source of sources)
    for (const number of source.defines) if (!definer.has(number)) definer.set(number, source);
  const standingBack = new Set(sources.flatMap(standingBackIn(isFunction)));
  const isWanted = (number: number): boolean => isCalled(number) || standingBack.has(number);
  const needed = new Set(sources.filter(({ own }) => own.some(isWanted)));
  const defined = new Set<number>();
  // A set that grows while it is gone through gives what was added, too.
  for (const source of needed) for (const number of source.defines) defined.add(number);
  for (const source of needed) {
    for (const number of source.needs) {
      if (defined.has(number)) continue;
      const missing = definer.get(number);
      if (missing === undefined || needed.has(missing)) continue;
      if (isFunction.has(number) && !isCalled(number)) continue;
      needed.add(missing);
      for (const own of missing.defines) defined.add(own);
    }
  }
  return new Set([...needed].map(({ name }) => name));
}

/** Functions of a source that are not called where another source has them, too, and as its own. */
function standingBackIn(isFunction: ReadonlySet<number>) {
  return ({ own, defines }: Objects['sources'][number]): readonly number[] => {
    const itsOwn = new Set(own);
    return defines.filter((number) => isFunction.has(number) && !itsOwn.has(number));
  };
}
