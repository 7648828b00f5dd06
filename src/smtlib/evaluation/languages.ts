/** Regular languages, told by which parts of a text they match. */

import type { Language } from './value.js';

const none: Language = { ends: () => new Set() };

const all: Language = { ends: (text, from) => new Set(positions(text, from)) };

const anyCharacter: Language = { ends: (text, from) => new Set(from < text.length ? [from + 1] : []) };

function* positions(text: string, from: number): Generator<number> {
  for (let at = from; at <= text.length; at++) yield at;
}

function filtered(language: (text: string, from: number, end: number) => boolean): Language {
  return {
    ends: (text, from) => new Set([...positions(text, from)].filter((end) => language(text, from, end))),
  };
}

export const languages = {
  none,
  all,
  anyCharacter,
  literal(word: string): Language {
    return {
      ends: (text, from) => new Set(text.startsWith(word, from) ? [from + word.length] : []),
    };
  },
  /** Nothing where an end is not one character. */
  range(low: string, high: string): Language {
    if (low.length !== 1 || high.length !== 1) return none;
    return {
      ends: (text, from) => {
        const one = text[from];
        return new Set(one !== undefined && low <= one && one <= high ? [from + 1] : []);
      },
    };
  },
  joined(parts: readonly Language[]): Language {
    return {
      ends: (text, from) => {
        let reached: ReadonlySet<number> = new Set([from]);
        for (const part of parts) reached = fromAll(part, text, reached);
        return reached;
      },
    };
  },
  union(parts: readonly Language[]): Language {
    return { ends: (text, from) => new Set(parts.flatMap((part) => [...part.ends(text, from)])) };
  },
  intersection(parts: readonly Language[]): Language {
    return filtered((text, from, end) => parts.every((part) => part.ends(text, from).has(end)));
  },
  complement(language: Language): Language {
    return filtered((text, from, end) => !language.ends(text, from).has(end));
  },
  repeated(language: Language, least: number, most = Number.POSITIVE_INFINITY): Language {
    if (least > most) return none;
    return {
      ends: (text, from) => {
        let reached: ReadonlySet<number> = new Set([from]);
        for (let times = 0; times < least; times++) reached = fromAll(language, text, reached);
        const ends = new Set(reached);
        // After as many times as there are characters nothing new can be reached.
        for (let times = least; times < most && reached.size > 0; times++) {
          reached = new Set([...fromAll(language, text, reached)].filter((end) => !ends.has(end)));
          for (const end of reached) ends.add(end);
        }
        return ends;
      },
    };
  },
} as const;

function fromAll(language: Language, text: string, starts: ReadonlySet<number>): ReadonlySet<number> {
  const reached = new Set<number>();
  for (const start of starts) for (const end of language.ends(text, start)) reached.add(end);
  return reached;
}

/** The shortest match that begins first. */
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
