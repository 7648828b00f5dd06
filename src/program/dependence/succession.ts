/** Dependences through memory between stages: from code that runs first to code that runs after it. */

import { type FunctionId, type Id, idOf, type LocalNodeId, type VariableId } from '../graph/index.js';
import type { Direction, Local } from './border.js';
import { type Nodes, type Numbering, nodeIn } from './numbering.js';
import type { Stage } from './stages.js';

/** A variable at a stage: all readers there depend on the same writers, and vice versa. */
export type Moment = Id<'moment'>;

const never: readonly Moment[] = [];

export class Succession {
  readonly #stagesOf = new Map<FunctionId, readonly number[]>();

  /** @param registrations variables that record exit handlers; they decide which of them run */
  constructor(
    private readonly numbering: Numbering,
    private readonly stages: readonly Stage[],
    private readonly registrations: readonly VariableId[],
  ) {
    for (const [stage, { functions }] of stages.entries())
      for (const fn of functions) this.#stagesOf.set(fn, [...(this.#stagesOf.get(fn) ?? []), stage]);
  }

  /** Is this an exit handler? */
  isAtEnd(fn: FunctionId): boolean {
    return this.#stagesOf.get(fn)?.includes(this.stages.length - 1) === true;
  }

  /** All nodes connected to a node in earlier or later stages. */
  of(fn: FunctionId, node: LocalNodeId, direction: Direction): readonly Local[] {
    return this.moments(fn, node, direction).flatMap((moment) => this.at(moment, direction));
  }

  /** The moments through which a node is connected to earlier or later stages. */
  moments(fn: FunctionId, node: LocalNodeId, direction: Direction): readonly Moment[] {
    const stages = this.#stagesOf.get(fn);
    if (stages === undefined) return never;
    const { entry, ins, firstIn, outs, firstOut } = this.#nodes(fn);
    if (node === entry && direction === 'backward' && this.isAtEnd(fn))
      return this.registrations.map((variable) => this.#moment(variable, this.stages.length - 1));
    const variable = direction === 'backward' ? ins.at(node - firstIn) : outs.at(node - firstOut);
    return variable === undefined ? never : stages.map((stage) => this.#moment(variable, stage));
  }

  /** The nodes connected to a moment: earlier writers of the variable, or later readers. */
  at(moment: Moment, direction: Direction): readonly Local[] {
    const stage = moment % this.stages.length;
    const variable = idOf<VariableId>((moment - stage) / this.stages.length);
    const connected: Local[] = [];
    for (const [other, { functions, repeats }] of this.stages.entries()) {
      const isConnected = direction === 'backward' ? other < stage : other > stage;
      if (!isConnected && !(other === stage && repeats)) continue;
      for (const fn of functions) {
        const nodes = this.#nodes(fn);
        const node = nodeIn(nodes, direction === 'forward', variable);
        if (node !== undefined) connected.push({ fn, node });
        const isDecided = other === this.stages.length - 1 && this.registrations.includes(variable);
        if (isDecided && direction === 'forward') connected.push({ fn, node: nodes.entry });
      }
    }
    return connected;
  }

  #moment(variable: VariableId, stage: number): Moment {
    return idOf(variable * this.stages.length + stage);
  }

  #nodes(fn: FunctionId): Nodes {
    return this.numbering.functions.get(fn);
  }
}
