import type { Command, Script } from '../../smtlib/index.js';

/** What the command line of a run depends on. */
export interface FormulaFacts {
  /** How many answers to expect. */
  readonly checkSats: number;
  /** It asks more than once or pushes, which CVC has to be told beforehand. */
  readonly incremental: boolean;
  readonly strings: boolean;
}

const asking: ReadonlySet<string> = new Set([
  ...['check-sat', 'check-sat-assuming', 'check-sat-using'],
  // Whether a relation of Z3's fixed points can be reached: it answers in the same words.
  'query',
]);

/**
 * The formula without what only writes to the output: Z3 prints the text of an `echo` bare, so an echoed `sat`
 * could not be told from an answer.
 */
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
  const checkSats = reached.filter((command) => asking.has(nameOf(command))).length;
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
