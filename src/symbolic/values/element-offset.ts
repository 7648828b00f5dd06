import type { Layout, Type, Value } from '../../program/ir/index.js';

/** The offset of a getelementptr: a constant number of bytes plus a stride for each variable index. */
export interface ElementOffset {
  readonly constant: number;
  readonly terms: readonly { readonly index: Value; readonly stride: number }[];
}

export function elementOffset(
  layout: Layout,
  stepsOver: Type,
  indices: readonly Value[],
): ElementOffset | undefined {
  let constant = 0;
  const terms: { index: Value; stride: number }[] = [];
  const step = (index: Value, stride: number): void => {
    if (index.kind === 'integer') constant += Number(index.value) * stride;
    else if (index.kind !== 'zero' && index.kind !== 'null') terms.push({ index, stride });
  };
  let type = stepsOver;
  for (const [depth, index] of indices.entries()) {
    if (depth === 0) {
      step(index, layout.strideBytes(type));
      continue;
    }
    const whole = layout.resolved(type);
    if (whole.kind === 'struct') {
      const field = index.kind === 'integer' ? Number(index.value) : 0;
      constant += layout.fieldOffset(whole, field);
      type = whole.fields[field] ?? { kind: 'opaque' };
    } else if (whole.kind === 'array' || whole.kind === 'vector') {
      step(index, layout.strideBytes(whole.of));
      type = whole.of;
    } else return undefined;
  }
  return { constant, terms };
}
