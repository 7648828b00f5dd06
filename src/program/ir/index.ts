/**
 * Reads LLVM's textual IR: modules, function bodies on demand, debug information, the control flow of a function by
 * source lines, and whole programs with names resolved as a linker does. Unreadable parts become faults; nothing is
 * thrown.
 */

export { calledName } from './called-name.js';
export type { DeclaredVariable } from './debug-info.js';
export { detached } from './detached.js';
export { choicesOf } from './ifunc.js';
export {
  type BinaryOperator,
  type CallParts,
  type CastOperator,
  type Instruction,
  isCall,
  operandsOf,
  targetsOf,
} from './instruction.js';
export { flowOf } from './ir-flow.js';
export { Layout } from './layout.js';
export { clashNote, definitionLine, type Exported, standing } from './linkage.js';
export type { Block, GlobalVariable, IrFunction, IrModule, Linkage, Signature } from './module.js';
export { Program, type ProgramFunction } from './program.js';
export { readBody } from './read-body.js';
export { readModule } from './read-module.js';
export { readUnknown } from './read-unknown.js';
export { unescapedName } from './scanner.js';
export { sourceFile, sourceLine } from './source-lines.js';
export { takenIn } from './taken-functions.js';
export { type FunctionType, type Type, typeText } from './type.js';
export { partsOf, type Value } from './value.js';
