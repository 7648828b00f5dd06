/** Parameter types as far as a call through a pointer reveals them. */

import type { FunctionType, Signature, Type } from '../../ir/index.js';

export const noPrototype = '...';

export function shapesOfCall({ parameters, isVariadic }: FunctionType): readonly [string, string] {
  // Without prototype and arguments: functions without parameters or without a prototype.
  const shapes = parameters.map(shape).join(' ');
  return isVariadic && parameters.length === 0 ? [noPrototype, ''] : [shapes, noPrototype];
}

export function shapeOfFunction({ parameters, isVariadic }: Signature): string {
  if (isVariadic && parameters.length === 0) return noPrototype;
  return parameters.map(({ type }) => shape(type)).join(' ');
}

/** Types that a call through a pointer cannot distinguish have the same text. */
function shape(type: Type): string {
  switch (type.kind) {
    case 'pointer':
      return 'p';
    case 'integer':
      return `i${type.bits}`;
    case 'float':
      return type.format;
    default:
      return type.kind;
  }
}
