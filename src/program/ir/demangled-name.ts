/**
 * The name of a C++ function as it is written, with its classes and without its parameters: `_ZN3Foo3barEi` is
 * `Foo::bar`. Undefined for what is no such symbol, or holds more than names: templates, operators, constructors.
 */
export function demangledName(symbol: string): string | undefined {
  const [, nested, from = ''] = /^_Z(N[KVr]*)?(?:L)?(\d.*)$/s.exec(symbol) ?? [];
  if (from === '') return undefined;
  const parts: string[] = [];
  let rest = from;
  while (parts.length === 0 || nested !== undefined) {
    const [, digits = ''] = /^L?(\d+)/.exec(rest) ?? [];
    if (digits === '') break;
    const start = rest.indexOf(digits) + digits.length;
    const end = start + Number(digits);
    if (end > rest.length) return undefined;
    parts.push(rest.slice(start, end));
    rest = rest.slice(end);
  }
  if (nested !== undefined && !rest.startsWith('E')) return undefined;
  return rest.startsWith('I') ? undefined : parts.join('::');
}
