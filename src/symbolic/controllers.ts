/** Finds the branch that decided that an instruction was executed. */

import { controlDependence, getOrCreate, type Successors, type Table } from '../program/graph/index.js';
import { targetsOf } from '../program/ir/index.js';
import type { FunctionCode } from './code.js';
import type { Execution } from './execution.js';
import { type Instance, nowhere } from './instances.js';

export class Controllers {
  /** By function, for each block the blocks it is control dependent on. */
  readonly #controllingBlocksOf = new Map<FunctionCode, Table<number, readonly number[]>>();

  constructor(private readonly execution: Execution) {}

  branchFor(instance: Instance): Instance {
    const { steps, frames } = this.execution.instances;
    const frame = frames[instance] ?? 0;
    const step = this.execution.decodeContext.steps[steps[instance] ?? 0];
    const past = this.execution.frames[frame];
    if (step === undefined || past === undefined) return nowhere;
    const deciders = this.#controllingBlocks(step.code).get(step.block);
    if (deciders.length === 0) return past.call;
    for (let at = instance - 1; at > past.call; ) {
      const other = frames[at] ?? 0;
      if (other !== frame) {
        at = this.#callInto(frame, other, at);
        continue;
      }
      const before = this.execution.decodeContext.steps[steps[at] ?? 0];
      if (before !== undefined && before.targets.length > 1 && deciders.includes(before.block)) return at;
      at--;
    }
    return past.call;
  }

  /** From an instance in a callee to the call in `frame`, or to the instance before if there is none. */
  #callInto(frame: number, from: number, at: Instance): Instance {
    for (let inner = from; inner !== -1; ) {
      const past = this.execution.frames[inner];
      if (past === undefined) break;
      if (past.caller === frame) return past.call === nowhere ? at - 1 : past.call;
      inner = past.caller;
    }
    return at - 1;
  }

  #controllingBlocks(code: FunctionCode): Table<number, readonly number[]> {
    return getOrCreate(this.#controllingBlocksOf, code, () => {
      const { blocks } = code.plan;
      const numbers = new Map(blocks.map(({ label }, at) => [label, at]));
      const next: Successors<number> = blocks.map(({ terminator }) =>
        targetsOf(terminator).map((label) => numbers.get(label) ?? 0),
      );
      return controlDependence(next);
    });
  }
}
