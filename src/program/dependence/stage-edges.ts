/** Dependences through memory between stages: from code that runs first to code that runs after it. */

import { type FunctionId, type Id, idOf, type LocalNodeId, type VariableId } from '../graph/index.js';
import type { Direction, LocalNode } from './calls/call-boundary.js';
import { type FunctionNodes, type Numbering, nodeIn } from './numbering.js';
import type { Stage } from './stages.js';

/** A variable at a stage: all readers there depend on the same writers, and vice versa. */
export type StageVariable = Id<'stage variable'>;

const noStageVariables: readonly StageVariable[] = [];

export class StageEdges {
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

  isAtEnd(fn: FunctionId): boolean {
    return this.#stagesOf.get(fn)?.includes(this.stages.length - 1) === true;
  }

  connected(fn: FunctionId, node: LocalNodeId, direction: Direction): readonly LocalNode[] {
    return this.stageVariables(fn, node, direction).flatMap((stageVariable) =>
      this.connectedTo(stageVariable, direction),
    );
  }

  /** The stage variables through which a node is connected to earlier or later stages. */
  stageVariables(fn: FunctionId, node: LocalNodeId, direction: Direction): readonly StageVariable[] {
    const stages = this.#stagesOf.get(fn);
    if (stages === undefined) return noStageVariables;
    const { entry, ins, firstIn, outs, firstOut } = this.#nodes(fn);
    if (node === entry && direction === 'backward' && this.isAtEnd(fn))
      return this.registrations.map((variable) => this.#stageVariable(variable, this.stages.length - 1));
    const variable = direction === 'backward' ? ins.at(node - firstIn) : outs.at(node - firstOut);
    return variable === undefined
      ? noStageVariables
      : stages.map((stage) => this.#stageVariable(variable, stage));
  }

  /** The nodes connected to a stage variable: earlier writers of the variable, or later readers. */
  connectedTo(stageVariable: StageVariable, direction: Direction): readonly LocalNode[] {
    const stage = stageVariable % this.stages.length;
    const variable = idOf<VariableId>((stageVariable - stage) / this.stages.length);
    const connected: LocalNode[] = [];
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

  #stageVariable(variable: VariableId, stage: number): StageVariable {
    return idOf(variable * this.stages.length + stage);
  }

  #nodes(fn: FunctionId): FunctionNodes {
    return this.numbering.functions.get(fn);
  }
}
