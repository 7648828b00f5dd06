/**
 * Obtains the LLVM IR of a whole project: culprit-cc embeds it in objects, executables, libraries and archives, and
 * `compile_commands.json` says how to compile it.
 *
 * @example const program = await programOf('build/grep'); if (program instanceof Fault) throw new
 * Error(program.message); for await (const module of program.modules()) if (!(module instanceof Fault))
 * console.log(module.name, module.text.length);
 */

export { downloadClangCommand, findClang, majorVersionOf } from './clang.js';
export { compileCommands, type IrCall } from './compile-commands.js';
export { type Demangler, demangler, qualifiedName } from './demangler.js';
export { headerOptions } from './ir-arguments.js';
export { irOfSource, type SourceLimits } from './ir-of-source.js';
export { findLlvmTool, runLlvmTool } from './llvm-tools.js';
export { compilerNeeds } from './needs.js';
export { type BuiltProgram, programOf } from './program-of.js';
export { addToolchain, removeToolchain, toolchainFolder, toolchainProgram } from './toolchain.js';
export type { FunctionPlan } from './trace/function-plan.js';
export { isComputed, leavesOf, type ScalarLeaf, wordsOf } from './trace/leaves.js';
export { type TracePlan, tracePlan } from './trace/plan.js';
export { type Recording, recordingOf } from './trace/recording.js';
