/** Regular languages, represented by the parts of a text that they match. */

import type { Language } from './value.js';

/** Caches the matches in the last text by start position; callers ask about one text many times. */
function cachedLanguage(find: (text: string, from: number) => Iterable<number>): Language {
  let last: string | undefined;
  const endsByStart = new Map<number, ReadonlySet<number>>();
  return {
    ends(text, from) {
      if (text !== last) endsByStart.clear();
      last = text;
      let ends = endsByStart.get(from);
      if (ends === undefined) {
        ends = new Set(find(text, from));
        endsByStart.set(from, ends);
      }
      return ends;
    },
  };
}

const none = cachedLanguage(() => []);

function* positions(text: string, from: number): Generator<number> {
  for (let at = from; at <= text.length; at++) yield at;
}

export const languages = {
  none,
  all: cachedLanguage(positions),
  anyCharacter: cachedLanguage((text, from) => (from < text.length ? [from + 1] : [])),
  literal(word: string): Language {
    return cachedLanguage((text, from) => (text.startsWith(word, from) ? [from + word.length] : []));
  },
  /** Empty if an end is not a single character. */
  range(low: string, high: string): Language {
    if (low.length !== 1 || high.length !== 1) return none;
    return cachedLanguage((text, from) => {
      const character = text[from];
      return character !== undefined && low <= character && character <= high ? [from + 1] : [];
    });
  },
  joined(parts: readonly Language[]): Language {
    return cachedLanguage((text, from) => {
      let reached: ReadonlySet<number> = new Set([from]);
      for (const part of parts) reached = endsFromAll(part, text, reached);
      return reached;
    });
  },
  union(parts: readonly Language[]): Language {
    return cachedLanguage((text, from) => parts.flatMap((part) => [...part.ends(text, from)]));
  },
  intersection(parts: readonly Language[]): Language {
    return cachedLanguage((text, from) =>
      [...positions(text, from)].filter((end) => parts.every((part) => part.ends(text, from).has(end))),
    );
  },
  complement(language: Language): Language {
    return cachedLanguage((text, from) =>
      [...positions(text, from)].filter((end) => !language.ends(text, from).has(end)),
    );
  },
  repeated(language: Language, least: number, most = Number.POSITIVE_INFINITY): Language {
    if (least > most) return none;
    return cachedLanguage((text, from) => {
      let reached: ReadonlySet<number> = new Set([from]);
      for (let times = 0; times < least && reached.size > 0; times++) {
        const further = endsFromAll(language, text, reached);
        if (isSame(further, reached)) break;
        reached = further;
      }
      const ends = new Set(reached);
      // Only new positions can lead to further new ones.
      for (let times = least; times < most && reached.size > 0; times++) {
        reached = new Set([...endsFromAll(language, text, reached)].filter((end) => !ends.has(end)));
        for (const end of reached) ends.add(end);
      }
      return ends;
    });
  },
} as const;

function isSame(some: ReadonlySet<number>, others: ReadonlySet<number>): boolean {
  return some.size === others.size && [...some].every((end) => others.has(end));
}

function endsFromAll(language: Language, text: string, starts: ReadonlySet<number>): ReadonlySet<number> {
  const reached = new Set<number>();
  for (const start of starts) for (const end of language.ends(text, start)) reached.add(end);
  return reached;
}

/** The leftmost match; of several, the shortest. */
export function firstMatch(
  language: Language,
  text: string,
  from: number,
  least: number,
): { readonly start: number; readonly end: number } | undefined {
  for (const start of positions(text, from)) {
    const ends = [...language.ends(text, start)].filter((end) => end - start >= least);
    if (ends.length > 0) return { start, end: Math.min(...ends) };
  }
  return undefined;
}
