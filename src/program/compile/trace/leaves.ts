/** Splits values into scalars, and scalars into the 64-bit numbers of a recording. */

import type { Layout, Type } from '../../ir/index.js';

export interface ScalarLeaf {
  /** Indices into nested aggregates; empty if the value itself is a scalar. */
  readonly path: readonly number[];
  readonly type: Type;
  readonly form: LeafForm;
  readonly bits: number;
}

/**
 * Encoding of a scalar: bytes unsigned, wider integers signed, floats with reversed bytes, because most end in zeros.
 * Wider values take several numbers, lowest bits first.
 */
export type LeafForm = 'unsigned' | 'signed' | 'pointer' | 'float' | 'wide';

const floatBits = { half: 16, bfloat: 16, float: 32, double: 64, x86_fp80: 80, fp128: 128, ppc_fp128: 128 };

/** Count of numbers of a leaf. */
export function wordsOf({ form, bits }: Pick<ScalarLeaf, 'form' | 'bits'>): number {
  return form === 'wide' ? Math.ceil(bits / 64) : 1;
}

/** Whether a replay computes values of this type. Others are recorded wherever they are produced. */
export function isComputed(type: Type): boolean {
  switch (type.kind) {
    case 'integer':
      return type.bits <= 64;
    case 'float':
      return type.format === 'float' || type.format === 'double';
    case 'pointer':
      return true;
    default:
      return false;
  }
}

/** Undefined for a type whose values cannot be recorded. */
export function leavesOf(type: Type, layout: Layout): readonly ScalarLeaf[] | undefined {
  const leaves: ScalarLeaf[] = [];
  return addLeaves(type, [], layout, leaves) ? leaves : undefined;
}

/** More than in any compiler's output: aggregates in registers are small. */
const maxLeaves = 256;

function addLeaves(type: Type, path: readonly number[], layout: Layout, leaves: ScalarLeaf[]): boolean {
  const whole = layout.resolved(type);
  if (whole.kind === 'void') return true;
  if (whole.kind === 'struct')
    return whole.fields.every((field, at) => addLeaves(field, [...path, at], layout, leaves));
  if (whole.kind === 'array') {
    if (whole.length > maxLeaves) return false;
    for (let at = 0; at < whole.length; at++)
      if (!addLeaves(whole.of, [...path, at], layout, leaves)) return false;
    return true;
  }
  const scalar = scalarOf(whole, layout);
  if (scalar === undefined || leaves.length === maxLeaves) return false;
  leaves.push({ path, type: whole, ...scalar });
  return true;
}

function scalarOf(type: Type, layout: Layout): Pick<ScalarLeaf, 'form' | 'bits'> | undefined {
  switch (type.kind) {
    case 'integer':
      if (type.bits > 64) return { form: 'wide', bits: type.bits };
      return { form: type.bits <= 8 ? 'unsigned' : 'signed', bits: type.bits };
    case 'pointer':
      return type.space === 0 ? { form: 'pointer', bits: 64 } : undefined;
    case 'float': {
      const bits = floatBits[type.format];
      return { form: bits === 32 || bits === 64 ? 'float' : 'wide', bits };
    }
    case 'vector':
      if (type.isScalable || type.of.kind === 'pointer') return undefined;
      return { form: 'wide', bits: bitsOf(type.of, layout) * type.length };
    default:
      return undefined;
  }
}

function bitsOf(type: Type, layout: Layout): number {
  return type.kind === 'integer' ? type.bits : layout.storedBytes(type) * 8;
}
