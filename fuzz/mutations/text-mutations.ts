/** Mutations of any text. Texts are bytes, one character each, from 0 to 255. */

import type { Random } from '../../src/machine/index.js';
import { hostileWords, hugeNumbers } from './hostile-words.js';

/**
 * Returns a changed text.
 *
 * @param others other inputs of the same kind, at least one
 */
export type Mutation = (text: string, random: Random, others: readonly string[]) => string;

/** Larger texts are cut. Benchmarks measure large inputs. */
export const largest = 200_000;

const oddBytes = [
  '\0',
  '\x01',
  '\t',
  '\n',
  '\r',
  '\x1b',
  '"',
  '(',
  ')',
  '\\',
  '\x7f',
  '\x80',
  '\xc3',
  '\xf4',
  '\xff',
];

interface Range {
  readonly from: number;
  readonly to: number;
}

function rangeIn(text: string, random: Random, most = text.length): Range {
  const from = random.below(text.length + 1);
  return { from, to: Math.min(text.length, from + random.below(Math.max(1, most) + 1)) };
}

const replaced = (text: string, { from, to }: Range, by: string): string =>
  text.slice(0, from) + by + text.slice(to);

/** Words, numbers, spaces and single punctuation characters. */
const tokens = /[\w.+-]+|\s+|[^\w\s]/g;

/** A random token as a range; the beginning if there is none. */
function tokenIn(text: string, random: Random, pattern = tokens): Range {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return { from: 0, to: 0 };
  const { index, 0: token } = random.pick(found);
  return { from: index, to: index + token.length };
}

const closing: Readonly<Record<string, string>> = Object.freeze({ '(': ')', '[': ']', '{': '}' });

/** Every range from a bracket to its closing bracket. */
function bracketed(text: string): readonly Range[] {
  const open: { readonly at: number; readonly close: string }[] = [];
  const ranges: Range[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (Object.hasOwn(closing, letter)) open.push({ at, close: closing[letter] as string });
    else if (open.at(-1)?.close === letter) ranges.push({ from: open.pop()?.at ?? 0, to: at + 1 });
  }
  return ranges;
}

function subtree(text: string, random: Random): Range {
  const ranges = bracketed(text);
  return ranges.length === 0 ? tokenIn(text, random) : random.pick(ranges);
}

const sliceOf = (text: string, { from, to }: Range): string => text.slice(from, to);

/**
 * Mostly small, because large inputs take long and small ones find most faults.
 *
 * @param length length of the repeated text
 */
function repetitions(random: Random, length: number): number {
  const times = random.chance(0.9) ? random.between(2, 40) : random.pick([200, 1000, 5000, 20_000]);
  return Math.min(times, Math.ceil(largest / Math.max(1, length)));
}

function lines(text: string): string[] {
  return text.split('\n');
}

export const textMutations = {
  'flip a bit': (text, random) => {
    const at = random.below(Math.max(1, text.length));
    return replaced(
      text,
      { from: at, to: at + 1 },
      String.fromCharCode((text.charCodeAt(at) || 0) ^ (1 << random.below(8))),
    );
  },
  'put in an odd byte': (text, random) => {
    const at = random.below(text.length + 1);
    return replaced(text, { from: at, to: at }, random.pick(oddBytes));
  },
  'take a piece out': (text, random) =>
    replaced(text, rangeIn(text, random, random.pick([1, 8, text.length])), ''),
  'cut the end off': (text, random) => text.slice(0, random.below(text.length + 1)),
  'cut the beginning off': (text, random) => text.slice(random.below(text.length + 1)),
  'repeat a piece': (text, random) => {
    const range = rangeIn(text, random, 200);
    return replaced(text, range, sliceOf(text, range).repeat(repetitions(random, range.to - range.from)));
  },
  'splice with another': (text, random, others) => {
    const other = random.pick(others);
    return text.slice(0, random.below(text.length + 1)) + other.slice(random.below(other.length + 1));
  },
  'replace a word by a hostile one': (text, random) =>
    replaced(text, tokenIn(text, random), random.pick(hostileWords)),
  'put in a hostile word': (text, random) => {
    const { from } = tokenIn(text, random);
    return replaced(text, { from, to: from }, `${random.pick(hostileWords)} `);
  },
  'replace a word by one of another': (text, random, others) => {
    const other = random.pick(others);
    return replaced(text, tokenIn(text, random), sliceOf(other, tokenIn(other, random)));
  },
  'swap two words': (text, random) => {
    const [first, second] = [tokenIn(text, random), tokenIn(text, random)].toSorted(
      (a, b) => a.from - b.from,
    ) as [Range, Range];
    if (first.to > second.from) return text;
    return (
      text.slice(0, first.from) +
      sliceOf(text, second) +
      text.slice(first.to, second.from) +
      sliceOf(text, first) +
      text.slice(second.to)
    );
  },
  'replace a number': (text, random) =>
    replaced(text, tokenIn(text, random, /-?\d[\d.e+-]*/gi), random.pick(hugeNumbers)),
  'take out what brackets hold': (text, random) => replaced(text, subtree(text, random), ''),
  'repeat what brackets hold': (text, random) => {
    const range = subtree(text, random);
    return replaced(
      text,
      range,
      `${sliceOf(text, range)} `.repeat(repetitions(random, range.to - range.from)),
    );
  },
  'swap what brackets hold': (text, random, others) => {
    const other = random.chance(0.5) ? text : random.pick(others);
    return replaced(text, subtree(text, random), sliceOf(other, subtree(other, random)));
  },
  'nest what brackets hold': (text, random) => {
    const range = subtree(text, random);
    const held = sliceOf(text, range);
    const inner = subtree(held.slice(1, -1), random);
    // Repeats the text around an inner part, so that operators keep their operands and brackets match.
    const before = held.slice(0, inner.from + 1);
    const after = held.slice(inner.to + 1);
    const times = repetitions(random, before.length + after.length);
    return replaced(text, range, before.repeat(times) + held + after.repeat(times));
  },
  'open many brackets': (text, random) => {
    const at = random.below(text.length + 1);
    const [open, close] = random.pick(['()', '[]', '{}', '<>', '((', '))', '{{', '""']) as unknown as [
      string,
      string,
    ];
    const times = repetitions(random, 2);
    const end = random.chance(0.5) ? at : random.between(at, text.length);
    return (
      text.slice(0, at) + open.repeat(times) + text.slice(at, end) + close.repeat(times) + text.slice(end)
    );
  },
  'swap two lines': (text, random) => {
    const all = lines(text);
    const [a, b] = [random.below(all.length), random.below(all.length)];
    [all[a], all[b]] = [all[b] as string, all[a] as string];
    return all.join('\n');
  },
  'repeat a line': (text, random) => {
    const all = lines(text);
    const at = random.below(all.length);
    const line = all[at] as string;
    all.splice(at, 0, ...Array.from({ length: repetitions(random, line.length) }, () => line));
    return all.join('\n');
  },
  'take a line out': (text, random) => {
    const all = lines(text);
    all.splice(random.below(all.length), 1);
    return all.join('\n');
  },
  'put in a line of another': (text, random, others) => {
    const all = lines(text);
    all.splice(random.below(all.length + 1), 0, random.pick(lines(random.pick(others))));
    return all.join('\n');
  },
  'other line ends': (text, random) =>
    text.replaceAll('\n', random.pick(['\r\n', '\r', '\n\n', '\\\n', '\u0085', ''])),
} as const satisfies Readonly<Record<string, Mutation>>;
