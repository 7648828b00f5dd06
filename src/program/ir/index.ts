export { calledName } from './called-name.js';
export { demangledName } from './demangled-name.js';
export { detached } from './detached.js';
export { choicesOf } from './ifunc.js';
export {
  type BinaryOperator,
  type CallParts,
  type CastOperator,
  type Instruction,
  operandsOf,
  targetsOf,
} from './instruction.js';
export { flowOf } from './ir-flow.js';
export { clashNote, type DefinitionPlace, type Exported, placeOf, standing } from './linkage.js';
export type { Block, GlobalVariable, IrFunction, IrModule, Linkage, Signature } from './module.js';
export { Program, type ProgramFunction } from './program.js';
export { readBody } from './read-body.js';
export { readModule } from './read-module.js';
export { readType } from './read-type.js';
export { readUnknown } from './read-unknown.js';
export { ReadError, Scanner, unescapedName } from './scanner.js';
export { sourceFile, sourceLine } from './source-lines.js';
export type { FunctionType, Type } from './type.js';
export { partsOf, type Value } from './value.js';
