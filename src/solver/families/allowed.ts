/** What of a formula reaches a solver: formulas come from strangers, and solvers write, read and run files if asked. */

import type { Command, Script, SExpr } from '../../smtlib/index.js';
import type { FamilyName, Version } from '../version/version.js';
import { standardCommands, standardInfos, standardOptions } from './allowed-standard.js';
import type { Family } from './family.js';
import { families } from './index.js';

/** May a stranger set this option of a family's solvers? `name` is as the solver has it, with or without its colon. */
export function isAllowedOption(family: FamilyName, name: string): boolean {
  return hasOption(families[family], name.startsWith(':') ? name.slice(1) : name);
}

function hasOption({ allowed }: Family, name: string): boolean {
  return standardOptions.has(name) || allowed.hasOption(name);
}

/** The formula without what a formula may not do. */
export function allowedPart(formula: Script, { family }: Version): Script {
  const isKept = (command: Command): boolean =>
    !isBesideThePoint(command) && objectionTo(command, families[family]) === undefined;
  return formula.commands.every(isKept) ? formula : { commands: formula.commands.filter(isKept) };
}

/**
 * What of a formula a version does not get to see, in words; each of them once.
 *
 * @example
 * leftOutFor(parseScript('(set-option :sat.drat.file "x") (check-sat)'), z3);
 * // ['(set-option :sat.drat.file …) is left out: it is no option of z3 that a formula may set']
 */
export function leftOutFor(formula: Script, { family }: Pick<Version, 'family'>): readonly string[] {
  const found = new Set<string>();
  for (const command of formula.commands) {
    const objection = objectionTo(command, families[family]);
    if (objection !== undefined) found.add(objection);
  }
  return [...found];
}

/**
 * What no solver needs to see. A comment ends at the line's end for Z3 and at a carriage return for CVC, which then
 * reads on in what everybody else takes for a comment; and the version of the language is for culprit to say, which
 * writes each formula in the dialect of the solver.
 */
function isBesideThePoint(command: Command): boolean {
  return (
    command.kind === 'comment' || (command.kind === 'set-info' && command.keyword === ':smt-lib-version')
  );
}

/** Why a command does not reach the solvers of a family; undefined if it does. */
function objectionTo(command: Command, family: Family): string | undefined {
  switch (command.kind) {
    case 'set-option':
      return hasOption(family, command.keyword.slice(1))
        ? undefined
        : `(set-option ${short(command.keyword)} …) is left out: it is no option of ${solverOf(family)} that a formula may set`;
    case 'set-info': {
      const isKnown = command.keyword === ':smt-lib-version' || standardInfos.has(command.keyword.slice(1));
      return isKnown
        ? undefined
        : `(set-info ${short(command.keyword)} …) is left out: nobody knows what ${solverOf(family)} makes of it`;
    }
    case 'term-command':
    case 'other':
      return objectionToOther(command.name, command.rest, family);
    default:
      return undefined;
  }
}

function objectionToOther(name: string, rest: readonly SExpr[], family: Family): string | undefined {
  const { allowed } = family;
  if (!standardCommands.has(name) && !allowed.commands.has(name)) {
    return `(${short(name)} …) is left out: it is no command that a formula may give to ${solverOf(family)}`;
  }
  if (!allowed.takesOptionsInCommands || asking.has(name)) return undefined;
  const word = forbiddenWord(rest, family);
  return (
    word && `(${name} … ${short(word)} …) is left out: it is nothing a formula may set in ${solverOf(family)}`
  );
}

/** In words: what a template calls has no name that says anything. */
function solverOf({ name }: Family): string {
  return name === 'custom' ? 'a solver' : name;
}

/** Commands that ask for the value of what their keyword names. */
const asking: ReadonlySet<string> = new Set(['get-info', 'get-option']);

/**
 * The first option among the words of a command that may not be set, or the tactic `echo`: what it prints could not be
 * told from an answer.
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

/** Keywords and the names of commands are plain ASCII, but may be of any length. */
function short(word: string): string {
  return word.length > 60 ? `${word.slice(0, 57)}…` : word;
}
