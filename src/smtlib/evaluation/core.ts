import { isChain, isLanguage, type Operation, onTruths, type Value } from './value.js';

/** Regular languages are not compared: their text does not decide equality. */
const comparable =
  (operate: (args: readonly Value[]) => boolean): Operation =>
  (args) =>
    args.some(isLanguage) ? undefined : operate(args);

export const core: Readonly<Record<string, Operation>> = {
  true: () => true,
  false: () => false,
  not: onTruths((truth) => !truth),
  and: onTruths((...all) => all.every((truth) => truth)),
  or: onTruths((...all) => all.some((truth) => truth)),
  xor: onTruths((...all) => all.filter((truth) => truth).length % 2 === 1),
  '=>': onTruths((...all) => all.at(-1) === true || all.slice(0, -1).some((truth) => !truth)),
  '=': comparable((all) => isChain(all, (a, b) => a === b)),
  distinct: comparable((all) => new Set(all).size === all.length),
  ite: ([condition, then, otherwise]) =>
    typeof condition === 'boolean' ? (condition ? then : otherwise) : undefined,
};
