/** All terms of a formula, with sort and position. */

import { Checker } from '../checking/checker.js';
import { Declarations } from '../checking/declarations.js';
import { freeFormDeclarationIn } from '../checking/free-form-declarations.js';
import { itemAt } from '../collections.js';
import type { Command, Script } from '../tree.js';
import { type CommandNodes, NodeCollector, nameAnnotation, type Occurrence } from './term-node.js';

export interface Occurrences {
  readonly script: Script;
  readonly declarations: Declarations;
  /** By command; undefined for commands without terms. */
  readonly commands: readonly (CommandNodes | undefined)[];
  /** The commands whose terms mutations may change: assertions and definitions. */
  readonly changeable: readonly number[];
  readonly count: number;
  /** The moment of each command, as `Declarations` counts. */
  readonly moments: readonly number[];
}

/** Commands that neither declare anything nor contain a term. */
const passiveCommands: ReadonlySet<Command['kind']> = new Set([
  'comment',
  'check-sat',
  'set-info',
  'set-option',
  'other',
]);

/** Returns true for commands that end the scope of declarations, so that visibility depends on the position. */
export function endsScopes(command: Command): boolean {
  return (
    command.kind === 'push' ||
    command.kind === 'pop' ||
    (command.kind === 'other' && command.name.startsWith('reset'))
  );
}

const changeableCommands: ReadonlySet<Command['kind']> = new Set([
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
class DeclarationContext {
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
  static of(declaring: readonly Command[]): DeclarationContext | undefined {
    const collector = new NodeCollector();
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
    return new DeclarationContext(declaring, ofDeclarations, check);
  }

  occurrences(script: Script): Occurrences | undefined {
    const commands: (CommandNodes | undefined)[] = [];
    const moments: number[] = [];
    let declared = 0;
    for (const command of script.commands) {
      moments.push(declared);
      if (passiveCommands.has(command.kind)) commands.push(undefined);
      else if (command.kind !== 'assert') commands.push(this.ofDeclarations[declared++]);
      else {
        let occurrences = this.known.get(command);
        if (occurrences === undefined) {
          occurrences = this.check(command);
          if (occurrences === undefined) return undefined;
          if (this.known.size >= maxCachedAssertions) this.known.clear();
          if (occurrences.nodes.length <= maxCachedNodes) this.known.set(command, occurrences);
        }
        commands.push(occurrences);
      }
    }
    return assembleOccurrences(script, this.declarations, commands, moments);
  }
}

function assembleOccurrences(
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
    if (nodes === 0 || !changeableCommands.has(kind)) continue;
    changeable.push(at);
    count += nodes;
  }
  return { script, declarations, commands, changeable, count, moments };
}

const maxCachedAssertions = 1000;

/** Larger terms and formulas are not cached, to save memory. */
const maxCachedNodes = 2000;

/** Recently used contexts, latest first: a search uses few sets of declarations at a time. */
const contexts: DeclarationContext[] = [];
const maxContexts = 8;

function contextFor(declaring: readonly Command[]): DeclarationContext | undefined {
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
  const made = DeclarationContext.of(declaring);
  if (made === undefined) return undefined;
  contexts.unshift(made);
  if (contexts.length > maxContexts) contexts.pop();
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
    else if (endsScopes(command) || freeFormDeclarationIn(command) !== undefined) return undefined;
    else if (!passiveCommands.has(command.kind)) {
      if (isAsserting) return undefined;
      declaring.push(command);
    }
  }
  return declaring;
}

/** Ring buffer of recently analysed formulas. */
const recentOccurrences: (Occurrences | undefined)[] = new Array(32).fill(undefined);
let nextRecent = 0;

/** The occurrences of terms in a script; undefined if sorts are nested too deeply. */
export function occurrencesIn(script: Script): Occurrences | undefined {
  for (const earlier of recentOccurrences) if (earlier?.script === script) return earlier;
  const found = sharedOccurrences(script) ?? unsharedOccurrences(script);
  if (found !== undefined && found.count <= maxCachedNodes) {
    recentOccurrences[nextRecent] = found;
    nextRecent = (nextRecent + 1) % recentOccurrences.length;
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
function unsharedOccurrences(script: Script): Occurrences | undefined {
  const collector = new NodeCollector();
  const checker = new Checker((visited) => collector.add(visited.term, visited.sort), 'lenient');
  const commands: CommandNodes[] = [];
  for (const [at, command] of script.commands.entries()) {
    if (checker.check(command, at) !== undefined) return undefined;
    commands.push(collector.finish());
  }
  const given = commands.map(({ nodes }) =>
    nodes.map(({ term }) => nameAnnotation(term)).filter((name) => name !== undefined),
  );
  return assembleOccurrences(script, new Declarations(script.commands, given), commands, [
    ...script.commands.keys(),
  ]);
}

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
