/**
 * All formulas that differ in one command: a command deleted, an option inverted, an assertion negated, or a special
 * check-sat replaced by the plain one. Small formulas offer little else to change.
 */

import { printScript } from '../printing/print.js';
import { apply, type Command, type Script, type Term } from '../tree.js';
import { maxShownLength, type Variant } from './variants.js';

export function* commandVariants(script: Script): Generator<Variant> {
  const questions = script.commands.filter(isQuestion).length;
  for (const [at, command] of script.commands.entries())
    for (const next of othersFor(command, questions > 1)) {
      const commands = script.commands.toSpliced(at, 1, ...(next === undefined ? [] : [next]));
      const after = next === undefined ? 'nothing' : shown(next);
      const rule = `${commandName(command)} to ${next === undefined ? 'nothing' : commandName(next)}`;
      yield { formula: { commands }, change: 'command', rule, before: shown(command), after };
    }
}

/** Replacements of a command; undefined deletes it. */
function othersFor(command: Command, maySkip: boolean): readonly (Command | undefined)[] {
  const skipped = maySkip ? [undefined] : [];
  switch (command.kind) {
    case 'assert':
      return [undefined, { ...command, term: negated(command.term) }];
    case 'set-option': {
      const opposite = oppositeOf(command);
      return opposite === undefined ? [undefined] : [undefined, opposite];
    }
    case 'set-logic':
    case 'term-command':
      return [undefined];
    case 'check-sat':
      return skipped;
    case 'check-sat-assuming':
      return [{ kind: 'check-sat' }, ...skipped];
    case 'other':
      return isQuestion(command) ? [{ kind: 'check-sat' }, ...skipped] : [];
    default:
      return [];
  }
}

/** Includes solver-specific commands such as `check-sat-using`. */
function isQuestion(command: Command): boolean {
  return commandName(command).startsWith('check-sat');
}

function commandName(command: Command): string {
  return command.kind === 'other' || command.kind === 'term-command' ? command.name : command.kind;
}

function negated(term: Term): Term {
  const [inner, ...others] = term.kind === 'apply' && term.fn.symbol === 'not' ? term.args : [];
  return inner !== undefined && others.length === 0 ? inner : apply('not', term);
}

const opposites: ReadonlyMap<string, string> = new Map([
  ['true', 'false'],
  ['false', 'true'],
]);

function oppositeOf(command: Extract<Command, { readonly keyword: string }>): Command | undefined {
  const { value } = command;
  const text = value?.kind === 'symbol' ? opposites.get(value.text) : undefined;
  return value?.kind !== 'symbol' || text === undefined
    ? undefined
    : { ...command, value: { ...value, text } };
}

function shown(command: Command): string {
  const text = printScript({ commands: [command] }).trim();
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength - 1)}…` : text;
}
