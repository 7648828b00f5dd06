import { isChain, isLanguage, type Operation, onBooleans, type Value } from './value.js';

/** Regular languages are not compared: their text does not decide equality. */
const comparable =
  (operate: (args: readonly Value[]) => boolean): Operation =>
  (args) =>
    args.some(isLanguage) ? undefined : operate(args);

export const core: Readonly<Record<string, Operation>> = {
  true: () => true,
  false: () => false,
  not: onBooleans((truth) => !truth),
  and: onBooleans((...all) => all.every((truth) => truth)),
  or: onBooleans((...all) => all.some((truth) => truth)),
  xor: onBooleans((...all) => all.filter((truth) => truth).length % 2 === 1),
  '=>': onBooleans((...all) => all.at(-1) === true || all.slice(0, -1).some((truth) => !truth)),
  '=': comparable((all) => isChain(all, (a, b) => a === b)),
  distinct: comparable((all) => new Set(all).size === all.length),
  ite: ([condition, then, otherwise]) =>
    typeof condition === 'boolean' ? (condition ? then : otherwise) : undefined,
};
