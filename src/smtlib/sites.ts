/** Every term of a formula with its sort and the way to it: what mutations choose from. */

import { Checker } from './check.js';
import { Declarations } from './declarations.js';
import { sortKey } from './sort-key.js';
import { type Command, children, type Script, type Sort, type Term, withChildren } from './tree.js';

/** One term at one place of a command. */
export interface Spot {
  readonly term: Term;
  readonly sort: Sort;
  /** `sortKey` of its sort. */
  readonly key: string;
  /** The spots of its children, in the order of `children`. */
  readonly below: readonly Spot[];
  /** A `:named` annotation stands in it: it can neither be copied, moved nor dropped. */
  readonly isPinned: boolean;
  /** The term it is a child of, and as which; undefined at the top. */
  readonly parent: Spot | undefined;
  readonly position: number;
  /** Which of the command's terms it lies in. */
  readonly root: number;
}

interface SortOfKey {
  readonly key: string;
  readonly sort: Sort;
}

/** The spots of one command, innermost first. */
export interface CommandSites {
  readonly spots: readonly Spot[];
  /** The sorts that occur, in the order they do. */
  readonly sorts: readonly SortOfKey[];
  readonly hasBinders: boolean;
  /** Some term in it is `:named`. */
  readonly hasNames: boolean;
}

/** A spot and which command of the script it is in. */
export interface Placed {
  readonly command: number;
  readonly spot: Spot;
}

export interface Sites {
  readonly script: Script;
  readonly declarations: Declarations;
  /** By command; nothing for commands without terms. */
  readonly commands: readonly (CommandSites | undefined)[];
  /** The commands whose terms mutations may change: assertions and definitions. */
  readonly changeable: readonly number[];
  /** How many spots those have together. */
  readonly count: number;
  /** When each command comes among the declarations, as `Declarations` counts. */
  readonly moments: readonly number[];
}

const noSpots: readonly Spot[] = [];

/** Links terms to the terms below them as the checker passes them, innermost first. */
class Collector {
  /** Spots whose parent has not been passed yet; `top` of them are in use, the array itself only grows. */
  private readonly waiting: Spot[] = [];
  private top = 0;
  private spots: Spot[] = [];
  private sorts: SortOfKey[] = [];
  private hasBinders = false;
  private hasNames = false;

  add(term: Term, sort: Sort): void {
    const key = sortKey(sort);
    const count = this.childCount(term);
    let below = noSpots;
    let isPinned = term.kind === 'annotated' && nameGivenBy(term) !== undefined;
    const { waiting } = this;
    if (count > 0) {
      below = waiting.slice(this.top - count, this.top);
      this.top -= count;
    }
    const spot: Spot = { term, sort, key, below, isPinned, parent: undefined, position: 0, root: 0 };
    for (let i = 0; i < count; i++) {
      const one = below[i] as Mutable<Spot>;
      one.parent = spot;
      one.position = i;
      isPinned ||= one.isPinned;
    }
    if (isPinned) {
      this.hasNames = true;
      (spot as Mutable<Spot>).isPinned = true;
    }
    this.spots.push(spot);
    waiting[this.top++] = spot;
    if (!this.sorts.some((one) => one.key === key)) this.sorts.push({ key, sort });
  }

  private childCount(term: Term): number {
    switch (term.kind) {
      case 'apply':
        return term.args.length;
      case 'annotated':
        return children(term).length;
      case 'let':
      case 'forall':
      case 'exists':
      case 'lambda':
      case 'match':
        this.hasBinders = true;
        return children(term).length;
      default:
        return 0;
    }
  }

