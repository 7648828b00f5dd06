/** Pairs the lines of two versions of a file. */

import { diffSequences } from '../../change/index.js';

interface Lines {
  /** Undefined if not available. */
  readonly text: readonly string[] | undefined;
  /** Executable lines. */
  readonly numbers: ReadonlySet<number>;
}

interface PairedLines {
  /** In order; 0 on the side without such a line. */
  readonly pairs: readonly (readonly [number, number])[];
  readonly hasText: boolean;
}

/** Pairs lines by text if every side with the file has its text, otherwise by number. */
export function pairedLines(before: Lines, after: Lines): PairedLines {
  const sides = [before, after].filter(({ numbers }) => numbers.size > 0);
  const hasText = sides.length > 0 && sides.every(({ text }) => text !== undefined);
  if (!hasText) return { pairs: byNumber(before.numbers, after.numbers), hasText };
  const textOf = ({ text, numbers }: Lines): readonly string[] =>
    numbers.size === 0 ? [] : withoutLastEnd(text ?? []);
  const [a, b] = [textOf(before), textOf(after)];
  return {
    pairs: [...byText(a, b), ...beyondText(before.numbers, a), ...beyondText(after.numbers, b).map(swapped)],
    hasText,
  };
}

function byText(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  let [one, other] = [0, 0];
  const end = { aFrom: a.length, aTo: a.length, bFrom: b.length, bTo: b.length };
  for (const { aFrom, aTo, bFrom, bTo } of [...diffSequences(a, b), end]) {
    while (one < aFrom && other < bFrom) pairs.push([++one, ++other]);
    while (one < aTo) pairs.push([++one, 0]);
    while (other < bTo) pairs.push([0, ++other]);
  }
  return pairs;
}

function byNumber(a: ReadonlySet<number>, b: ReadonlySet<number>): readonly (readonly [number, number])[] {
  const all = [...new Set([...a, ...b])].toSorted((one, other) => one - other);
  return all.map((line) => [a.size === 0 ? 0 : line, b.size === 0 ? 0 : line]);
}

/** Lines that the compiler counted but that the text no longer has. */
function beyondText(
  numbers: ReadonlySet<number>,
  text: readonly string[],
): readonly (readonly [number, number])[] {
  const beyond = [...numbers].filter((line) => line > text.length).toSorted((one, other) => one - other);
  return beyond.map((line) => [line, 0]);
}

function swapped([one, other]: readonly [number, number]): readonly [number, number] {
  return [other, one];
}

/** Drops the empty line after a final newline. */
function withoutLastEnd(text: readonly string[]): readonly string[] {
  return text.at(-1) === '' ? text.slice(0, -1) : text;
}
