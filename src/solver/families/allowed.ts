/**
 * Removes dangerous options and commands from formulas. Formulas come from strangers, and solvers write, read and run
 * files on request.
 */

import type { Command, Script, SExpr } from '../../smtlib/index.js';
import type { FamilyName, Version } from '../version/version.js';
import { standardCommands, standardInfos, standardOptions } from './allowed-standard.js';
import type { Family } from './family.js';
import { families } from './index.js';

/** True if a formula may set this option. `name` is the solver's own, with or without its colon. */
export function isAllowedOption(family: FamilyName, name: string): boolean {
  return hasOption(families[family], name.startsWith(':') ? name.slice(1) : name);
}

function hasOption({ allowed }: Family, name: string): boolean {
  return standardOptions.has(name) || allowed.hasOption(name);
}

export function allowedPart(formula: Script, { family }: Version): Script {
  const isAllowed = (command: Command): boolean =>
    !isUnneeded(command) && rejectionOf(command, families[family]) === undefined;
  return formula.commands.every(isAllowed) ? formula : { commands: formula.commands.filter(isAllowed) };
}

/**
 * Describes each part of a formula that is left out for a version, once.
 *
 * @example leftOutFor(parseScript('(set-option :sat.drat.file "x") (check-sat)'), z3); // ['(set-option
 * :sat.drat.file …) is left out: a formula may not set this option of z3']
 */
export function leftOutFor(formula: Script, { family }: Pick<Version, 'family'>): readonly string[] {
  const found = new Set<string>();
  for (const command of formula.commands) {
    const objection = rejectionOf(command, families[family]);
    if (objection !== undefined) found.add(objection);
  }
  return [...found];
}

/**
 * Comments are removed because they end at a line feed in Z3 but at a carriage return in CVC, which would read the
 * rest as commands. The language version is removed because culprit prints each formula in the solver's own dialect.
 */
function isUnneeded(command: Command): boolean {
  return (
    command.kind === 'comment' || (command.kind === 'set-info' && command.keyword === ':smt-lib-version')
  );
}

function rejectionOf(command: Command, family: Family): string | undefined {
  switch (command.kind) {
    case 'set-option':
      return hasOption(family, command.keyword.slice(1))
        ? undefined
        : `(set-option ${short(command.keyword)} …) is left out: a formula may not set this option of ${solverOf(family)}`;
    case 'set-info': {
      const isKnown = command.keyword === ':smt-lib-version' || standardInfos.has(command.keyword.slice(1));
      return isKnown
        ? undefined
        : `(set-info ${short(command.keyword)} …) is left out: its effect on ${solverOf(family)} is unknown`;
    }
    case 'term-command':
    case 'other':
      return rejectionOfOther(command.name, command.rest, family);
    default:
      return undefined;
  }
}

function rejectionOfOther(name: string, rest: readonly SExpr[], family: Family): string | undefined {
  const { allowed } = family;
  if (!standardCommands.has(name) && !allowed.commands.has(name)) {
    return `(${short(name)} …) is left out: a formula may not use this command of ${solverOf(family)}`;
  }
  if (!allowed.takesOptionsInCommands || readingCommands.has(name)) return undefined;
  const word = forbiddenWord(rest, family);
  return word && `(${name} … ${short(word)} …) is left out: a formula may not set it in ${solverOf(family)}`;
}

function solverOf({ name }: Family): string {
  return name === 'custom' ? 'a solver' : name;
}

/** Their keyword only names a value to print. */
const readingCommands: ReadonlySet<string> = new Set(['get-info', 'get-option']);

/**
 * The first forbidden option among a command's arguments, or the tactic `echo`, whose output could look like an
 * answer.
 */
function forbiddenWord(rest: readonly SExpr[], family: Family): string | undefined {
  const todo = [...rest];
  for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
    if (item.kind === 'list') {
      const [head] = item.items;
      if (head?.kind === 'symbol' && head.text === 'echo') return head.text;
      for (const inner of item.items) todo.push(inner);
    } else if (item.kind === 'keyword' && !hasOption(family, item.text.slice(1))) {
      return item.text;
    }
  }
  return undefined;
}

/** Keywords and names of commands are ASCII, but may have any length. */
function short(word: string): string {
  return word.length > 60 ? `${word.slice(0, 57)}…` : word;
}
