/**
 * Walks from a failure back to its causes in the order of Algorithm 1 of AFTER: first data, then control dependence.
 */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';
import { directDecisions } from './critical-predicates.js';
import { IndirectInfluence } from './indirect-influence.js';

export class CauseWalk {
  readonly #roots: readonly Instance[];
  /** By instance, the dependent instance by which the walk reached it, plus 1; 0 if not reached. */
  readonly #next: Int32Array;

  /** @param roots the failure, and the missed decision if there is one */
  constructor(
    private readonly run: Replay,
    ...roots: readonly Instance[]
  ) {
    this.#roots = roots;
    this.#next = new Int32Array(run.instances);
  }

  /**
   * The instances that a failure depends on, level by level. The first level is the data dependence of the failing
   * predicate. Each further level has the critical predicates (Algorithm 3) of the level before, with their own data
   * dependence. Every instance is yielded once; within a level, those with the fewest steps come first.
   */
  *levels(): Generator<readonly Instance[]> {
    const indirect = new IndirectInfluence(this.run);
    let seeds: readonly Step[] = this.#roots.map((at) => ({ at, next: at }));
    while (seeds.length > 0) {
      const level = this.#computedFrom(seeds);
      if (level.length > 0) yield level;
      const steps: Step[] = [];
      for (const { at, decides } of directDecisions(this.run, level))
        if (this.#next[at] === 0) steps.push({ at, next: decides });
      for (const next of level) for (const at of indirect.of(next)) steps.push({ at, next });
      seeds = steps;
    }
  }

  /** The steps from a reached instance to the failure, both included. */
  chainFrom(instance: Instance): readonly Instance[] {
    const chain = [instance];
    for (let at = instance; ; ) {
      const next = (this.#next[at] ?? 0) - 1;
      if (next <= nowhere || next === at) return chain;
      chain.push(next);
      at = next;
    }
  }

  /** Data dependence through registers and memory. */
  #computedFrom(seeds: readonly Step[]): readonly Instance[] {
    const found: Instance[] = [];
    const add = (at: Instance, next: Instance): void => {
      if (at <= nowhere || this.#next[at] !== 0) return;
      this.#next[at] = next + 1;
      found.push(at);
    };
    for (const { at, next } of seeds) add(at, next);
    // Grows during this loop: breadth-first search.
    for (const at of found) {
      for (const operand of this.run.operandsOf(at)) add(operand, at);
      add(this.run.gateOf(at), at);
      for (const { writer } of this.run.memoryOf(at)) add(writer, at);
    }
    return found;
  }
}

interface Step {
  readonly at: Instance;
  readonly next: Instance;
}
