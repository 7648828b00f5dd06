/** The condition before each statement under which the failure would not occur: Fig. 7 of AFTER. */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';
import { type Expression, expressionOf, expressionText, opposite } from './c-expression.js';
import type { CauseLines } from './cause-lines.js';
import type { Predicate } from './predicate.js';

export interface Precondition {
  readonly file: string;
  readonly line: number;
  /** In C, over the variables right before that line. */
  readonly condition: string;
  /** Could hold for some values of the variables. */
  readonly isPossible: boolean;
}

/** Limits for a readable result. */
const maxSteps = 24;
const maxLength = 300;
const maxDistance = 20_000;

/**
 * Walks from the predicate back to the statement before which it could still hold. Returns nothing if a step is too
 * long.
 *
 * @param oldest the first of the forcing statements
 */
export function weakestPreconditions(
  run: Replay,
  predicate: Predicate,
  lines: CauseLines,
  oldest: Instance,
): readonly Precondition[] {
  const [value = nowhere] = predicate.uses;
  const conditionsAt = negatedPredicate(run, predicate);
  if (value <= nowhere || conditionsAt === undefined) return [];
  const decisions: Instance[] = [];
  const steps: Precondition[] = [];
  for (let at = predicate.at; at > nowhere && at > predicate.at - maxDistance; ) {
    const place = lines.placeOf(at);
    // Go back to the first instance of the statement.
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
      ...decisions.toSorted((a, b) => a - b).flatMap((decision) => decisionTexts(run, decision, since)),
      ...conditionsAt(since),
    ];
    const condition = [...new Set(conjuncts)].join(' && ');
    if (condition.length > maxLength) return [];
    if (place !== undefined && condition !== steps.at(-1)?.condition) {
      const isPossible = since > oldest;
      steps.push({ ...place, condition, isPossible });
      if (!isPossible) return steps;
      if (steps.length >= maxSteps) return [];
    }
    at = first - 1;
  }
  return [];
}

/** A conjunction of conditions over the variables at a point. */
type ConditionsAt = (since: Instance) => readonly string[];

function negatedPredicate(run: Replay, { at, uses, wanted }: Predicate): ConditionsAt | undefined {
  const [value = nowhere] = uses;
  if (wanted !== undefined) return (since) => [comparisonText(run, value, since, '==', wanted)];
  const instruction = run.instructionOf(at);
  if (instruction.op === 'switch') return (since) => switchTexts(run, at, instruction, since, false);
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

/** The condition that the decision went as it did. */
function decisionTexts(run: Replay, decision: Instance, since: Instance): readonly string[] {
  const instruction = run.instructionOf(decision);
  if (instruction.op === 'switch') return switchTexts(run, decision, instruction, since, true);
  const [value = nowhere] = run.operandsOf(decision);
  const condition: Expression =
    value > nowhere ? expressionOf(run, value, since) : { kind: 'number', value: 1n };
  return [expressionText(run.valueOf(value) === 1n ? condition : opposite(condition))];
}

type Executed = ReturnType<Replay['instructionOf']>;
type Switch = Extract<Executed, { readonly op: 'switch' }>;

/** The condition that a switch goes to the branch it took, or that it does not. */
function switchTexts(
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
  // Values without a case go to the fallback, as do cases that lead there.
  const isFallback = taken === fallback;
  const relevant = constants.filter(({ target }) => (target === taken) !== isFallback);
  const operator = isTaken === isFallback ? '!=' : '==';
  const texts = relevant.map(({ constant }) => comparisonText(run, value, since, operator, constant));
  return operator === '!=' || texts.length < 2 ? texts : [`(${texts.join(' || ')})`];
}

function comparisonText(
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