  /** What was collected since the last time. */
  finish(): CommandSites {
    const { spots, sorts, hasBinders, hasNames } = this;
    if (this.top > 1) {
      // What still waits are the command's own terms; everything before one of them in the list lies in it.
      let root = 0;
      for (const spot of spots as Mutable<Spot>[]) {
        spot.root = root;
        if (spot === this.waiting[root]) root++;
      }
    }
    this.top = 0;
    this.spots = [];
    this.sorts = [];
    this.hasBinders = false;
    this.hasNames = false;
    return { spots, sorts, hasBinders, hasNames };
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The name a `:named` annotation gives its term. */
export function nameGivenBy(term: Term): string | undefined {
  if (term.kind !== 'annotated') return undefined;
  for (const one of term.attributes) {
    if (one.keyword === ':named' && 'value' in one && one.value?.kind === 'symbol') return one.value.text;
  }
  return undefined;
}

/** Commands that neither declare anything nor hold a term mutations change. */
const silent: ReadonlySet<Command['kind']> = new Set([
  'comment',
  'check-sat',
  'check-sat-assuming',
  'get-value',
  'term-command',
  'set-info',
  'set-option',
  'other',
]);

/** Commands that take back what others did: what is visible then depends on where one stands. */
function takesBack(command: Command): boolean {
  return (
    command.kind === 'push' ||
    command.kind === 'pop' ||
    (command.kind === 'other' && command.name.startsWith('reset'))
  );
}

const changes: ReadonlySet<Command['kind']> = new Set([
  'assert',
  'define-fun',
  'define-fun-rec',
  'define-funs-rec',
  'define-const',
]);

/**
 * What assertions have in common that stand under the same declarations, so that a mutated formula is only checked
 * where it differs from its parent.
 */
class Context {
  readonly declarations: Declarations;
  /** Held strongly and in bounds: a weak map costs more than checking small assertions again. */
  private readonly known = new Map<Command, CommandSites>();
  private readonly checker: Checker;
  private readonly collector = new Collector();
  private readonly ofDeclarations: readonly (CommandSites | undefined)[] | undefined;

  constructor(readonly declaring: readonly Command[]) {
    this.declarations = new Declarations(declaring);
    this.checker = new Checker((site) => this.collector.add(site.term, site.sort));
    const found: (CommandSites | undefined)[] = [];
    for (const command of declaring) {
      const sites = this.check(command);
      if (sites === undefined) return;
      found.push(sites);
    }
    this.ofDeclarations = found;
  }

  /** Undefined if the command is at fault or names a term: nothing can be checked under this context any more. */
  private check(command: Command): CommandSites | undefined {
    if (this.checker.check(command, 0) !== undefined) return undefined;
    const found = this.collector.finish();
    return found.hasNames ? undefined : found;
  }

  sites(script: Script): Sites | undefined {
    if (this.ofDeclarations === undefined) return undefined;
    const commands: (CommandSites | undefined)[] = [];
    const moments: number[] = [];
    let declared = 0;
    for (const command of script.commands) {
      moments.push(declared);
      if (silent.has(command.kind)) commands.push(undefined);
      else if (command.kind !== 'assert') commands.push(this.ofDeclarations[declared++]);
      else {
        let sites = this.known.get(command);
        if (sites === undefined) {
          sites = this.check(command);
          if (sites === undefined) return undefined;
          if (this.known.size >= keptAssertions) this.known.clear();
          if (sites.spots.length <= smallEnough) this.known.set(command, sites);
        }
        commands.push(sites);
      }
    }
    return assembled(script, this.declarations, commands, moments);
  }
}

function assembled(
  script: Script,
  declarations: Declarations,
  commands: readonly (CommandSites | undefined)[],
  moments: readonly number[],
): Sites {
  const changeable: number[] = [];
  let count = 0;
  for (let i = 0; i < commands.length; i++) {
    const spots = commands[i]?.spots.length ?? 0;
    if (spots === 0 || !changes.has((script.commands[i] as Command).kind)) continue;
    changeable.push(i);
    count += spots;
  }
  return { script, declarations, commands, changeable, count, moments };
}

/** How many assertions a context remembers before it starts over. */
const keptAssertions = 1000;

/** Larger terms and formulas are not remembered, lest they stay in memory. */
const smallEnough = 2000;

/** Contexts lately used, the last one first: a search works on few sets of declarations at a time. */
const contexts: Context[] = [];
const keptContexts = 8;

function contextFor(declaring: readonly Command[]): Context {
  for (let i = 0; i < contexts.length; i++) {
    const one = contexts[i] as Context;
    if (one.declaring.length !== declaring.length) continue;
    let same = true;
    for (let k = 0; same && k < declaring.length; k++) same = one.declaring[k] === declaring[k];
    if (!same) continue;
    if (i > 0) {
      contexts.splice(i, 1);
      contexts.unshift(one);
    }
    return one;
  }
  const made = new Context(declaring);
  contexts.unshift(made);
  if (contexts.length > keptContexts) contexts.pop();
  return made;
}

/**
 * The commands that declare something, if all of them come before the first assertion and nothing is ever taken back;
 * undefined otherwise.
 */
function flatDeclarations(script: Script): readonly Command[] | undefined {
  const declaring: Command[] = [];
  let isAsserting = false;
  for (const command of script.commands) {
    if (command.kind === 'assert') isAsserting = true;
    else if (takesBack(command)) return undefined;
    else if (!silent.has(command.kind)) {
      if (isAsserting) return undefined;
      declaring.push(command);
    }
  }
  return declaring;
}

/** Formulas lately analysed; the oldest gives way to the next. */
const analysed: (Sites | undefined)[] = new Array(32).fill(undefined);
let nextAnalysed = 0;

/** The typed spots of a script; undefined if it is not well-sorted. */
export function sitesOf(script: Script): Sites | undefined {
  for (const one of analysed) if (one?.script === script) return one;
  const found = sharedSites(script) ?? thoroughSites(script);
  if (found !== undefined && found.count <= smallEnough) {
    analysed[nextAnalysed] = found;
    nextAnalysed = (nextAnalysed + 1) % analysed.length;
  }
  return found;
}

/** With what is known from formulas under the same declarations; undefined where that does not do. */
function sharedSites(script: Script): Sites | undefined {
  const declaring = flatDeclarations(script);
  if (declaring === undefined) return undefined;
  const context = contextFor(declaring);
  const sites = context.sites(script);
  // A checker that has met a fault is of no use any more.
  if (sites === undefined) contexts.splice(contexts.indexOf(context), 1);
  return sites;
}

/** Without sharing anything with other formulas: for those that push, pop, name terms or declare in between. */
function thoroughSites(script: Script): Sites | undefined {
  const collector = new Collector();
  const checker = new Checker((site) => collector.add(site.term, site.sort));
  const commands: CommandSites[] = [];
  for (const [at, command] of script.commands.entries()) {
    if (checker.check(command, at) !== undefined) return undefined;
    commands.push(collector.finish());
  }
  const given = commands.map(({ spots }) =>
    spots.map(({ term }) => nameGivenBy(term)).filter((one) => one !== undefined),
  );
  return assembled(script, new Declarations(script.commands, given), commands, [...script.commands.keys()]);
}

/** The changeable spot with this number, from 0 up to `count`. */
export function spotAt(sites: Sites, number: number): Placed {
  let left = number;
  for (const command of sites.changeable) {
    const { spots } = sites.commands[command] as CommandSites;
    if (left < spots.length) return { command, spot: spots[left] as Spot };
    left -= spots.length;
  }
  throw new RangeError(`there is no spot ${number} among ${sites.count}`);
}

/** The way from a command's term down to a spot, as positions in `children`. */
export function pathTo(spot: Spot): number[] {
  const path: number[] = [];
  for (let at = spot; at.parent !== undefined; at = at.parent) path.push(at.position);
  return path.reverse();
}

/** The script with another term at a spot of it. Only the way to the spot is built anew. */
export function replaceAt(script: Script, place: Placed, term: Term): Script {
  const command = script.commands[place.command] as Command;
  const { root } = place.spot;
  const changed = withRoot(command, root, rebuilt(rootOf(command, root), pathTo(place.spot), term));
  return { commands: script.commands.with(place.command, changed) };
}

function rebuilt(root: Term, path: readonly number[], term: Term): Term {
  const passed: (readonly Term[])[] = [];
  const parents: Term[] = [];
  let at = root;
  for (const position of path) {
    const below = children(at);
    passed.push(below);
    parents.push(at);
    at = below[position] as Term;
  }
  let made = term;
  for (let i = path.length - 1; i >= 0; i--) {
    made = withChildren(parents[i] as Term, (passed[i] as readonly Term[]).with(path[i] as number, made));
  }
  return made;
}

function rootOf(command: Command, root: number): Term {
  switch (command.kind) {
    case 'assert':
      return command.term;
    case 'define-fun':
    case 'define-fun-rec':
    case 'define-const':
      return command.body;
    case 'define-funs-rec':
      return (command.definitions[root] as { body: Term }).body;
    default:
      throw new RangeError(`the terms of ${command.kind} are not changed`);
  }
}

function withRoot(command: Command, root: number, term: Term): Command {
  switch (command.kind) {
    case 'assert':
      return { kind: 'assert', term };
    case 'define-fun':
    case 'define-fun-rec':
    case 'define-const':
      return { ...command, body: term };
    case 'define-funs-rec':
      return {
        kind: 'define-funs-rec',
        definitions: command.definitions.map((one, i) => (i === root ? { ...one, body: term } : one)),
      };
    default:
      return command;
  }
}
