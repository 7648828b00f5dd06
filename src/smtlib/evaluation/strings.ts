import { firstMatch, languages } from './languages.js';
import {
  isChain,
  isLanguage,
  type Language,
  type Operation,
  onIntegers,
  onLanguages,
  onStrings,
  type Value,
} from './value.js';

/** Matching takes several passes over a text, so longer texts are not evaluated. */
const maxMatchedLength = 60;

const maxRepetitions = 200;

const isBound = (bound: number): boolean => Number.isInteger(bound) && bound >= 0 && bound <= maxRepetitions;

const largestCharacter = 0x2ffff;

const isText = (value: Value | undefined): value is string => typeof value === 'string';
const isInteger = (value: Value | undefined): value is bigint => typeof value === 'bigint';

/** Only forms with these numbers of indices; forms whose bounds are terms are not evaluated. */
const repetition =
  (
    indexCounts: readonly number[],
    bounds: (indices: readonly number[]) => readonly [least: number, most?: number | undefined],
  ): Operation =>
  (args, indices) => {
    const [language] = args;
    if (args.length !== 1 || !isLanguage(language)) return undefined;
    if (!indexCounts.includes(indices.length) || !indices.every(isBound)) return undefined;
    return languages.repeated(language, ...bounds(indices));
  };

const onMatch =
  (operate: (subject: string, language: Language, replacement: string) => Value): Operation =>
  ([subject, language, replacement = '']) =>
    isText(subject) && subject.length <= maxMatchedLength && isLanguage(language) && isText(replacement)
      ? operate(subject, language, replacement)
      : undefined;

function substring(subject: string, from: bigint, length: bigint): string {
  if (from < 0n || from >= subject.length || length <= 0n) return '';
  const end = from + length;
  return subject.slice(Number(from), end > subject.length ? subject.length : Number(end));
}

function replaceAllMatches(subject: string, language: Language, replacement: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const match = firstMatch(language, subject, from, 1);
    if (match === undefined) return [...parts, subject.slice(from)].join('');
    parts.push(subject.slice(from, match.start), replacement);
    from = match.end;
  }
}

export const strings: Readonly<Record<string, Operation>> = {
  'str.++': onStrings((...all) => all.join('')),
  'str.len': onStrings((subject) => BigInt(subject.length)),
  'str.<': onStrings((...all) => isChain(all, (a, b) => a < b)),
  'str.<=': onStrings((...all) => isChain(all, (a, b) => a <= b)),
  'str.at': ([subject, at]) => (isText(subject) && isInteger(at) ? substring(subject, at, 1n) : undefined),
  'str.substr': ([subject, from, length]) =>
    isText(subject) && isInteger(from) && isInteger(length) ? substring(subject, from, length) : undefined,
  'str.prefixof': onStrings((start, subject) => subject.startsWith(start)),
  'str.suffixof': onStrings((end, subject) => subject.endsWith(end)),
  'str.contains': onStrings((subject, inner) => subject.includes(inner)),
  'str.indexof': ([subject, inner, from = 0n]) => {
    if (!isText(subject) || !isText(inner) || !isInteger(from)) return undefined;
    return from < 0n || from > subject.length ? -1n : BigInt(subject.indexOf(inner, Number(from)));
  },
  'str.replace': onStrings((subject, inner, by) => subject.replace(inner, () => by)),
  'str.replace_all': onStrings((subject, inner, by) =>
    inner === '' ? subject : subject.replaceAll(inner, () => by),
  ),
  'str.replace_re': onMatch((subject, language, replacement) => {
    const match = firstMatch(language, subject, 0, 0);
    if (match === undefined) return subject;
    return subject.slice(0, match.start) + replacement + subject.slice(match.end);
  }),
  'str.replace_re_all': onMatch(replaceAllMatches),
  'str.is_digit': onStrings((character) => /^[0-9]$/.test(character)),
  'str.to_code': onStrings((character) => (character.length === 1 ? BigInt(character.charCodeAt(0)) : -1n)),
  'str.from_code': onIntegers((code) => {
    if (code < 0n || code > largestCharacter) return '';
    // Such a character has two code units and would count twice.
    return code > 0xffffn ? undefined : String.fromCharCode(Number(code));
  }),
  'str.to_int': onStrings((digits) => (/^[0-9]+$/.test(digits) ? BigInt(digits) : -1n)),
  'str.from_int': onIntegers((value) => (value < 0n ? '' : String(value))),
  'str.in_re': onMatch((subject, language) => language.ends(subject, 0).has(subject.length)),
  'str.to_re': onStrings((word) => languages.literal(word)),
  're.none': () => languages.none,
  're.all': () => languages.all,
  're.allchar': () => languages.anyCharacter,
  're.++': onLanguages((...parts) => languages.joined(parts)),
  're.union': onLanguages((...parts) => languages.union(parts)),
  're.inter': onLanguages((...parts) => languages.intersection(parts)),
  're.*': repetition([0], () => [0]),
  're.+': repetition([0], () => [1]),
  're.opt': repetition([0], () => [0, 1]),
  're.comp': onLanguages((language) => languages.complement(language)),
  're.diff': onLanguages((first, ...others) =>
    languages.intersection([first, ...others.map(languages.complement)]),
  ),
  're.range': onStrings((low, high) => languages.range(low, high)),
  're.^': repetition([1], ([times = 0]) => [times, times]),
  're.loop': repetition([1, 2], ([least = 0, most]) => [least, most]),
};
