/** Decisions that could have given a variable another value, had they been made otherwise (Definition 2 of AFTER). */

import { controlDependence, type Successors } from '../../program/graph/index.js';
import { targetsOf, type Value } from '../../program/ir/index.js';
import { type Frame, type Instance, nowhere, type Replay } from '../../symbolic/index.js';

/** Further back from a use nothing is looked at. */
const farthest = 200_000;

interface Deciders {
  /** By variable, the numbers of blocks whose branches decide whether it is assigned. */
  readonly ofVariable: ReadonlyMap<string, ReadonlySet<number>>;
  /** By block, those that decide whether it is executed, closely or from afar. */
  readonly ofBlock: readonly ReadonlySet<number>[];
}

export class IndirectInfluence {
  readonly #known = new Map<Frame['blocks'], Deciders>();

  readonly #run: Replay;

  constructor(run: Replay) {
    this.#run = run;
  }

  /**
   * The branches between the definition of what a load reads and the load, in its activation, on another way of which the
   * function assigns the same variable (Algorithm 3, lines 4 to 11). Of each branch the last time counts. Variables are
   * those with a name of their own; what pointers lead to is not followed.
   */
  of(load: Instance): readonly Instance[] {
    const run = this.#run;
    const read = run.instructionOf(load);
    const variable = read.op === 'load' ? nameOf(read.pointer) : undefined;
    const number = run.frameOf(load);
    const frame = run.frame(number);
    if (variable === undefined || frame === undefined) return [];
    const { ofVariable, ofBlock } = this.#decidersIn(frame.blocks);
    const deciders = ofVariable.get(variable);
    if (deciders === undefined) return [];
    // Had those been made otherwise, nothing would have been read here: they are direct.
    const direct = ofBlock[run.blockOf(load)];
    const definition = Math.max(nowhere, ...run.memoryOf(load).map(({ writer }) => writer));
    const found = new Map<number, Instance>();
    for (let at = load - 1; at > definition && at > load - farthest; at--) {
      if (run.frameOf(at) !== number) continue;
      const block = run.blockOf(at);
      if (!deciders.has(block) || direct?.has(block) || found.has(block)) continue;
      const instruction = run.instructionOf(at);
      const isBranch = instruction.op !== 'parameter' && instruction === frame.blocks[block]?.terminator;
      if (isBranch) found.set(block, at);
    }
    return [...found.values()];
  }

  #decidersIn(blocks: Frame['blocks']): Deciders {
    let known = this.#known.get(blocks);
    if (known === undefined) {
      known = decidersIn(blocks);
      this.#known.set(blocks, known);
    }
    return known;
  }
}

function decidersIn(blocks: Frame['blocks']): Deciders {
  const numbers = new Map(blocks.map(({ label }, at) => [label, at]));
  const next: Successors<number> = blocks.map(({ terminator }) =>
    targetsOf(terminator).map((label) => numbers.get(label) ?? 0),
  );
  const closest = controlDependence(next);
  const ofBlock = blocks.map((_, number) => {
    const all = new Set<number>();
    const left = [...closest.get(number)];
    for (let block = left.pop(); block !== undefined; block = left.pop()) {
      if (all.has(block)) continue;
      all.add(block);
      left.push(...closest.get(block));
    }
    return all;
  });
  const ofVariable = new Map<string, Set<number>>();
  for (const [number, { instructions }] of blocks.entries())
    for (const instruction of instructions) {
      const variable = instruction.op === 'store' ? nameOf(instruction.pointer) : undefined;
      if (variable === undefined) continue;
      const all = ofVariable.get(variable) ?? new Set<number>();
      for (const block of ofBlock[number] ?? []) all.add(block);
      ofVariable.set(variable, all);
    }
  return { ofVariable, ofBlock };
}

function nameOf(pointer: Value): string | undefined {
  if (pointer.kind === 'local') return `%${pointer.name}`;
  return pointer.kind === 'global' ? `@${pointer.name}` : undefined;
}
