/**
 * The first predicate of an explanation: the condition under which the failure would not occur (ρ of Algorithm 1).
 */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';
import type { FailurePoint } from './failure-point.js';
import { decisionAt, type Predicate, valueEquals, valuesDiffer } from './predicate.js';

/** Functions of which a call is a failure, whatever the arguments. */
const abortFunctions: ReadonlySet<string> = new Set(['abort', '__assert_fail', '__assert', '__assert_rtn']);

/** Undefined for an instance that is always executed. */
export function failurePredicate(run: Replay, failure: FailurePoint): Predicate | undefined {
  return (failure.isStuck ? undefined : valuePredicate(run, failure)) ?? decisionOver(run, failure.at);
}

/** The closest decision that could have prevented the instance. */
function decisionOver(run: Replay, instance: Instance): Predicate | undefined {
  for (let at = run.controllerOf(instance); at > nowhere; at = run.controllerOf(at)) {
    const decision = decisionAt(run, at);
    if (decision !== undefined) return decision;
  }
  return undefined;
}

function valuePredicate(run: Replay, { at, words, expected }: FailurePoint): Predicate | undefined {
  const { op } = run.instructionOf(at);
  const operands = run.operandsOf(at);
  if (op === 'ret') {
    const [value = nowhere] = operands;
    const number = numberIn(expected?.[1]);
    return number === undefined ? valuesDiffer(run, at, [value]) : valueEquals(run, at, value, number);
  }
  const name = run.calledOutside(at);
  if (name === undefined) return valuesDiffer(run, at, op === 'store' ? operands.slice(1) : operands);
  if (abortFunctions.has(name)) return undefined;
  const given = words.slice(1);
  // If the old version has no such output, the whole output is wrong, not an argument.
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
    return valueEquals(run, at, definition, number) ?? valuesDiffer(run, at, [definition]);
  const address = shown[first]?.value;
  const writer = writerOfFirstDifference(run, at, address, given[first] ?? '', expected?.[first + 1] ?? '');
  return valuesDiffer(run, at, writer === undefined ? others.map(definitionOf) : [writer]);
}

/** The writer of the first differing character of a text. */
function writerOfFirstDifference(
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
