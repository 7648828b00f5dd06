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
      if (first !== predicate.at && run.instructionOf(first).op === 'branch') decisions.push(first);
    }
    if (at !== predicate.at && run.instructionOf(at).op === 'branch' && !decisions.includes(at))
      decisions.push(at);
    const since = first;
    const conjuncts = [
      ...decisions.toSorted((a, b) => a - b).map((branch) => decisionText(run, branch, since)),
      expressionText(way(since)),
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

/** The opposite of the predicate, by what was known at a point. */
function wayOf(run: Replay, { at, uses, wanted }: Predicate): ((since: Instance) => Expression) | undefined {
  const [value = nowhere] = uses;
  if (wanted !== undefined)
    return (since) => ({
      kind: 'binary',
      operator: '==',
      left: expressionOf(run, value, since),
      right: { kind: 'number', value: wanted },
    });
  if (run.instructionOf(at).op !== 'branch') return undefined;
  const isTrue = run.valueOf(value) === 1n;
  return (since) => {
    const condition = expressionOf(run, value, since);
    return isTrue ? opposite(condition) : condition;
  };
}

function decisionText(run: Replay, branch: Instance, since: Instance): string {
  const [value = nowhere] = run.operandsOf(branch);
  const condition: Expression =
    value > nowhere ? expressionOf(run, value, since) : { kind: 'number', value: 1n };
  return expressionText(run.valueOf(value) === 1n ? condition : opposite(condition));
}

function isSame(
  left: { readonly file: string; readonly line: number } | undefined,
  right: { readonly file: string; readonly line: number } | undefined,
): boolean {
  return left?.file === right?.file && left?.line === right?.line;
}
