/** Decisions that could have changed the value of a variable (Definition 2 of AFTER). */

import { controlDependence, getOrCreate, type Successors } from '../../program/graph/index.js';
import { targetsOf, type Value } from '../../program/ir/index.js';
import { type Frame, type Instance, nowhere, type Replay } from '../../symbolic/index.js';

/** Maximum number of instances searched before a load. */
const maxDistance = 200_000;

interface Deciders {
  /** By variable, the blocks whose branches decide whether it is assigned. */
  readonly ofVariable: ReadonlyMap<string, ReadonlySet<number>>;
  /** By block, the blocks whose branches decide, directly or indirectly, whether it is executed. */
  readonly ofBlock: readonly ReadonlySet<number>[];
}

export class IndirectInfluence {
  readonly #known = new Map<Frame['blocks'], Deciders>();

  constructor(private readonly run: Replay) {}

  /**
   * The branches between a load and the definition it reads, in the same activation, whose other side assigns the
   * variable (Algorithm 3, lines 4 to 11). Each branch counts once, at its last execution. Only named variables are
   * followed, not pointer targets.
   */
  of(load: Instance): readonly Instance[] {
    const run = this.run;
    const read = run.instructionOf(load);
    const variable = read.op === 'load' ? nameOf(read.pointer) : undefined;
    const number = run.frameOf(load);
    const frame = run.frame(number);
    if (variable === undefined || frame === undefined) return [];
    const { ofVariable, ofBlock } = getOrCreate(this.#known, frame.blocks, () => decidersIn(frame.blocks));
    const deciders = ofVariable.get(variable);
    if (deciders === undefined) return [];
    // Branches that decide whether the load is executed are direct decisions.
    const direct = ofBlock[run.blockOf(load)];
    const definition = Math.max(nowhere, ...run.memoryOf(load).map(({ writer }) => writer));
    const found = new Map<number, Instance>();
    for (let at = load - 1; at > definition && at > load - maxDistance; at--) {
      if (run.frameOf(at) !== number) continue;
      const block = run.blockOf(at);
      if (!deciders.has(block) || direct?.has(block) || found.has(block)) continue;
      const instruction = run.instructionOf(at);
      const isBranch = instruction.op !== 'parameter' && instruction === frame.blocks[block]?.terminator;
      if (isBranch) found.set(block, at);
    }
    return [...found.values()];
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
      const all = getOrCreate(ofVariable, variable, () => new Set());
      for (const block of ofBlock[number] ?? []) all.add(block);
    }
  return { ofVariable, ofBlock };
}

function nameOf(pointer: Value): string | undefined {
  if (pointer.kind === 'local') return `%${pointer.name}`;
  return pointer.kind === 'global' ? `@${pointer.name}` : undefined;
}
