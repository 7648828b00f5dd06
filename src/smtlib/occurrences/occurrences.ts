/** All terms of a formula, with sort and position. */

import { Checker } from '../checking/checker.js';
import { Declarations } from '../checking/declarations.js';
import { declaredIn } from '../checking/declaring-text.js';
import { itemAt } from '../item-at.js';
import type { Command, Script } from '../tree.js';
import { Collector, type CommandNodes, nameGivenBy, type Occurrence } from './term-node.js';

export interface Occurrences {
  readonly script: Script;
  readonly declarations: Declarations;
  /** By command; undefined for commands without terms. */
  readonly commands: readonly (CommandNodes | undefined)[];
  /** The commands whose terms mutations may change: assertions and definitions. */
  readonly changeable: readonly number[];
  /** Number of occurrences in the changeable commands. */
  readonly count: number;
  /** The moment of each command, as `Declarations` counts. */
  readonly moments: readonly number[];
}

/** Commands that neither declare anything nor contain a term. */
const silent: ReadonlySet<Command['kind']> = new Set([
  'comment',
  'check-sat',
  'set-info',
  'set-option',
  'other',
]);

/** Returns true for commands that end the scope of declarations, so that visibility depends on the position. */
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
 * The shared state of assertions under the same declarations: only the assertions that differ from the parent formula
 * are checked again.
 */
class Context {
  readonly declarations: Declarations;
  /** A bounded map: a weak map costs more than checking small assertions again. */
  private readonly known = new Map<Command, CommandNodes>();

  private constructor(
    readonly declaring: readonly Command[],
    private readonly ofDeclarations: readonly CommandNodes[],
    private readonly check: (command: Command) => CommandNodes | undefined,
  ) {
    this.declarations = new Declarations(declaring);
  }

  /** Undefined if a declaration has a fault or names a term. */
  static of(declaring: readonly Command[]): Context | undefined {
    const collector = new Collector();
    const checker = new Checker((visited) => collector.add(visited.term, visited.sort), 'lenient');
    /** Undefined if the command has a fault or names a term; the checker is then unusable. */
    const check = (command: Command): CommandNodes | undefined => {
      if (checker.check(command, 0) !== undefined) return undefined;
      const found = collector.finish();
      return found.hasNames ? undefined : found;
    };
    const ofDeclarations: CommandNodes[] = [];
    for (const command of declaring) {
      const occurrences = check(command);
      if (occurrences === undefined) return undefined;
      ofDeclarations.push(occurrences);
    }
    return new Context(declaring, ofDeclarations, check);
  }

  occurrences(script: Script): Occurrences | undefined {
    const commands: (CommandNodes | undefined)[] = [];
    const moments: number[] = [];
    let declared = 0;
    for (const command of script.commands) {
      moments.push(declared);
      if (silent.has(command.kind)) commands.push(undefined);
      else if (command.kind !== 'assert') commands.push(this.ofDeclarations[declared++]);
      else {
        let occurrences = this.known.get(command);
        if (occurrences === undefined) {
          occurrences = this.check(command);
          if (occurrences === undefined) return undefined;
          if (this.known.size >= keptAssertions) this.known.clear();
          if (occurrences.nodes.length <= smallEnough) this.known.set(command, occurrences);
        }
        commands.push(occurrences);
      }
    }
    return assembled(script, this.declarations, commands, moments);
  }
}

function assembled(
  script: Script,
  declarations: Declarations,
  commands: readonly (CommandNodes | undefined)[],
  moments: readonly number[],
): Occurrences {
  const changeable: number[] = [];
  let count = 0;
  let next = 0;
  for (const { kind } of script.commands) {
    const at = next++;
    const nodes = commands[at]?.nodes.length ?? 0;
    if (nodes === 0 || !changes.has(kind)) continue;
    changeable.push(at);
    count += nodes;
  }
  return { script, declarations, commands, changeable, count, moments };
}

/** Size of a context's cache. */
const keptAssertions = 1000;

