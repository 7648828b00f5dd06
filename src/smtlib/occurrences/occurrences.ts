/** Every term of a formula with its sort and the way to it: what mutations choose from. */

import { Checker } from '../checking/checker.js';
import { Declarations } from '../checking/declarations.js';
import { declaredIn } from '../checking/declaring-text.js';
import { itemAt } from '../item-at.js';
import type { Command, Script } from '../tree.js';
import { Collector, type CommandNodes, nameGivenBy, type Occurrence } from './term-node.js';

export interface Occurrences {
  readonly script: Script;
  readonly declarations: Declarations;
  /** By command; nothing for commands without terms. */
  readonly commands: readonly (CommandNodes | undefined)[];
  /** The commands whose terms mutations may change: assertions and definitions. */
  readonly changeable: readonly number[];
  /** How many occurrences those have together. */
  readonly count: number;
  /** When each command comes among the declarations, as `Declarations` counts. */
  readonly moments: readonly number[];
}

/** Commands that neither declare anything nor hold a term. */
const silent: ReadonlySet<Command['kind']> = new Set([
  'comment',
  'check-sat',
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
  private readonly known = new Map<Command, CommandNodes>();

  private constructor(
    readonly declaring: readonly Command[],
    private readonly ofDeclarations: readonly CommandNodes[],
    private readonly check: (command: Command) => CommandNodes | undefined,
  ) {
    this.declarations = new Declarations(declaring);
  }

  /** Undefined if a declaration is at fault or names a term. */
  static of(declaring: readonly Command[]): Context | undefined {
    const collector = new Collector();
    const checker = new Checker((visited) => collector.add(visited.term, visited.sort), 'lenient');
    /** Undefined if the command is at fault or names a term: then nothing can be checked after it any more. */
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

/** How many assertions a context remembers before it starts over. */
const keptAssertions = 1000;

/** Larger terms and formulas are not remembered, so that they do not stay in memory. */
const smallEnough = 2000;

/** Contexts lately used, the last one first: a search works on few sets of declarations at a time. */
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
 * The commands that declare something, if all of them come before the first assertion and nothing is ever taken back;
 * undefined otherwise.
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

/** Formulas lately analysed; the oldest gives way to the next. */
const analysed: (Occurrences | undefined)[] = new Array(32).fill(undefined);
let nextAnalysed = 0;

/** The occurrences of terms in a script; undefined if sorts are nested too deeply to tell. */
export function occurrencesIn(script: Script): Occurrences | undefined {
  for (const earlier of analysed) if (earlier?.script === script) return earlier;
  const found = sharedOccurrences(script) ?? thoroughOccurrences(script);
  if (found !== undefined && found.count <= smallEnough) {
    analysed[nextAnalysed] = found;
    nextAnalysed = (nextAnalysed + 1) % analysed.length;
  }
  return found;
}

/** With what is known from formulas under the same declarations; undefined where that does not do. */
function sharedOccurrences(script: Script): Occurrences | undefined {
  const declaring = flatDeclarations(script);
  if (declaring === undefined) return undefined;
  const context = contextFor(declaring);
  if (context === undefined) return undefined;
  const occurrences = context.occurrences(script);
  // A checker that has met a fault cannot be used any more.
  if (occurrences === undefined) contexts.splice(contexts.indexOf(context), 1);
  return occurrences;
}

/** Without sharing anything with other formulas: for those that push, pop, name terms or declare in between. */
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

/** When a command comes among the declarations. */
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
