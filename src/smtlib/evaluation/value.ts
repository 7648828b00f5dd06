import { itemAt } from '../item-at.js';

/** A regular language: where in the text a match that begins at `from` can end. */
export interface Language {
  ends(text: string, from: number): ReadonlySet<number>;
}

/** What a term stands for: a string as text in which every character is one code unit. */
export type Value = boolean | bigint | string | Language;

export function isLanguage(value: Value | undefined): value is Language {
  return typeof value === 'object';
}

/** What an operator does with well-sorted arguments; undefined where the standard leaves it open. */
export type Operation = (args: readonly Value[], indices: readonly number[]) => Value | undefined;

/** An operation that takes values of one type: as many as it names, or at least one. */
const on =
  <Type extends Value>(isType: (value: Value) => value is Type) =>
  (operate: (...args: Type[]) => Value | undefined): Operation =>
  (args) =>
    args.length >= Math.max(1, operate.length) && args.every(isType) ? operate(...args) : undefined;

export const onTruths = on((value) => typeof value === 'boolean');
export const onIntegers = on((value) => typeof value === 'bigint');
export const onStrings = on((value) => typeof value === 'string');
export const onLanguages = on(isLanguage);

/** Does it hold between all neighbours? */
export function isChain<Item extends Value>(
  items: readonly Item[],
  holds: (left: Item, right: Item) => boolean,
): boolean {
  return items.every((item, at) => at === 0 || holds(itemAt(items, at - 1), item));
}
