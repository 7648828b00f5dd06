/** The new version of a program from its build: all of its files, with resolved calls. */

import { resolve } from 'node:path';
import { Fault } from '../../machine/index.js';
import { programOf } from '../../program/compile/index.js';
import { DependenceGraph, type GraphStep } from '../../program/dependence/index.js';
import type { FlowFunction, KnownCall } from '../../program/graph/index.js';
import { flowOf, type IrModule, Program, readModule } from '../../program/ir/index.js';
import { pushTo } from '../hunks/collections.js';

interface ReadOptions {
  /** Called when the program was read. The work after that cannot be interrupted. */
  readonly onRead?: (() => void) | undefined;
  readonly onStep?: OnProgramStep | undefined;
}

/** The long steps of work on a whole program, in order. */
export type ProgramStep = 'modules' | 'changes' | 'interactions' | GraphStep;

/** `all` is 0 while it is unknown. */
export type OnProgramStep = (step: ProgramStep, done: number, all: number) => void;

export class WholeProgram {
  readonly graph: DependenceGraph;
  #functionsByFile: ReadonlyMap<string, readonly FlowFunction[]> | undefined;

  constructor(
    modules: readonly IrModule[],
    readonly root: string,
    readonly notes: readonly string[],
    onStep?: OnProgramStep,
  ) {
    this.graph = new DependenceGraph(new Program(modules), { onProgress: onStep });
  }

  /**
   * @param built a program that culprit-cc linked, or a `compile_commands.json`
   * @param root the folder of its sources
   * @param signal observed until the program was read
   */
  static async read(
    built: string,
    root: string,
    signal: AbortSignal,
    { onRead, onStep }: ReadOptions = {},
  ): Promise<WholeProgram | Fault> {
    onStep?.('modules', 0, 0);
    const program = await programOf(built, { isUnoptimized: true });
    if (program instanceof Fault) return program;
    const modules: IrModule[] = [];
    const notes: string[] = [];
    for await (const module of program.modules(signal)) {
      if (module instanceof Fault) notes.push(module.message);
      else modules.push(readModule(module.text));
      onStep?.('modules', modules.length + notes.length, program.size);
    }
    onRead?.();
    return new WholeProgram(modules, resolve(root), notes, onStep);
  }

  /** Its functions by file, with call targets from the points-to analysis. */
  get functions(): ReadonlyMap<string, readonly FlowFunction[]> {
    this.#functionsByFile ??= this.#readFunctions();
    return this.#functionsByFile;
  }

  #readFunctions(): ReadonlyMap<string, readonly FlowFunction[]> {
    const { program } = this.graph;
    const found = new Map<string, FlowFunction[]>();
    for (const fn of program.functions) {
      const flow = flowOf(fn.module, fn.declared, this.root, program.body(fn).blocks);
      const calls: KnownCall[][] = flow.blocks.map(() => []);
      for (const { block, callees, isSure } of this.graph.callsOf(fn.id))
        if (callees.length > 0) calls[block]?.push({ functions: callees, isSure });
      const blocks = flow.blocks.map((block, at) => ({ ...block, calls: calls[at] ?? [] }));
      pushTo(found, flow.file, { ...flow, ids: [fn.id], blocks });
    }
    return found;
  }
}
