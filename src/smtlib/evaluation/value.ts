import { itemAt } from '../collections.js';

/** A regular language: `ends` returns the positions at which a match starting at `from` can end. */
export interface Language {
  ends(text: string, from: number): ReadonlySet<number>;
}

/** In a string value, every character is one code unit. */
export type Value = boolean | bigint | string | Language;

export function isLanguage(value: Value | undefined): value is Language {
  return typeof value === 'object';
}

/** The semantics of an operator on well-sorted arguments; undefined if the standard leaves the result open. */
export type Operation = (args: readonly Value[], indices: readonly number[]) => Value | undefined;

/** An operation on values of one type, with as many parameters as `operate` has, at least one. */
const onAllOfType =
  <Type extends Value>(isType: (value: Value) => value is Type) =>
  (operate: (...args: Type[]) => Value | undefined): Operation =>
  (args) =>
    args.length >= Math.max(1, operate.length) && args.every(isType) ? operate(...args) : undefined;

export const onBooleans = onAllOfType((value) => typeof value === 'boolean');
export const onIntegers = onAllOfType((value) => typeof value === 'bigint');
export const onStrings = onAllOfType((value) => typeof value === 'string');
export const onLanguages = onAllOfType(isLanguage);

export function isChain<Item extends Value>(
  items: readonly Item[],
  holds: (left: Item, right: Item) => boolean,
): boolean {
  return items.every((item, at) => at === 0 || holds(itemAt(items, at - 1), item));
}
