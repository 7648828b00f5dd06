/** Instructions of LLVM's IR. */

import type { MetadataId } from '../graph/index.js';
import type { FunctionType, Type } from './type.js';
import type { MetadataOperand, Value } from './value.js';

/** What every instruction has. */
interface Common {
  /** The name its result is called by; undefined where it has none. */
  readonly result: string | undefined;
  /** Of its result; void where it has none. */
  readonly type: Type;
  /** Which line of the source it stands on, by the debug information. */
  readonly location: MetadataId | undefined;
}

/** An instruction that ends a block. */
export type Terminator = Common &
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
  /** For pointers whose memory is handed over by value the type of what is there. */
  readonly byValue: ReadonlyMap<number, Type>;
  readonly functionType: FunctionType;
}

export type Instruction =
  | Terminator
  | (Common &
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
            /** As it is asked for; undefined where that of the type will do. */
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
        /** What variable lives where: LLVM 19's records, and the calls of before. */
        | { readonly op: 'debug'; readonly record: string; readonly operands: readonly MetadataOperand[] }
        /** What this reader does not know; it may do anything with anything its text names. */
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

/** Where control may go after a terminator, each label once, in the order it is written. */
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

/** What it reads, in the order it is written; blocks are not among them. */
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
