/**
 * Reads LLVM's textual IR: modules, function bodies on demand, debug information, the control flow of a function by
 * source lines, and whole programs with names resolved as a linker does. Unreadable parts become faults; nothing is
 * thrown.
 */

export { addressTakenIn } from './address-taken.js';
export { calledName } from './called-name.js';
export type { DeclaredVariable } from './debug-info.js';
export { detachedCopy } from './detached-copy.js';
export { ifuncTargets } from './ifunc-targets.js';
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
export { clashNote, definitionLine, type ExportedDefinition, resolveClash } from './linkage.js';
export type { Block, GlobalVariable, IrFunction, IrModule, Linkage, Signature } from './module.js';
export { Program, type ProgramFunction } from './program.js';
export { readBody } from './reading/read-body.js';
export { readModule } from './reading/read-module.js';
export { readUnknown } from './reading/read-unknown.js';
export { unescapedName } from './reading/scanner.js';
export { sourceFile, sourceLine } from './source-lines.js';
export { type FunctionType, type Type, typeText } from './type.js';
export { nestedValues, type Value } from './value.js';
