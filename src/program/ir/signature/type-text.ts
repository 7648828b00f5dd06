/** A type as text: what goes before the name that is declared with it, and what goes behind. */

export interface TypeText {
  readonly before: string;
  readonly behind: string;
  /** A function or an array: what points to it goes in brackets, between the two. */
  readonly isSplit?: boolean | undefined;
  readonly reference?: '&' | '&&' | undefined;
  /** The elements, for arguments of a template that stand for any number. */
  readonly pack?: readonly TypeText[] | undefined;
}

export function plainType(text: string): TypeText {
  return { before: text, behind: '' };
}

export function typeText({ before, behind, pack }: TypeText): string {
  return pack === undefined ? before + behind : listed(pack);
}

/** Nothing is between commas where a pack is empty. */
export function listed(types: readonly TypeText[]): string {
  return types
    .filter(({ pack }) => pack === undefined || pack.length > 0)
    .map(typeText)
    .join(', ');
}

/** @param sign `*`, or what else is declared between a split type's parts, such as `Foo::*` */
export function pointerTo(type: TypeText, sign: string): TypeText {
  const { before, behind, isSplit } = type;
  if (isSplit !== true) return { before: before + sign, behind };
  const space = before.endsWith(' ') ? '' : ' ';
  return { before: `${before}${space}(${sign}`, behind: `)${behind}` };
}

/** A reference to a reference is one: to a value that may be moved only where both are. */
export function referenceTo(type: TypeText, sign: '&' | '&&'): TypeText {
  if (type.reference === undefined) return { ...pointerTo(type, sign), reference: sign };
  if (type.reference === sign || sign === '&&') return type;
  const open = type.before.lastIndexOf('&&');
  return { ...type, before: `${type.before.slice(0, open)}&${type.before.slice(open + 2)}`, reference: '&' };
}

/** What is constant already is so once. */
export function qualified(type: TypeText, qualifiers: string): TypeText {
  if (type.before.endsWith(qualifiers)) return type;
  return type.isSplit === true && type.behind.startsWith('(')
    ? { ...type, behind: type.behind + qualifiers }
    : { ...type, before: type.before + qualifiers };
}
