/** Decisions that could have kept statements from being executed, or from seeing what they saw (Algorithm 3 of AFTER). */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';
import type { IndirectInfluence } from './indirect-influence.js';

/** A decision, and what it decides on. */
export interface Decision {
  readonly at: Instance;
  readonly decides: Instance;
  /** Direct: whether that is executed. Else: whether what it reads was assigned once more. */
  readonly isDirect: boolean;
}

/** The closest branch or call that each of them depends on. */
export function* directDecisions(run: Replay, instances: readonly Instance[]): Generator<Decision> {
  let [last, frame, at] = [nowhere, -1, nowhere];
  for (const instance of instances.toSorted((a, b) => a - b)) {
    // What follows in the same block was decided by the same.
    const isNext = instance === last + 1 && run.frameOf(instance) === frame && !isJump(run, last);
    if (!isNext) at = run.controllerOf(instance);
    [last, frame] = [instance, run.frameOf(instance)];
    if (at > nowhere) yield { at, decides: instance, isDirect: true };
  }
}

/** All of them, the latest first: they are the closest to what they decide on. */
export function criticalPredicates(
  run: Replay,
  indirect: IndirectInfluence,
  instances: readonly Instance[],
): readonly Decision[] {
  const found = new Map<Instance, Decision>();
  const add = (decision: Decision): void => {
    if (!found.has(decision.at)) found.set(decision.at, decision);
  };
  for (const decision of directDecisions(run, instances)) add(decision);
  for (const decides of instances)
    for (const at of indirect.of(decides)) add({ at, decides, isDirect: false });
  return [...found.values()].toSorted((a, b) => b.at - a.at);
}

const jumps: ReadonlySet<string> = new Set(['br', 'branch', 'switch', 'indirectbr', 'invoke', 'call', 'ret']);

function isJump(run: Replay, instance: Instance): boolean {
  return jumps.has(run.instructionOf(instance).op);
}
