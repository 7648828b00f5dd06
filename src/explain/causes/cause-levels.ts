/** From a failure back to its causes, in the order of Algorithm 1 of AFTER: what it was computed from, then what decided that. */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';
import { IndirectInfluence } from './indirect-influence.js';

/**
 * Instances that have a part in a failure, level by level. The first level holds all that the failing predicate was
 * computed from; each of the others, what decided that the ones before it were executed, or that what they read was not
 * assigned once more (their critical predicates, Algorithm 3), with all that those decisions were computed from. No
 * instance is given twice.
 */
export function* causeLevels(run: Replay, failure: Instance): Generator<readonly Instance[]> {
  const isSeen = new Uint8Array(run.instances);
  const indirect = new IndirectInfluence(run);
  let seeds: readonly Instance[] = [failure];
  while (seeds.length > 0) {
    const level = computedFrom(run, seeds, isSeen);
    if (level.length > 0) yield level;
    const influencing = level.flatMap((instance) => indirect.of(instance));
    seeds = [...decidersOf(run, level, isSeen), ...influencing];
  }
}

/** Whatever values flow from, through registers and memory. */
function computedFrom(run: Replay, seeds: readonly Instance[], isSeen: Uint8Array): readonly Instance[] {
  const found: Instance[] = [];
  const left: Instance[] = [];
  const add = (instance: Instance): void => {
    if (instance <= nowhere || isSeen[instance] === 1) return;
    isSeen[instance] = 1;
    found.push(instance);
    left.push(instance);
  };
  for (const seed of seeds) add(seed);
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (const operand of run.operandsOf(at)) add(operand);
    for (const { writer } of run.memoryOf(at)) add(writer);
  }
  return found;
}

/** The closest decision that each of them depends on. */
function decidersOf(run: Replay, level: readonly Instance[], isSeen: Uint8Array): readonly Instance[] {
  const deciders = new Set<Instance>();
  let [last, frame, decider] = [nowhere, -1, nowhere];
  for (const instance of level.toSorted((a, b) => a - b)) {
    // What follows in the same block was decided by the same.
    const isNext = instance === last + 1 && run.frameOf(instance) === frame && !isJump(run, last);
    if (!isNext) decider = run.controllerOf(instance);
    [last, frame] = [instance, run.frameOf(instance)];
    if (decider > nowhere && isSeen[decider] !== 1) deciders.add(decider);
  }
  return [...deciders];
}

const jumps: ReadonlySet<string> = new Set(['br', 'switch', 'indirectbr', 'invoke', 'call', 'ret']);

function isJump(run: Replay, instance: Instance): boolean {
  return jumps.has(run.instructionOf(instance).op);
}
