/** What would have had to hold before each statement for a failure not to be: Fig. 7 of AFTER. */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';
import { type Expression, expressionOf, expressionText, opposite } from './c-expression.js';
import type { CauseLines } from './cause-lines.js';
import type { Predicate } from './predicate.js';

export interface Precondition {
  readonly file: string;
  readonly line: number;
  /** In C, over what variables hold right before that line. */
  readonly condition: string;
  /** Whether it could hold, whatever they held. */
  readonly isPossible: boolean;
}

/** Nobody reads more. */
const mostSteps = 24;
const longest = 300;
const farthest = 20_000;

/**
 * From the predicate back to where it cannot hold any more; none where a step is too long to be read.
 *
 * @param oldest the first of the statements that force it: before that it could hold
 */
export function weakestPreconditions(
  run: Replay,
  predicate: Predicate,
  lines: CauseLines,
  oldest: Instance,
): readonly Precondition[] {
  const [value = nowhere] = predicate.uses;
  const way = wayOf(run, predicate);
  if (value <= nowhere || way === undefined) return [];
  const decisions: Instance[] = [];
  const steps: Precondition[] = [];
  for (let at = predicate.at; at > nowhere && at > predicate.at - farthest; ) {
    const place = lines.placeOf(at);
    // The statement from its first instruction on.
    let first = at;
    while (
      first - 1 > nowhere &&
      run.frameOf(first - 1) === run.frameOf(at) &&
      isSame(lines.placeOf(first - 1), place)
    ) {
      first--;
      if (first !== predicate.at && isDecision(run, first)) decisions.push(first);
    }
    if (at !== predicate.at && isDecision(run, at) && !decisions.includes(at)) decisions.push(at);
    const since = first;
    const conjuncts = [
      ...decisions.toSorted((a, b) => a - b).flatMap((decision) => decidedTexts(run, decision, since)),
      ...way(since),
    ];
    const condition = [...new Set(conjuncts)].join(' && ');
    if (condition.length > longest) return [];
    if (place !== undefined && condition !== steps.at(-1)?.condition) {
      const isPossible = since > oldest;
      steps.push({ ...place, condition, isPossible });
      if (!isPossible) return steps;
      if (steps.length >= mostSteps) return [];
    }
    at = first - 1;
  }
  return [];
}

/** Conditions all of which hold, by what was known at a point. */
type Way = (since: Instance) => readonly string[];

/** The opposite of the predicate. */
function wayOf(run: Replay, { at, uses, wanted }: Predicate): Way | undefined {
  const [value = nowhere] = uses;
  if (wanted !== undefined) return (since) => [beingText(run, value, since, '==', wanted)];
  const instruction = run.instructionOf(at);
  if (instruction.op === 'switch') return (since) => chosenTexts(run, at, instruction, since, false);
  if (instruction.op !== 'branch') return undefined;
  const isTrue = run.valueOf(value) === 1n;
  return (since) => {
    const condition = expressionOf(run, value, since);
    return [expressionText(isTrue ? opposite(condition) : condition)];
  };
}

function isDecision(run: Replay, at: Instance): boolean {
  const { op } = run.instructionOf(at);
  return op === 'branch' || op === 'switch';
}

/** That it went the way it did. */
function decidedTexts(run: Replay, decision: Instance, since: Instance): readonly string[] {
  const instruction = run.instructionOf(decision);
  if (instruction.op === 'switch') return chosenTexts(run, decision, instruction, since, true);
  const [value = nowhere] = run.operandsOf(decision);
  const condition: Expression =
    value > nowhere ? expressionOf(run, value, since) : { kind: 'number', value: 1n };
  return [expressionText(run.valueOf(value) === 1n ? condition : opposite(condition))];
}

type Executed = ReturnType<Replay['instructionOf']>;
type Switch = Extract<Executed, { readonly op: 'switch' }>;

/** That a switch goes to where it went, or that it does not. */
function chosenTexts(
  run: Replay,
  at: Instance,
  { cases, fallback }: Switch,
  since: Instance,
  isTaken: boolean,
): readonly string[] {
  const [value = nowhere] = run.operandsOf(at);
  const bits = run.equations.bitsOf(value);
  if (value <= nowhere || bits === undefined) return [];
  const constants = cases.flatMap(({ value: constant, target }) =>
    constant.kind === 'integer'
      ? [{ constant: BigInt.asIntN(Math.max(2, bits), constant.value), target }]
      : [],
  );
  const seen = BigInt.asIntN(Math.max(2, bits), run.valueOf(value) ?? 0n);
  const taken = constants.find(({ constant }) => constant === seen)?.target ?? fallback;
  // Where nothing fits it goes to the fallback, and so do cases that are left to it.
  const isFallback = taken === fallback;
  const told = constants.filter(({ target }) => (target === taken) !== isFallback);
  const operator = isTaken === isFallback ? '!=' : '==';
  const texts = told.map(({ constant }) => beingText(run, value, since, operator, constant));
  return operator === '!=' || texts.length < 2 ? texts : [`(${texts.join(' || ')})`];
}

function beingText(
  run: Replay,
  value: Instance,
  since: Instance,
  operator: '==' | '!=',
  number: bigint,
): string {
  const left = expressionOf(run, value, since);
  return expressionText({ kind: 'binary', operator, left, right: { kind: 'number', value: number } });
}

function isSame(
  left: { readonly file: string; readonly line: number } | undefined,
  right: { readonly file: string; readonly line: number } | undefined,
): boolean {
  return left?.file === right?.file && left?.line === right?.line;
}
