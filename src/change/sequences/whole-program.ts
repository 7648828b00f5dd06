/** The new version of a program as a build has left it: all of its files, with what calls go to. */

import { resolve } from 'node:path';
import { Fault } from '../../machine/index.js';
import { programOf } from '../../program/compile/index.js';
import { DependenceGraph, type GraphStep } from '../../program/dependence/index.js';
import type { FlowFunction, KnownCall } from '../../program/graph/index.js';
import { flowOf, type IrModule, Program, readModule } from '../../program/ir/index.js';

interface ReadOptions {
  /** Told when all of it was read: what follows takes as long as it takes, and hears no signal. */
  readonly onRead?: (() => void) | undefined;
  readonly onStep?: OnProgramStep | undefined;
}

/** What is done with a whole program, in order: how far each part is that takes long. */
export type ProgramStep = 'modules' | 'changes' | 'interactions' | GraphStep;

/** Told how much of a step is done, of how much; of nothing where that is not known yet. */
export type OnProgramStep = (step: ProgramStep, done: number, all: number) => void;

export class WholeProgram {
  readonly #graph: DependenceGraph;
  #functions: ReadonlyMap<string, readonly FlowFunction[]> | undefined;

  constructor(
    modules: readonly IrModule[],
    /** The folder of its sources, which files are named relative to. */
    readonly root: string,
    /** Modules that could not be read, a sentence each. */
    readonly notes: readonly string[],
    onStep?: OnProgramStep,
  ) {
    this.#graph = new DependenceGraph(new Program(modules), { onProgress: onStep });
  }

  /**
   * @param built what culprit-cc linked, or a `compile_commands.json`
   * @param root the folder of its sources
   * @param signal heard until all of it was read
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

  /** What depends on what in it. */
  get graph(): DependenceGraph {
    return this.#graph;
  }

  /** By file its functions, with what their calls may go to by what pointers may point to. */
  get functions(): ReadonlyMap<string, readonly FlowFunction[]> {
    this.#functions ??= this.#readFunctions();
    return this.#functions;
  }

  #readFunctions(): ReadonlyMap<string, readonly FlowFunction[]> {
    const { program } = this.#graph;
    const found = new Map<string, FlowFunction[]>();
    for (const fn of program.functions) {
      const flow = flowOf(fn.module, fn.declared, this.root, program.body(fn).blocks);
      const calls: KnownCall[][] = flow.blocks.map(() => []);
      for (const { block, callees, isSure } of this.#graph.callsOf(fn.id))
        if (callees.length > 0) calls[block]?.push({ functions: callees, isSure });
      const blocks = flow.blocks.map((block, at) => ({ ...block, calls: calls[at] ?? [] }));
      const known = found.get(flow.file);
      const linked = { ...flow, ids: [fn.id], blocks };
      if (known === undefined) found.set(flow.file, [linked]);
      else known.push(linked);
    }
    return found;
  }
}