/** Larger terms and formulas are not cached, to save memory. */
const smallEnough = 2000;

/** Recently used contexts, latest first: a search uses few sets of declarations at a time. */
const contexts: Context[] = [];
const keptContexts = 8;

function contextFor(declaring: readonly Command[]): Context | undefined {
  for (let i = 0; i < contexts.length; i++) {
    const context = contexts[i];
    if (context === undefined || context.declaring.length !== declaring.length) continue;
    let same = true;
    for (let k = 0; same && k < declaring.length; k++) same = context.declaring[k] === declaring[k];
    if (!same) continue;
    if (i > 0) {
      contexts.splice(i, 1);
      contexts.unshift(context);
    }
    return context;
  }
  const made = Context.of(declaring);
  if (made === undefined) return undefined;
  contexts.unshift(made);
  if (contexts.length > keptContexts) contexts.pop();
  return made;
}

/**
 * The declaring commands, if all precede the first assertion and no command ends their scope; otherwise undefined.
 */
function flatDeclarations(script: Script): readonly Command[] | undefined {
  const declaring: Command[] = [];
  let isAsserting = false;
  for (const command of script.commands) {
    if (command.kind === 'assert') isAsserting = true;
    else if (takesBack(command) || declaredIn(command) !== undefined) return undefined;
    else if (!silent.has(command.kind)) {
      if (isAsserting) return undefined;
      declaring.push(command);
    }
  }
  return declaring;
}

/** Ring buffer of recently analysed formulas. */
const analysed: (Occurrences | undefined)[] = new Array(32).fill(undefined);
let nextAnalysed = 0;

/** The occurrences of terms in a script; undefined if sorts are nested too deeply. */
export function occurrencesIn(script: Script): Occurrences | undefined {
  for (const earlier of analysed) if (earlier?.script === script) return earlier;
  const found = sharedOccurrences(script) ?? thoroughOccurrences(script);
  if (found !== undefined && found.count <= smallEnough) {
    analysed[nextAnalysed] = found;
    nextAnalysed = (nextAnalysed + 1) % analysed.length;
  }
  return found;
}

/** Uses the context of formulas with the same declarations; undefined if that is not possible. */
function sharedOccurrences(script: Script): Occurrences | undefined {
  const declaring = flatDeclarations(script);
  if (declaring === undefined) return undefined;
  const context = contextFor(declaring);
  if (context === undefined) return undefined;
  const occurrences = context.occurrences(script);
  // A checker that met a fault is unusable.
  if (occurrences === undefined) contexts.splice(contexts.indexOf(context), 1);
  return occurrences;
}

/** Shares nothing with other formulas; for scripts that push, pop, name terms, or declare between assertions. */
function thoroughOccurrences(script: Script): Occurrences | undefined {
  const collector = new Collector();
  const checker = new Checker((visited) => collector.add(visited.term, visited.sort), 'lenient');
  const commands: CommandNodes[] = [];
  for (const [at, command] of script.commands.entries()) {
    if (checker.check(command, at) !== undefined) return undefined;
    commands.push(collector.finish());
  }
  const given = commands.map(({ nodes }) =>
    nodes.map(({ term }) => nameGivenBy(term)).filter((name) => name !== undefined),
  );
  return assembled(script, new Declarations(script.commands, given), commands, [...script.commands.keys()]);
}

/** The nodes of a command that has terms. */
export function nodesOf({ commands }: Occurrences, command: number): CommandNodes {
  return itemAt(commands, command);
}

export function momentOf({ moments }: Occurrences, command: number): number {
  return itemAt(moments, command);
}

/** The changeable occurrence with this number, from 0 up to `count`. */
export function occurrenceAt(occurrences: Occurrences, number: number): Occurrence {
  let left = number;
  for (const command of occurrences.changeable) {
    const { nodes } = nodesOf(occurrences, command);
    const node = nodes[left];
    if (node !== undefined) return { command, node };
    left -= nodes.length;
  }
  throw new RangeError(`there is no occurrence ${number} among ${occurrences.count}`);
}
