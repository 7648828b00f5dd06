import type { Random } from '../../machine/index.js';
import { namesDeclaredBy } from '../checking/declarations.js';
import { readsNumeralsAsReal } from '../checking/environment.js';
import { itemAt } from '../collections.js';
import { assertion, assertionsOf, canDelete, rootOccurrence, symbolsIn } from '../occurrences/assertions.js';
import { type Occurrences, occurrencesIn } from '../occurrences/occurrences.js';
import { renameInCommand, renameInTerm } from '../occurrences/rename.js';
import { allBoundNames, symbolsOf } from '../occurrences/scope.js';
import { nameAnnotation } from '../occurrences/term-node.js';
import { printCommand } from '../printing/print.js';
import { operatorsByName, sortsByName } from '../theories/index.js';
import type { Command, Script, Sort, Term } from '../tree.js';

/** Share of both formulas' assertions that is exchanged (MulStringFuzz section III.E). */
const exchangedShare = 0.2;

/**
 * Exchanges assertions between two formulas: 20 % of the sum of both, or one if a parent has fewer than that. A
 * variable that both declare with the same sort is shared by the children; other equal names are renamed. Required
 * declarations move with the assertions. Undefined if the formulas cannot be mixed, e.g. if `3` is an integer in one
 * and a real in the other.
 */
export function crossover(
  first: Script,
  second: Script,
  random: Random,
): readonly [Script, Script] | undefined {
  const [left, right] = [parentOf(first), parentOf(second)];
  if (left === undefined || right === undefined || !areMixable(left.occurrences, right.occurrences))
    return undefined;
  const [a, b] = [assertionsOf(first), assertionsOf(second)];
  const wanted = Math.max(1, Math.floor(exchangedShare * (a.length + b.length)));
  const count = Math.min(a.length, b.length) < wanted ? 1 : wanted;
  const fromLeft = exchangeable(left, right, random.shuffled(a), count);
  const fromRight = exchangeable(right, left, random.shuffled(b), count);
  const exchanged = Math.min(fromLeft.length, fromRight.length);
  if (exchanged === 0) return undefined;
  const firstChild = withAssertions(left, fromLeft, right, fromRight.slice(0, exchanged));
  const secondChild = withAssertions(right, fromRight, left, fromLeft.slice(0, exchanged));
  return firstChild === undefined || secondChild === undefined ? undefined : [firstChild, secondChild];
}

interface Parent {
  readonly occurrences: Occurrences;
  readonly head: DeclarationBlock;
  readonly bound: ReadonlySet<string>;
}

function parentOf(script: Script): Parent | undefined {
  const occurrences = occurrencesIn(script);
  return occurrences === undefined
    ? undefined
    : { occurrences, head: new DeclarationBlock(script), bound: allBoundNames(occurrences) };
}

function areMixable(left: Occurrences, right: Occurrences): boolean {
  const [a, b] = [left.declarations.logic, right.declarations.logic];
  if (a !== b && (numeralsAreReal(a) || numeralsAreReal(b))) return false;
  // A reset would end the scope of declarations added at the beginning.
  return [...left.script.commands, ...right.script.commands].every(
    (command) => command.kind !== 'other' || !command.name.startsWith('reset'),
  );
}

function numeralsAreReal(logic: string | undefined): boolean {
  return logic !== undefined && readsNumeralsAsReal(logic);
}

/** The first `count` assertions that can be deleted from their formula and inserted into the other. */
function exchangeable(
  from: Parent,
  to: Parent,
  assertions: readonly number[],
  count: number,
): readonly number[] {
  const found: number[] = [];
  for (const at of assertions) {
    if (found.length === count) break;
    if (canDelete(from.occurrences, at) && new Graft(from, to).assertion(at) !== undefined) found.push(at);
  }
  return found;
}

/** The receiver with assertions of the donor at the first of these positions. */
function withAssertions(
  receiver: Parent,
  positions: readonly number[],
  donor: Parent,
  taken: readonly number[],
): Script | undefined {
  const graft = new Graft(donor, receiver);
  const commands = [...receiver.occurrences.script.commands];
  for (const [i, at] of taken.entries()) {
    const command = graft.assertion(at);
    if (command === undefined) return undefined;
    commands[itemAt(positions, i)] = command;
  }
  if (donor.occurrences.declarations.logic !== receiver.occurrences.declarations.logic) {
    // Covers both logics; every supported solver accepts it.
    commands.forEach((command, at) => {
      if (command.kind === 'set-logic') commands[at] = { kind: 'set-logic', logic: 'ALL' };
    });
  }
  const { end } = receiver.head;
  return { commands: [...commands.slice(0, end), ...graft.added, ...commands.slice(end)] };
}

const settings: ReadonlySet<Command['kind']> = new Set(['comment', 'set-logic', 'set-option', 'set-info']);

/** The declarations at the beginning of a script, whose scope is the whole script. */
class DeclarationBlock {
  readonly end: number;
  readonly byName = new Map<string, Command>();

  constructor(script: Script) {
    let end = 0;
    for (const command of script.commands) {
      const names = namesDeclaredBy(command);
      if (names.length === 0 && !settings.has(command.kind)) break;
      for (const name of names) this.byName.set(name, command);
      end++;
    }
    this.end = end;
  }
}

