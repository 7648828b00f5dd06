/** What a call through a pointer tells of the function it calls. */

import type { FunctionType, Signature, Type } from '../ir/index.js';

/** Functions whose definitions do not say what they take. */
export const unsaid = '...';

/** Shapes of functions a call may go to. */
export function shapesOfCall({ parameters, isVariadic }: FunctionType): readonly [string, string] {
  // Without a prototype and without an argument: to what takes nothing, or does not say what it takes.
  const own = parameters.map(shape).join(' ');
  return isVariadic && parameters.length === 0 ? [unsaid, ''] : [own, unsaid];
}

export function shapeOfFunction({ parameters, isVariadic }: Signature): string {
  if (isVariadic && parameters.length === 0) return unsaid;
  return parameters.map(({ type }) => shape(type)).join(' ');
}

/** Types that a call through a pointer cannot tell apart are one. */
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
