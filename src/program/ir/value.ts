/** Operands of instructions: names and constants. */

import type { MetadataId } from '../graph/index.js';
import type { Type } from './type.js';

export type Value =
  /** An argument, the result of an instruction, or a block. */
  | { readonly kind: 'local'; readonly type: Type; readonly name: string }
  | { readonly kind: 'global'; readonly type: Type; readonly name: string }
  | { readonly kind: 'integer'; readonly type: Type; readonly value: bigint }
  /** As written: decimal, or the bits in hexadecimal. */
  | { readonly kind: 'float'; readonly type: Type; readonly text: string }
  /** `none` is the token of a pad without a parent. */
  | { readonly kind: 'null' | 'undef' | 'poison' | 'zero' | 'none'; readonly type: Type }
  /** An array of bytes, one character each. */
  | { readonly kind: 'bytes'; readonly type: Type; readonly text: string }
  /** Elements of an array, vector or struct. */
  | { readonly kind: 'aggregate'; readonly type: Type; readonly elements: readonly Value[] }
  | ConstantExpression
  | {
      readonly kind: 'block-address';
      readonly type: Type;
      readonly function: string;
      readonly block: string;
    }
  | {
      readonly kind: 'asm';
      readonly type: Type;
      readonly code: string;
      readonly constraints: string;
      readonly hasSideEffects: boolean;
    }
  | { readonly kind: 'metadata'; readonly type: Type; readonly of: MetadataOperand };

export interface ConstantExpression {
  readonly kind: 'expression';
  readonly type: Type;
  /** The opcode, such as `getelementptr` or `bitcast`. */
  readonly operator: string;
  readonly operands: readonly Value[];
  /** Comparison of an icmp or fcmp. */
  readonly predicate?: string | undefined;
  /** Source element type of a getelementptr. */
  readonly stepsOver?: Type | undefined;
}

export type MetadataOperand =
  | { readonly kind: 'node'; readonly id: MetadataId }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: Value }
  /** Inline metadata, such as `!DIExpression()`. */
  | { readonly kind: 'inline'; readonly text: string };

/** The value and all its nested parts. */
export function* nestedValues(value: Value): Generator<Value> {
  const pending = [value];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    yield part;
    // Pushes one by one: a table of a hundred thousand elements exceeds the limit of call arguments.
    if (part.kind === 'aggregate') for (const element of part.elements) pending.push(element);
    else if (part.kind === 'expression') for (const operand of part.operands) pending.push(operand);
    else if (part.kind === 'metadata' && part.of.kind === 'value') pending.push(part.of.value);
  }
}
