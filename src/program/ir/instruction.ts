import type { MetadataId } from '../graph/index.js';
import type { FunctionType, Type } from './type.js';
import type { MetadataOperand, Value } from './value.js';

interface InstructionBase {
  /** Name of the result, if there is one. */
  readonly result: string | undefined;
  /** Type of the result, or void. */
  readonly type: Type;
  /** Debug location: the source line. */
  readonly location: MetadataId | undefined;
}

/** An instruction that ends a block. */
export type Terminator = InstructionBase &
  (
    | { readonly op: 'ret'; readonly value: Value | undefined }
    | { readonly op: 'br'; readonly target: string }
    | { readonly op: 'branch'; readonly condition: Value; readonly then: string; readonly otherwise: string }
    | {
        readonly op: 'switch';
        readonly value: Value;
        readonly fallback: string;
        readonly cases: readonly { readonly value: Value; readonly target: string }[];
      }
    | { readonly op: 'indirectbr'; readonly address: Value; readonly targets: readonly string[] }
    | (CallParts & { readonly op: 'invoke'; readonly normal: string; readonly unwind: string })
    | (CallParts & { readonly op: 'callbr'; readonly normal: string; readonly indirect: readonly string[] })
    | { readonly op: 'resume'; readonly value: Value }
    | {
        readonly op: 'catchswitch';
        readonly parent: Value;
        readonly handlers: readonly string[];
        readonly unwind: string | undefined;
      }
    | { readonly op: 'catchret'; readonly pad: Value; readonly target: string }
    | { readonly op: 'cleanupret'; readonly pad: Value; readonly unwind: string | undefined }
    | { readonly op: 'unreachable' }
  );

export interface CallParts {
  readonly callee: Value;
  readonly arguments: readonly Value[];
  /** Types of arguments that are passed by value through a pointer, by parameter number. */
  readonly byValue: ReadonlyMap<number, Type>;
  readonly functionType: FunctionType;
}

export type Instruction =
  | Terminator
  | (InstructionBase &
      (
        | { readonly op: 'fneg' | 'freeze'; readonly value: Value }
        | {
            readonly op: 'binary';
            readonly operator: BinaryOperator;
            readonly flags: readonly string[];
            readonly left: Value;
            readonly right: Value;
          }
        | {
            readonly op: 'compare';
            readonly operator: 'icmp' | 'fcmp';
            readonly predicate: string;
            readonly left: Value;
            readonly right: Value;
          }
        | { readonly op: 'cast'; readonly operator: CastOperator; readonly value: Value }
        | {
            readonly op: 'alloca';
            readonly allocated: Type;
            readonly count: Value | undefined;
            /** The explicit alignment; undefined means the type's own. */
            readonly alignment: number | undefined;
          }
        | { readonly op: 'load'; readonly pointer: Value; readonly isVolatile: boolean }
        | {
            readonly op: 'store';
            readonly value: Value;
            readonly pointer: Value;
            readonly isVolatile: boolean;
          }
        | { readonly op: 'fence' }
        | {
            readonly op: 'cmpxchg';
            readonly pointer: Value;
            readonly expected: Value;
            readonly replacement: Value;
          }
        | {
            readonly op: 'atomicrmw';
            readonly operator: string;
            readonly pointer: Value;
            readonly value: Value;
          }
        | {
            readonly op: 'getelementptr';
            readonly stepsOver: Type;
            readonly pointer: Value;
            readonly indices: readonly Value[];
          }
        | {
            readonly op: 'phi';
            readonly incoming: readonly { readonly value: Value; readonly block: string }[];
          }
        | {
            readonly op: 'select';
            readonly condition: Value;
            readonly then: Value;
            readonly otherwise: Value;
          }
        | (CallParts & { readonly op: 'call' })
        | { readonly op: 'va_arg'; readonly list: Value }
        | { readonly op: 'extractelement'; readonly vector: Value; readonly index: Value }
        | {
            readonly op: 'insertelement';
            readonly vector: Value;
            readonly element: Value;
            readonly index: Value;
          }
        | { readonly op: 'shufflevector'; readonly left: Value; readonly right: Value; readonly mask: Value }
        | { readonly op: 'extractvalue'; readonly aggregate: Value; readonly path: readonly number[] }
        | {
            readonly op: 'insertvalue';
            readonly aggregate: Value;
            readonly element: Value;
            readonly path: readonly number[];
          }
        | {
            readonly op: 'landingpad';
            readonly isCleanup: boolean;
            readonly clauses: readonly { readonly kind: 'catch' | 'filter'; readonly value: Value }[];
          }
        | {
            readonly op: 'catchpad' | 'cleanuppad';
            readonly parent: Value;
            readonly arguments: readonly Value[];
          }
        /** Where a variable is stored: debug records of LLVM 19, or the older debug calls. */
        | { readonly op: 'debug'; readonly record: string; readonly operands: readonly MetadataOperand[] }
        /** Unknown to this reader. It may do anything with the names in its text. */
        | { readonly op: 'unknown'; readonly text: string }
      ));

