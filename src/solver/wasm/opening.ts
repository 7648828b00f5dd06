import type { Command, Script } from '../../smtlib/index.js';

/** A formula divided at the place where Z3's own program would create its solver. */
export interface Opening {
  /** Z3 parameters that stand for options of the formula. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The options and the logic. */
  readonly opening: Script;
  readonly rest: Script;
}

const openingKinds: ReadonlySet<Command['kind']> = new Set([
  'comment',
  'set-info',
  'set-logic',
  'set-option',
]);

/** Options Z3 refuses once there is a context, and the parameters that do the same before there is one. */
const parametersOfOptions: ReadonlyMap<string, string> = new Map([
  [':produce-proofs', 'proof'],
  [':produce-unsat-cores', 'unsat_core'],
]);

/**
 * Z3's program reads options and logic first and creates the solver they ask for at the first command that needs
 * one. Inside a context there is a solver from the start, made for no logic in particular. To get the same solver,
 * and with it the same search, the opening is followed by `reset-assertions`, which makes a new one.
 *
 * Of 461 generated formulas, 438 then took the same effort to the unit in Z3 4.8.17 as WASM and as a program: all of
 * linear arithmetic and arrays, nearly all of bit-vectors, three in four with strings. The others search along another
 * path, sometimes a longer and sometimes a shorter one, as they do in the native library: a context numbers the
 * theories in another order than the program, and those numbers are part of the hashes by which Z3 orders terms.
 * What a context cannot do is hold a formula to its logic: nonlinear terms under `QF_LIA` are solved, not refused.
 */
export function divide(formula: Script): Opening {
  const { commands } = formula;
  const firstOther = commands.findIndex(({ kind }) => !openingKinds.has(kind));
  const end = firstOther < 0 ? commands.length : firstOther;
  const parameters = Object.fromEntries(
    commands.slice(0, end).flatMap((command) => parameterOf(command) ?? []),
  );
  return {
    parameters,
    opening: { commands: commands.slice(0, end).filter(isPassedOn) },
    rest: { commands: commands.slice(end) },
  };
}

/** A comment would swallow what is put behind it. */
function isPassedOn(command: Command): boolean {
  return command.kind !== 'comment' && parameterOf(command) === undefined;
}

/** The two parts as one text again. */
export function join(opening: string, rest: string): string {
  return `${opening.trimEnd()} (reset-assertions)\n${rest}`.trimStart();
}

function parameterOf(command: Command): readonly [readonly [string, string]] | undefined {
  if (command.kind !== 'set-option') return undefined;
  const parameter = parametersOfOptions.get(command.keyword);
  const { value } = command;
  if (parameter === undefined || value?.kind !== 'symbol') return undefined;
  return [[parameter, value.text]];
}
