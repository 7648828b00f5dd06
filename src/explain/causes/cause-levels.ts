/** From a failure back to its causes, in the order of Algorithm 1 of AFTER: what it was computed from, then what decided that. */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';
import { IndirectInfluence } from './indirect-influence.js';

export class CauseWalk {
  readonly #run: Replay;
  readonly #failure: Instance;
  /** By instance, the one it has a part in, by which it was met first; plus 1, so that 0 is nothing. */
  readonly #next: Int32Array;

  constructor(run: Replay, failure: Instance) {
    this.#run = run;
    this.#failure = failure;
    this.#next = new Int32Array(run.instances);
  }

  /**
   * Instances that have a part in a failure, level by level. The first level holds all that the failing predicate was
   * computed from; each of the others, what decided that the ones before it were executed, or that what they read was not
   * assigned once more (their critical predicates, Algorithm 3), with all that those decisions were computed from. No
   * instance is given twice; within a level those that are the fewest steps away come first.
   */
  *levels(): Generator<readonly Instance[]> {
    const indirect = new IndirectInfluence(this.#run);
    let seeds: readonly Step[] = [{ at: this.#failure, next: this.#failure }];
    while (seeds.length > 0) {
      const level = this.#computedFrom(seeds);
      if (level.length > 0) yield level;
      const influencing = level.flatMap((next) => indirect.of(next).map((at) => ({ at, next })));
      seeds = [...this.#decidersOf(level), ...influencing];
    }
  }

  /** The steps from an instance that was met to the failure, both included. */
  chainFrom(instance: Instance): readonly Instance[] {
    const chain = [instance];
    for (let at = instance; at !== this.#failure; ) {
      at = (this.#next[at] ?? 0) - 1;
      if (at <= nowhere) break;
      chain.push(at);
    }
    return chain;
  }

  /** Whatever values flow from, through registers and memory. */
  #computedFrom(seeds: readonly Step[]): readonly Instance[] {
    const found: Instance[] = [];
    const add = (at: Instance, next: Instance): void => {
      if (at <= nowhere || this.#next[at] !== 0) return;
      this.#next[at] = next + 1;
      found.push(at);
    };
    for (const { at, next } of seeds) add(at, next);
    // What is found is gone through in the order it was found in.
    for (const at of found) {
      for (const operand of this.#run.operandsOf(at)) add(operand, at);
      for (const { writer } of this.#run.memoryOf(at)) add(writer, at);
    }
    return found;
  }

  /** The closest decision that each of them depends on. */
  #decidersOf(level: readonly Instance[]): readonly Step[] {
    const run = this.#run;
    const deciders: Step[] = [];
    let [last, frame, decider] = [nowhere, -1, nowhere];
    for (const instance of level.toSorted((a, b) => a - b)) {
      // What follows in the same block was decided by the same.
      const isNext = instance === last + 1 && run.frameOf(instance) === frame && !isJump(run, last);
      if (!isNext) decider = run.controllerOf(instance);
      [last, frame] = [instance, run.frameOf(instance)];
      if (decider > nowhere && this.#next[decider] === 0) deciders.push({ at: decider, next: instance });
    }
    return deciders;
  }
}

interface Step {
  readonly at: Instance;
  readonly next: Instance;
}

const jumps: ReadonlySet<string> = new Set(['br', 'branch', 'switch', 'indirectbr', 'invoke', 'call', 'ret']);

function isJump(run: Replay, instance: Instance): boolean {
  return jumps.has(run.instructionOf(instance).op);
}
