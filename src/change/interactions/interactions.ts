/** Where the changes of a program that was built can interact. */

import { resolve } from 'node:path';
import { Fault } from '../../machine/index.js';
import { programOf } from '../../program/compile/index.js';
import { DependenceGraph } from '../../program/dependence/index.js';
import type { SourceLine } from '../../program/graph/index.js';
import { type IrModule, Program, readModule } from '../../program/ir/index.js';
import type { ChangeMeasure } from '../sequences/measure-change.js';
import { interactionGraph } from './interaction-graph.js';
import { programStatements, type StatementLine } from './program-statements.js';

/** A statement that depends on several changes. */
export interface Interaction {
  readonly at: StatementLine;
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
  for await (const module of program.modules(signal))
    if (module instanceof Fault) notes.push(module.message);
    else modules.push(readModule(module.text));
  const changed = linesByFile(functions);
  const graph = new DependenceGraph(new Program(modules));
  const isChanged = ({ file, line }: SourceLine): boolean => changed.get(file)?.has(line) ?? false;
  const { lines, graph: statements } = programStatements(graph, isChanged, resolve(root));
  const found = [...interactionGraph(statements).interactions].flatMap(([statement, changes]) => {
    const at = lines[statement];
    const of = changes.flatMap((change) => lines[change] ?? []).map(({ file, line }) => ({ file, line }));
    return at === undefined ? [] : [{ at, of }];
  });
  return { found, notes };
}

function linesByFile(functions: ChangeMeasure['functions']): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  for (const { file, at } of functions) found.set(file, new Set([...(found.get(file) ?? []), ...at]));
  return found;
}
