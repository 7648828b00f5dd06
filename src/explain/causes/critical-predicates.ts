/**
 * Decisions that could have prevented statements from executing or from reading the values they read (Algorithm 3).
 */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';
import type { IndirectInfluence } from './indirect-influence.js';

export interface Decision {
  readonly at: Instance;
  readonly decides: Instance;
  /** Direct: it decides whether the instance is executed. Else: whether a variable it reads is assigned again. */
  readonly isDirect: boolean;
}

/** The closest branch or call that each instance depends on. */
export function* directDecisions(run: Replay, instances: readonly Instance[]): Generator<Decision> {
  let [last, frame, at] = [nowhere, -1, nowhere];
  for (const instance of instances.toSorted((a, b) => a - b)) {
    // Instances of one basic block depend on the same decision.
    const isNext = instance === last + 1 && run.frameOf(instance) === frame && !isJump(run, last);
    if (!isNext) at = run.controllerOf(instance);
    [last, frame] = [instance, run.frameOf(instance)];
    if (at > nowhere) yield { at, decides: instance, isDirect: true };
  }
}

/** All decisions, latest first, since the latest are closest to the instances they decide on. */
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
