/** Where the changes of a program that was built can interact. */

import { resolve } from 'node:path';
import { Fault } from '../../machine/index.js';
import { programOf } from '../../program/compile/index.js';
import { DependenceGraph } from '../../program/dependence/index.js';
import type { SourceLine } from '../../program/graph/index.js';
import { type IrModule, Program, readModule } from '../../program/ir/index.js';
import type { ChangeMeasure } from '../sequences/measure-change.js';
import { interactionGraph } from './interaction-graph.js';
import { programStatements } from './program-statements.js';

/** A statement that depends on several changes. */
export interface Interaction {
  readonly at: SourceLine & { readonly function: string };
  readonly of: readonly SourceLine[];
}

export interface Interactions {
  readonly found: readonly Interaction[];
  /** Modules that could not be read, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * @param built the new version of the program: what culprit-cc linked, or a `compile_commands.json`
 * @param root the folder of its sources
 */
export async function interactionsIn(
  { functions }: ChangeMeasure,
  built: string,
  root: string,
  signal: AbortSignal,
): Promise<Interactions | Fault> {
  const program = await programOf(built, { isUnoptimized: true });
  if (program instanceof Fault) return program;
  const modules: IrModule[] = [];
  const notes: string[] = [];
  for await (const one of program.modules(signal))
    if (one instanceof Fault) notes.push(one.message);
    else modules.push(readModule(one.text));
  const changed = new Set(functions.flatMap(({ file, at }) => at.map((line) => `${file}:${line}`)));
  const graph = new DependenceGraph(new Program(modules));
  const isChanged = ({ file, line }: SourceLine): boolean => changed.has(`${file}:${line}`);
  const { lines, graph: statements } = programStatements(graph, isChanged, resolve(root));
  const lineOf = (statement: number) => lines[statement] as SourceLine & { readonly function: string };
  const found = [...interactionGraph(statements).interactions].map(([at, of]) => ({
    at: lineOf(at),
    of: of.map(lineOf).map(({ file, line }) => ({ file, line })),
  }));
  return { found, notes };
}
