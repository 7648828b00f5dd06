import type { Command, Script } from '../../smtlib/index.js';

/** A formula, split at the command at which Z3's own program would create its solver. */
export interface SplitFormula {
  /** Z3 parameters that replace options of the formula. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly opening: Script;
  readonly rest: Script;
}

const openingKinds: ReadonlySet<Command['kind']> = new Set([
  'comment',
  'set-info',
  'set-logic',
  'set-option',
]);

/** Options that Z3 rejects inside a context, and the global parameters that replace them. */
const parametersOfOptions: ReadonlyMap<string, string> = new Map([
  [':produce-proofs', 'proof'],
  [':produce-unsat-cores', 'unsat_core'],
]);

/**
 * Z3's program reads options and logic first and creates its solver at the first command that needs one. A context
 * has a solver from the start, for no particular logic. A `reset-assertions` after the opening makes it create the
 * right solver, with the same search.
 *
 * Of 461 generated formulas, 438 then took exactly the same effort in Z3 4.8.17 as WASM and as a program: all of
 * linear arithmetic and arrays, nearly all of bit-vectors, three in four with strings. The others search differently,
 * as they do in the native library: a context numbers the theories in another order, and these numbers are part of
 * the hashes that order terms. A context also does not enforce the logic: it solves nonlinear terms under `QF_LIA`
 * instead of rejecting them.
 */
export function splitFormula(formula: Script): SplitFormula {
  const { commands } = formula;
  const firstOther = commands.findIndex(({ kind }) => !openingKinds.has(kind));
  const end = firstOther < 0 ? commands.length : firstOther;
  const parameters = Object.fromEntries(
    commands.slice(0, end).flatMap((command) => parameterOf(command) ?? []),
  );
  return {
    parameters,
    opening: { commands: commands.slice(0, end).filter(isPartOfOpening) },
    rest: { commands: commands.slice(end) },
  };
}

/** A comment would hide the text after it. */
function isPartOfOpening(command: Command): boolean {
  return command.kind !== 'comment' && parameterOf(command) === undefined;
}

export function joinParts(opening: string, rest: string): string {
  return `${opening.trimEnd()} (reset-assertions)\n${rest}`.trimStart();
}

function parameterOf(command: Command): readonly [readonly [string, string]] | undefined {
  if (command.kind !== 'set-option') return undefined;
  const parameter = parametersOfOptions.get(command.keyword);
  const { value } = command;
  if (parameter === undefined || value?.kind !== 'symbol') return undefined;
  return [[parameter, value.text]];
}
