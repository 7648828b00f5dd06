/**
 * What a table holds under a name from outside. A plain `table[name]` would also find what every object has from its
 * prototype, such as `constructor`; `tests/house.test.ts` sees to it that this is the only place that looks up so.
 */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
