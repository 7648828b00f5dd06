/** From a failure back to its causes, in the order of Algorithm 1 of AFTER: what it was computed from, then what decided that. */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';
import { directDecisions } from './critical-predicates.js';
import { IndirectInfluence } from './indirect-influence.js';

export class CauseWalk {
  readonly #run: Replay;
  readonly #roots: readonly Instance[];
  /** By instance, the one it has a part in, by which it was met first; plus 1, so that 0 is nothing. */
  readonly #next: Int32Array;

  /** @param roots the failure, and the decision by which something does not happen that should, if there is one */
  constructor(run: Replay, ...roots: readonly Instance[]) {
    this.#run = run;
    this.#roots = roots;
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
    let seeds: readonly Step[] = this.#roots.map((at) => ({ at, next: at }));
    while (seeds.length > 0) {
      const level = this.#computedFrom(seeds);
      if (level.length > 0) yield level;
      const steps: Step[] = [];
      for (const { at, decides } of directDecisions(this.#run, level))
        if (this.#next[at] === 0) steps.push({ at, next: decides });
      for (const next of level) for (const at of indirect.of(next)) steps.push({ at, next });
      seeds = steps;
    }
  }

  /** The steps from an instance that was met to the failure, both included. */
  chainFrom(instance: Instance): readonly Instance[] {
    const chain = [instance];
    for (let at = instance; ; ) {
      const next = (this.#next[at] ?? 0) - 1;
      if (next <= nowhere || next === at) return chain;
      chain.push(next);
      at = next;
    }
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
      add(this.#run.gateOf(at), at);
      for (const { writer } of this.#run.memoryOf(at)) add(writer, at);
    }
    return found;
  }
}

interface Step {
  readonly at: Instance;
  readonly next: Instance;
}
