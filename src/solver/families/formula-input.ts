import type { Command, Script } from '../../smtlib/index.js';

export interface FormulaFacts {
  readonly checkSats: number;
  /** It has several queries or `push`, which CVC must know in advance. */
  readonly incremental: boolean;
  readonly strings: boolean;
}

const queries: ReadonlySet<string> = new Set([
  ...['check-sat', 'check-sat-assuming', 'check-sat-using'],
  // Z3's fixed-point engine answers `query` with the same words.
  'query',
]);

/** Removes `echo` commands: Z3 prints their text without quotes, so an echoed `sat` would look like an answer. */
export function withoutEcho(formula: Script): Script {
  const isEcho = (command: Command) => nameOf(command) === 'echo';
  return formula.commands.some(isEcho)
    ? { commands: formula.commands.filter((command) => !isEcho(command)) }
    : formula;
}

/** `text` is the formula as printed for the version. */
export function formulaFacts(formula: Script, text: string): FormulaFacts {
  const exit = formula.commands.findIndex((command) => nameOf(command) === 'exit');
  const reached = exit < 0 ? formula.commands : formula.commands.slice(0, exit);
  const checkSats = reached.filter((command) => queries.has(nameOf(command))).length;
  return {
    checkSats,
    incremental: checkSats > 1 || reached.some((command) => command.kind === 'push'),
    strings: stringWords.test(text),
  };
}

const stringWords = /[\s(](?:String|RegLan|Seq|(?:str|re|seq)\.[\w.+<]+)[\s()]/;

function nameOf(command: Command): string {
  return command.kind === 'other' || command.kind === 'term-command' ? command.name : command.kind;
}
