/** The first predicate of an explanation: what would have had to hold for the failure not to be (ρ of Algorithm 1). */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';
import type { FailurePoint } from './failure-point.js';
import { being, decisionAt, differing, type Predicate } from './predicate.js';

/** Functions whose being called is the failure, whatever they are given. */
const givesUp: ReadonlySet<string> = new Set(['abort', '__assert_fail', '__assert', '__assert_rtn']);

/** Undefined for what happens in any case. */
export function failurePredicate(run: Replay, failure: FailurePoint): Predicate | undefined {
  return (failure.isStuck ? undefined : ofValues(run, failure)) ?? decisionOver(run, failure.at);
}

/** The closest decision that could have gone otherwise, and without which it would not be executed. */
function decisionOver(run: Replay, instance: Instance): Predicate | undefined {
  for (let at = run.controllerOf(instance); at > nowhere; at = run.controllerOf(at)) {
    const decision = decisionAt(run, at);
    if (decision !== undefined) return decision;
  }
  return undefined;
}

function ofValues(run: Replay, { at, words, expected }: FailurePoint): Predicate | undefined {
  const { op } = run.instructionOf(at);
  const operands = run.operandsOf(at);
  if (op === 'ret') {
    const [value = nowhere] = operands;
    const number = numberIn(expected?.[1]);
    return number === undefined ? differing(run, at, [value]) : being(run, at, value, number);
  }
  const name = run.calledOutside(at);
  if (name === undefined) return differing(run, at, op === 'store' ? operands.slice(1) : operands);
  if (givesUp.has(name)) return undefined;
  const given = words.slice(1);
  // Where the old version does not show anything like it, all of it is too much.
  if (expected !== undefined && (expected[0] !== name || expected.length !== words.length)) return undefined;
  const others = given.flatMap((word, place) =>
    expected === undefined || word !== expected[place + 1] ? [place] : [],
  );
  const [first] = others;
  if (first === undefined) return undefined;
  const shown = run.shownBy(at);
  const definitionOf = (place: number): Instance =>
    operands[(shown[place]?.argument ?? place) + 1] ?? nowhere;
  const definition = definitionOf(first);
  const number = numberIn(expected?.[first + 1]);
  if (number !== undefined && numberIn(given[first]) !== undefined)
    return being(run, at, definition, number) ?? differing(run, at, [definition]);
  const address = shown[first]?.value;
  const writer = writerOfFirstOther(run, at, address, given[first] ?? '', expected?.[first + 1] ?? '');
  return differing(run, at, writer === undefined ? others.map(definitionOf) : [writer]);
}

/** Who has written the first letter of a text that is another one than it should be. */
function writerOfFirstOther(
  run: Replay,
  at: Instance,
  address: number | undefined,
  seen: string,
  expected: string,
): Instance | undefined {
  const [text, other] = [textIn(seen), textIn(expected)];
  if (text === undefined || other === undefined || address === undefined) return undefined;
  let same = 0;
  while (same < text.length && text[same] === other[same]) same++;
  const place = address + same;
  const piece = run
    .originsOf(at)
    .writers.find(({ address: from, length }) => from <= place && place < from + length);
  return piece === undefined || piece.writer <= nowhere ? undefined : piece.writer;
}

function numberIn(word: string | undefined): bigint | undefined {
  return word !== undefined && /^\d+$/.test(word) ? BigInt(word) : undefined;
}

function textIn(word: string): string | undefined {
  if (!word.startsWith('"')) return undefined;
  const text: unknown = JSON.parse(word);
  return typeof text === 'string' ? text : undefined;
}
