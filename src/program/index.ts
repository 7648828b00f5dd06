/**
 * C and C++ programs as graphs: `culprit/program`.
 *
 * A program is the output of culprit-cc or culprit-c++, or a `compile_commands.json`. Its modules are LLVM's textual
 * IR. They yield control flow and calls for programs of any size, and dependences and slices for programs that fit
 * into memory.
 *
 * ```ts
 * // All lines that affect line 12 of main.c.
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
export { type BuiltProgram, type Demangler, demangler, programOf } from './compile/index.js';
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