/** The symbols of a declaration: the ones it depends on and its own. */
function symbolsOfDeclaration(command: Command): ReadonlySet<string> {
  const found = new Set(symbolsIn(command));
  const add = (sort: Sort): void => {
    found.add(sort.symbol);
    sort.args.forEach(add);
  };
  sortsIn(command).forEach(add);
  return found;
}

function sortsIn(command: Command): readonly Sort[] {
  switch (command.kind) {
    case 'declare-fun':
      return [...command.parameters, command.result];
    case 'declare-const':
    case 'define-const':
      return [command.result];
    case 'define-sort':
      return [command.sort];
    case 'define-fun':
    case 'define-fun-rec':
      return [...command.parameters.map(({ sort }) => sort), command.result];
    case 'define-funs-rec':
      return command.definitions.flatMap((definition) => [
        ...definition.parameters.map(({ sort }) => sort),
        definition.result,
      ]);
    case 'declare-datatypes':
      return command.datatypes
        .flatMap(({ constructors }) => constructors)
        .flatMap(({ selectors }) => selectors.map(({ sort }) => sort));
    default:
      return [];
  }
}

/** Inserts assertions of one formula into another, with the declarations they need. */
class Graft {
  readonly added: Command[] = [];
  /** New names for donor symbols whose name is taken in the receiver. */
  private readonly names = new Map<string, string>();
  /** Donor symbols that have been inserted or found in the receiver. */
  private readonly resolved = new Set<string>();
  private readonly taken: Set<string>;

  constructor(
    private readonly donor: Parent,
    private readonly receiver: Parent,
  ) {
    this.taken = new Set(receiver.occurrences.declarations.byName.keys());
  }

  /** The donor's assertion with the receiver's names; undefined if it cannot be inserted. */
  assertion(at: number): Command | undefined {
    const command = itemAt(this.donor.occurrences.script.commands, at);
    const { node } = rootOccurrence(this.donor.occurrences, at);
    let { term }: { term: Term } = node;
    if (node.isPinned) {
      // A name of the whole assertion can be dropped; a name of a subterm cannot.
      if (nameAnnotation(term) === undefined || node.below[0]?.isPinned !== false) return undefined;
      term = node.below[0].term;
    }
    if (!this.resolveAll(symbolsOf(term))) return undefined;
    const made = renameInTerm(term, this.names);
    return command.kind === 'assert' && made === command.term ? command : assertion(made);
  }

  private resolveAll(symbols: Iterable<string>): boolean {
    for (const symbol of symbols) if (!this.resolve(symbol)) return false;
    return true;
  }

  /** Gives a donor symbol the same meaning in the receiver; false if that is impossible. */
  private resolve(symbol: string): boolean {
    if (this.resolved.has(symbol)) return true;
    const declarations = this.donor.occurrences.declarations.byName.get(symbol);
    if (declarations === undefined) {
      // Bound in the term or built-in, unless the receiver declares it differently.
      return !this.taken.has(symbol) || this.donor.bound.has(symbol);
    }
    const declaration = this.donor.head.byName.get(symbol);
    const isAmbiguous = declarations.length > 1 || operatorsByName.has(symbol) || sortsByName.has(symbol);
    if (declaration === undefined || isAmbiguous) return false;
    const all = namesDeclaredBy(declaration);
    for (const name of all) this.resolved.add(name);
    if (!this.resolveAll([...symbolsOfDeclaration(declaration)].filter((name) => !all.includes(name))))
      return false;
    return this.importDeclaration(declaration, all);
  }

  private importDeclaration(declaration: Command, all: readonly string[]): boolean {
    const moved = renameInCommand(declaration, this.names);
    if (all.every((name) => this.isInReceiver(name, moved))) return true;
    if (!all.some((name) => this.taken.has(name))) {
      for (const name of all) this.taken.add(name);
      this.added.push(moved);
      return true;
    }
    // Constants and functions can be renamed; sorts and their parts cannot.
    if (moved.kind !== 'declare-fun' && moved.kind !== 'declare-const') return false;
    if (this.donor.bound.has(moved.name)) return false;
    const fresh = this.freshName();
    this.taken.add(fresh);
    this.names.set(moved.name, fresh);
    this.added.push({ ...moved, name: fresh });
    return true;
  }

  private isInReceiver(symbol: string, declaration: Command): boolean {
    const here = this.receiver.head.byName.get(symbol);
    const isUnique = this.receiver.occurrences.declarations.byName.get(symbol)?.length === 1;
    return here !== undefined && isUnique && declarationText(here) === declarationText(declaration);
  }

  private freshName(): string {
    let number = this.taken.size;
    const isFree = (name: string): boolean =>
      !this.taken.has(name) &&
      !this.donor.bound.has(name) &&
      !this.donor.occurrences.declarations.byName.has(name);
    while (!isFree(`var${number}`)) number++;
    return `var${number}`;
  }
}

function declarationText(command: Command): string {
  return printCommand(
    command.kind === 'declare-const'
      ? { kind: 'declare-fun', name: command.name, parameters: [], result: command.result }
      : command,
  );
}
