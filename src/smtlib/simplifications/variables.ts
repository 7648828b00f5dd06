/** Rules that merge, inline and rename variables. */

import { namesDeclaredBy } from '../checking/declarations.js';
import { symbolsIn } from '../occurrences/assertions.js';
import { isConstant } from '../occurrences/literal-terms.js';
import { endsScopes, type Occurrences } from '../occurrences/occurrences.js';
import { renameInCommand } from '../occurrences/rename.js';
import { replaceAt } from '../occurrences/replace-at.js';
import { allBoundNames, constraintAt, symbolsOf } from '../occurrences/scope.js';
import type { Occurrence, TermNode } from '../occurrences/term-node.js';
import { sortKey } from '../printing/sort-key.js';
import { operatorsByName } from '../theories/index.js';
import { type Command, commandTerms, name, type Script, type Term, withCommandTerms } from '../tree.js';
import type { ScriptRule } from './rule.js';
import { letters, otherLetters, shortNames } from './short-names.js';
import { substitute } from './substitute.js';
import { weight } from './weight.js';

interface DeclaredConstant {
  readonly at: number;
  readonly name: string;
  readonly key: string;
}

/** The constants that are declared exactly once and bound nowhere. */
function freeConstants(occurrences: Occurrences): readonly DeclaredConstant[] {
  const { script, declarations } = occurrences;
  const bound = allBoundNames(occurrences);
  return script.commands.flatMap((command, at): DeclaredConstant[] => {
    if (command.kind !== 'declare-const' && (command.kind !== 'declare-fun' || command.parameters.length > 0))
      return [];
    const isFree = declarations.byName.get(command.name)?.length === 1 && !bound.has(command.name);
    return isFree ? [{ at, name: command.name, key: sortKey(command.result) }] : [];
  });
}

export const mergeVariables: ScriptRule = {
  summary: 'replaces a variable by another',
  scripts(occurrences) {
    const { script } = occurrences;
    if (script.commands.some(endsScopes)) return [];
    const free = freeConstants(occurrences);
    const before = new Map<string, DeclaredConstant[]>();
    return free.flatMap((gone) => {
      const earlier = before.get(gone.key) ?? [];
      const isOther = ({ name }: DeclaredConstant): boolean => name !== gone.name;
      // Of many variables, try only the first and the nearest one: all pairs would be too many.
      const some =
        earlier.length <= fewVariables
          ? new Set(earlier.filter(isOther))
          : new Set([earlier.find(isOther), earlier.findLast(isOther)]);
      before.set(gone.key, earlier);
      earlier.push(gone);
      return [...some].flatMap((kept) => (kept === undefined ? [] : [() => mergeInto(script, gone, kept)]));
    });
  },
};

/** With at most this many variables of a sort, all pairs are tried. */
const fewVariables = 4;

function mergeInto(script: Script, gone: DeclaredConstant, kept: DeclaredConstant): Script {
  const names = new Map([[gone.name, kept.name]]);
  return {
    commands: script.commands.toSpliced(gone.at, 1).map((command) => renameInCommand(command, names)),
  };
}

export const mergeAllVariables: ScriptRule = {
  summary: 'replaces all variables and literals of a sort by one variable',
  scripts(occurrences) {
    const { script } = occurrences;
    if (script.commands.some(endsScopes)) return [];
    const free = freeConstants(occurrences);
    const keys = [...new Set(free.map(({ key }) => key))];
    return keys.flatMap((key) => {
      const [kept, ...gone] = free.filter((constant) => constant.key === key);
      if (kept === undefined || gone.length === 0) return [];
      const literals = occurrences.changeable.flatMap((command) =>
        (occurrences.commands[command]?.nodes ?? [])
          .filter((node) => node.key === key && isConstant(node.term) && constraintAt(node) === 'term')
          .map((node) => ({ command, node })),
      );
      return literals.length === 0 || literals.length > maxLiterals
        ? []
        : [() => withOneVariable(script, kept, gone, literals)];
    });
  },
};

/** Limit, because each replacement copies the script. */
const maxLiterals = 1000;

function withOneVariable(
  script: Script,
  kept: DeclaredConstant,
  gone: readonly DeclaredConstant[],
  literals: readonly Occurrence[],
): Script | undefined {
  let changed: Script | undefined = script;
  for (const occurrence of literals)
    changed = changed === undefined ? undefined : replaceAt(changed, occurrence, name(kept.name));
  if (changed === undefined) return undefined;
  const names = new Map(gone.map((constant) => [constant.name, kept.name]));
  const dropped = new Set(gone.map(({ at }) => at));
  // Commands before the kept variable's declaration cannot use it.
  if (literals.some(({ command }) => command < kept.at)) return undefined;
  const commands = changed.commands
    .filter((_, at) => !dropped.has(at))
    .map((command) => renameInCommand(command, names));
  return weight({ commands }) < weight(script) ? { commands } : undefined;
}

export const inlineVariable: ScriptRule = {
  summary: 'replaces a variable by a term it equals',
  scripts(occurrences) {
    const { script } = occurrences;
    if (script.commands.some(endsScopes) || occurrences.declarations.given.size > 0) return [];
    const free = new Map(freeConstants(occurrences).map((constant) => [constant.name, constant]));
    return occurrences.changeable.flatMap((at) => {
      const top = occurrences.commands[at]?.nodes.at(-1);
      if (script.commands[at]?.kind !== 'assert' || top === undefined) return [];
      return equationsIn(top, free).map((equation) => () => withoutVariable(script, at, equation));
    });
  },
};

