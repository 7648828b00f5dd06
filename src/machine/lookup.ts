/**
 * The value under a name from outside. A plain `table[name]` would also find members of the prototype, such as
 * `constructor`. `tests/house.test.ts` checks that no other code looks up such names.
 */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
