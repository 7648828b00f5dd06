/** Determines the needed sources of a program: those with called functions, and their dependencies. */

import type { Objects } from './objects.js';

export class KnownSources {
  readonly #names = new Set<string>();
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

  without(needed: ReadonlySet<string>): readonly string[] {
    return [...this.#names].filter((name) => !needed.has(name)).toSorted();
  }

  definerOf(symbol: string): string | undefined {
    return this.#definers.get(symbol);
  }
}

/**
 * The sources that these calls need. A source is needed if one of its own functions is called, or would replace
 * another source's copy. Tables, variables and called functions that these refer to must be present as well. Template
 * instances do not count, because every source has its own copy.
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
  const standingBack = new Set(sources.flatMap(overriddenIn(isFunction)));
  const isWanted = (number: number): boolean => isCalled(number) || standingBack.has(number);
  const needed = new Set(sources.filter(({ own }) => own.some(isWanted)));
  const defined = new Set<number>();
  // Iterating over a Set also visits elements added meanwhile.
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

/** Functions that a source defines weakly and another source defines as its own. */
function overriddenIn(isFunction: ReadonlySet<number>) {
  return ({ own, defines }: Objects['sources'][number]): readonly number[] => {
    const itsOwn = new Set(own);
    return defines.filter((number) => isFunction.has(number) && !itsOwn.has(number));
  };
}