interface Equation {
  readonly variable: DeclaredConstant;
  readonly value: Term;
}

/** `(= v t)` in either order, if `t` does not contain `v` and has exactly the same sort. */
function equationsIn(
  { term, below }: TermNode,
  free: ReadonlyMap<string, DeclaredConstant>,
): readonly Equation[] {
  if (term.kind !== 'apply' || term.fn.symbol !== '=' || below.length !== 2) return [];
  return [below, below.toReversed()].flatMap(([left, right]) => {
    if (left?.term.kind !== 'name' || right === undefined) return [];
    const variable = free.get(left.term.id.symbol);
    if (variable === undefined || variable.key !== right.key) return [];
    return symbolsOf(right.term).has(variable.name) ? [] : [{ variable, value: right.term }];
  });
}

function withoutVariable(script: Script, at: number, { variable, value }: Equation): Script | undefined {
  const values = new Map([[variable.name, value]]);
  // The value must not be used before its symbols are declared.
  const needed = symbolsOf(value);
  const commands: Command[] = [];
  for (const [position, command] of script.commands.entries()) {
    if (position === at || position === variable.at) continue;
    const terms = commandTerms(command).map((term) => substitute(term, values));
    if (!terms.every((term) => term !== undefined)) return undefined;
    commands.push(withCommandTerms(command, terms));
  }
  const uses = script.commands.findIndex(
    (command, position) => position !== at && mentions(command, variable.name),
  );
  const late = script.commands.some(
    (command, position) => uses >= 0 && position > uses && needed.has(nameDeclaredBy(command) ?? ''),
  );
  return !late && weight({ commands }) < weight(script) ? { commands } : undefined;
}

function mentions(command: Command, name: string): boolean {
  return commandTerms(command).some((term) => symbolsOf(term).has(name));
}

export const shortenNames: ScriptRule = {
  summary: 'renames constants and functions to a, b, c',
  scripts(occurrences) {
    const { script } = occurrences;
    const bound = allBoundNames(occurrences);
    const declared = script.commands.flatMap((command) => nameDeclaredBy(command) ?? []);
    // Skip formulas with names that are declared twice or given to a term.
    if (new Set(declared).size < declared.length || occurrences.declarations.given.size > 0) return [];
    // Names that are also bound somewhere or built-in are ambiguous.
    const free = declared.filter((name) => !bound.has(name) && !operatorsByName.has(name));
    const freed = new Set(free);
    const kept = declared.filter((name) => !freed.has(name));
    const taken = new Set([...bound, ...kept, ...otherNames(script)]);
    const all = new Set([...taken, ...free]);
    // Solvers order and hash by names, so the property may survive one set of names and not another.
    const sets = [
      shortRenaming(free, taken, letters),
      shortRenaming(free.toReversed(), taken, letters),
      shortRenaming(free, taken, otherLetters),
      shortRenaming(free.toReversed(), taken, otherLetters),
      ...free.filter((name) => name.length > 1).flatMap((name) => singleRenamings(name, all)),
    ];
    return sets
      .filter((names) => lengthOf(names.values()) < lengthOf(names.keys()))
      .map((names) => () => ({
        commands: script.commands.map((command) => renamedDeclaration(command, names)),
      }));
  },
};

function shortRenaming(
  names: readonly string[],
  taken: ReadonlySet<string>,
  from: string,
): ReadonlyMap<string, string> {
  const short = shortNames(taken, from);
  return new Map(names.map((name) => [name, short.next().value]));
}

const maxShortNames = 8;

function singleRenamings(name: string, taken: ReadonlySet<string>): readonly ReadonlyMap<string, string>[] {
  const free = [...letters].filter((letter) => !taken.has(letter));
  const stride = Math.max(1, Math.floor(free.length / maxShortNames));
  const some = free.filter((_, at) => at % stride === 0).slice(0, maxShortNames);
  return some.map((letter) => new Map([[name, letter]]));
}

function lengthOf(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + name.length, 0);
}

type NamedCommand = Extract<
  Command,
  { readonly kind: 'declare-const' | 'declare-fun' | 'define-const' | 'define-fun' | 'define-fun-rec' }
>;

function isNamed(command: Command): command is NamedCommand {
  switch (command.kind) {
    case 'declare-const':
    case 'declare-fun':
    case 'define-const':
    case 'define-fun':
    case 'define-fun-rec':
      return true;
    default:
      return false;
  }
}

function nameDeclaredBy(command: Command): string | undefined {
  return isNamed(command) ? command.name : undefined;
}

function renamedDeclaration(command: Command, names: ReadonlyMap<string, string>): Command {
  const renamed = renameInCommand(command, names);
  return isNamed(renamed) ? { ...renamed, name: names.get(renamed.name) ?? renamed.name } : renamed;
}

/** All names that a formula declares, binds or uses. */
export function everyNameIn(occurrences: Occurrences): ReadonlySet<string> {
  const { script } = occurrences;
  return new Set([
    ...allBoundNames(occurrences),
    ...otherNames(script),
    ...script.commands.flatMap((command) => [...symbolsIn(command), nameDeclaredBy(command) ?? '']),
  ]);
}

/** Names of sorts, constructors, selectors, and functions that are defined together. */
function otherNames(script: Script): readonly string[] {
  return script.commands.flatMap((command) => (isNamed(command) ? [] : namesDeclaredBy(command)));
}
