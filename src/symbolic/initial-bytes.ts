/** The initial values of a program's variables. */

import { isComputed } from '../program/compile/index.js';
import type { Layout, Value } from '../program/ir/index.js';
import { type AddressOf, constantBits } from './constants.js';
import type { ModuleImage } from './module-image.js';

export interface PlacedVariable {
  readonly address: number;
  readonly length: number;
  readonly image: ModuleImage;
  readonly name: string;
  readonly value: Value;
}

export function placedVariables(images: readonly ModuleImage[]): readonly PlacedVariable[] {
  const placed: PlacedVariable[] = [];
  for (const image of images) {
    const { module, layout } = image.plan;
    for (const [name, address] of image.names()) {
      const variable = module.globals.get(name);
      if (variable?.initializer === undefined || address === 0) continue;
      const length = layout.storedBytes(variable.type);
      placed.push({ address, length, image, name, value: variable.initializer });
    }
  }
  return placed.toSorted((a, b) => a.address - b.address);
}

export type OnByte = (offset: number, byte: number) => void;

export function constantBytes(value: Value, layout: Layout, addressOf: AddressOf, onByte: OnByte): void {
  const left: { readonly value: Value; readonly offset: number }[] = [{ value, offset: 0 }];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    const { value: constant, offset } = part;
    const type = layout.resolved(constant.type);
    if (constant.kind === 'bytes')
      for (let at = 0; at < constant.text.length; at++) onByte(offset + at, constant.text.charCodeAt(at));
    else if (constant.kind === 'aggregate')
      for (const [at, element] of constant.elements.entries()) {
        const inside =
          type.kind === 'struct'
            ? layout.fieldOffset(type, at)
            : at * layout.strideBytes(type.kind === 'array' ? type.of : element.type);
        left.push({ value: element, offset: offset + inside });
      }
    else if (constant.kind === 'zero' || isComputed(type)) {
      const bits = constantBits(constant, layout, addressOf);
      if (bits === undefined) continue;
      const length = layout.storedBytes(type);
      for (let at = 0; at < length; at++)
        onByte(offset + at, at < 8 ? Number((bits >> BigInt(8 * at)) & 0xffn) : 0);
    }
  }
}