export type BinaryOperator =
  | 'add'
  | 'fadd'
  | 'sub'
  | 'fsub'
  | 'mul'
  | 'fmul'
  | 'udiv'
  | 'sdiv'
  | 'fdiv'
  | 'urem'
  | 'srem'
  | 'frem'
  | 'shl'
  | 'lshr'
  | 'ashr'
  | 'and'
  | 'or'
  | 'xor';

export type CastOperator =
  | 'trunc'
  | 'zext'
  | 'sext'
  | 'fptrunc'
  | 'fpext'
  | 'fptoui'
  | 'fptosi'
  | 'uitofp'
  | 'sitofp'
  | 'ptrtoint'
  | 'inttoptr'
  | 'bitcast'
  | 'addrspacecast'
  | 'ptrtoaddr';

export function isCall(instruction: Instruction): instruction is Instruction & CallParts {
  return instruction.op === 'call' || instruction.op === 'invoke' || instruction.op === 'callbr';
}

/** Labels of the successors, each once, in textual order. */
export function targetsOf(terminator: Terminator): readonly string[] {
  switch (terminator.op) {
    case 'br':
    case 'catchret':
      return [terminator.target];
    case 'branch':
      return unique([terminator.then, terminator.otherwise]);
    case 'switch':
      return unique([terminator.fallback, ...terminator.cases.map(({ target }) => target)]);
    case 'indirectbr':
      return unique(terminator.targets);
    case 'invoke':
      return unique([terminator.normal, terminator.unwind]);
    case 'callbr':
      return unique([terminator.normal, ...terminator.indirect]);
    case 'catchswitch':
      return unique([...terminator.handlers, ...present(terminator.unwind)]);
    case 'cleanupret':
      return present(terminator.unwind);
    case 'ret':
    case 'resume':
    case 'unreachable':
      return [];
  }
}

/** Operands in textual order, without blocks. */
export function operandsOf(instruction: Instruction): readonly Value[] {
  switch (instruction.op) {
    case 'ret':
      return present(instruction.value);
    case 'branch':
      return [instruction.condition];
    case 'switch':
    case 'resume':
    case 'fneg':
    case 'freeze':
    case 'cast':
      return [instruction.value];
    case 'indirectbr':
      return [instruction.address];
    case 'invoke':
    case 'callbr':
    case 'call':
      return [instruction.callee, ...instruction.arguments];
    case 'catchswitch':
      return [instruction.parent];
    case 'catchret':
    case 'cleanupret':
      return [instruction.pad];
    case 'binary':
    case 'compare':
      return [instruction.left, instruction.right];
    case 'alloca':
      return present(instruction.count);
    case 'load':
      return [instruction.pointer];
    case 'store':
      return [instruction.value, instruction.pointer];
    case 'cmpxchg':
      return [instruction.pointer, instruction.expected, instruction.replacement];
    case 'atomicrmw':
      return [instruction.pointer, instruction.value];
    case 'getelementptr':
      return [instruction.pointer, ...instruction.indices];
    case 'phi':
      return instruction.incoming.map(({ value }) => value);
    case 'select':
      return [instruction.condition, instruction.then, instruction.otherwise];
    case 'va_arg':
      return [instruction.list];
    case 'extractelement':
      return [instruction.vector, instruction.index];
    case 'insertelement':
      return [instruction.vector, instruction.element, instruction.index];
    case 'shufflevector':
      return [instruction.left, instruction.right, instruction.mask];
    case 'extractvalue':
      return [instruction.aggregate];
    case 'insertvalue':
      return [instruction.aggregate, instruction.element];
    case 'landingpad':
      return instruction.clauses.map(({ value }) => value);
    case 'catchpad':
    case 'cleanuppad':
      return [instruction.parent, ...instruction.arguments];
    case 'br':
    case 'unreachable':
    case 'fence':
    case 'debug':
    case 'unknown':
      return [];
  }
}

function unique(labels: readonly string[]): readonly string[] {
  return [...new Set(labels)];
}

function present<Item>(item: Item | undefined): readonly Item[] {
  return item === undefined ? [] : [item];
}
