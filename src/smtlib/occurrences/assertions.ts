import type { Random } from '../../machine/index.js';
import { itemAt } from '../collections.js';
import { type Command, commandTerms, type Script, type Term } from '../tree.js';
import { nodesOf, type Occurrences } from './occurrences.js';
import { addSymbols, symbolsOf } from './scope.js';
import { nameAnnotation, type Occurrence } from './term-node.js';

export function assertionsOf(script: Script): readonly number[] {
  const found: number[] = [];
  script.commands.forEach((command, at) => {
    if (command.kind === 'assert') found.push(at);
  });
  return found;
}

export function rootOccurrence(occurrences: Occurrences, command: number): Occurrence {
  // The checker visits a term after its subterms.
  const { nodes } = nodesOf(occurrences, command);
  return { command, node: itemAt(nodes, nodes.length - 1) };
}

export function chooseAssertion(script: Script, random: Random): number | undefined {
  const found = assertionsOf(script);
  return found.length === 0 ? undefined : random.pick(found);
}

export function insertAfter(script: Script, command: number, ...added: readonly Command[]): Script {
  return { commands: script.commands.toSpliced(command + 1, 0, ...added) };
}

function nameAnnotationsIn(occurrences: Occurrences, command: number): readonly string[] {
  if (occurrences.declarations.given.size === 0) return [];
  const { nodes } = nodesOf(occurrences, command);
  return nodes.map(({ term }) => nameAnnotation(term)).filter((name) => name !== undefined);
}

/** All symbols of a command, in terms and free-form text. */
export function symbolsIn(command: Command): ReadonlySet<string> {
  const found = new Set<string>();
  for (const term of commandTerms(command)) for (const symbol of symbolsOf(term)) found.add(symbol);
  if (command.kind === 'other' || command.kind === 'term-command') {
    for (const expression of command.rest) addSymbols(expression, found);
  }
  return found;
}

/** Returns true if no other command uses a name that the assertion gives. */
export function canDelete(occurrences: Occurrences, command: number): boolean {
  const given = nameAnnotationsIn(occurrences, command);
  if (given.length === 0) return true;
  const users = usersOfNames(occurrences);
  return given.every((name) => (users.get(name) ?? command) === command);
}

/** For each name given to a term, the command that uses it. */
const cachedUsers = new WeakMap<Occurrences, ReadonlyMap<string, number | 'several'>>();

function usersOfNames(occurrences: Occurrences): ReadonlyMap<string, number | 'several'> {
  const known = cachedUsers.get(occurrences);
  if (known !== undefined) return known;
  const users = new Map<string, number | 'several'>();
  for (const [at, command] of occurrences.script.commands.entries()) {
    for (const symbol of symbolsIn(command)) {
      if (occurrences.declarations.given.has(symbol)) users.set(symbol, users.has(symbol) ? 'several' : at);
    }
  }
  cachedUsers.set(occurrences, users);
  return users;
}

export function assertion(term: Term): Command {
  return { kind: 'assert', term };
}
