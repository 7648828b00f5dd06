/**
 * A C or C++ program as graphs: `culprit/program`.
 *
 * A program is what culprit-cc or culprit-c++ linked, or a `compile_commands.json`; its modules are LLVM's IR as text.
 * From them come the control flow and the calls of programs of any size, and for programs that fit into memory what
 * depends on what, with slices.
 *
 * ```ts
 * // Everything that has a part in what line 12 of main.c does.
 * import { DependenceGraph, Fault, type IrModule, Program, programOf, readModule } from 'culprit/program';
 *
 * // CC=culprit-cc make, and then:
 * const built = await programOf('src/grep', { isUnoptimized: true });
 * if (built instanceof Fault) throw new Error(built.message);
 * const modules: IrModule[] = [];
 * for await (const module of built.modules())
 *   if (module instanceof Fault) console.error(module.message);
 *   else modules.push(readModule(module.text));
 * const graph = new DependenceGraph(new Program(modules));
 * const from = graph.nodesAt({ file: 'main.c', line: 12 });
 * for (const { file, line } of graph.linesOf(graph.backwardSlice(from))) console.log(`${file}:${line}`);
 * ```
 */

export { Fault, LocatedFault } from '../machine/index.js';
export { type BuiltProgram, type DeclaredName, declaredNames, programOf } from './compile/index.js';
export {
  type Dependence,
  DependenceGraph,
  type FunctionPlace,
  type GraphOptions,
  type InstructionPosition,
  type NodeRole,
  type ProgramBlock,
  ProgramFlow,
  ProgramFlowBuilder,
  type ProgramSize,
} from './dependence/index.js';
export type {
  BlockId,
  FlowBlock,
  FlowFunction,
  FunctionId,
  MetadataId,
  NodeId,
  SourceLine,
} from './graph/index.js';
export {
  type Block,
  flowOf,
  type Instruction,
  type IrFunction,
  type IrModule,
  Program,
  type ProgramFunction,
  readBody,
  readModule,
  sourceFile,
  sourceLine,
  type Type,
  type Value,
} from './ir/index.js';
export { readSource, type SourceFile, type SourceFunction, type SourceStatement } from './source/index.js';
