/** Constraints on replacing a term: the names bound around it, and the kind of argument that its context requires. */

import { itemAt } from '../collections.js';
import type { ArgumentKind } from '../generating/vocabulary.js';
import { sortKey } from '../printing/sort-key.js';
import { type Command, children, type SExpr, type Sort, type SortedName, type Term } from '../tree.js';
import { isLiteral } from './literal-terms.js';
import { momentOf, type Occurrences } from './occurrences.js';
import type { CommandNodes, Occurrence, TermNode } from './term-node.js';

/** A bound name, with its sort's key if that is known without the declarations. */
type Bound = readonly [name: string, key: string | undefined];

const none: readonly Bound[] = [];

const boundWithKey = (variable: SortedName): Bound => [variable.name, sortKey(variable.sort)];

/** The names that a node binds in the child at a position. */
function boundBy({ term, below }: TermNode, position: number): readonly Bound[] {
  if ('variables' in term) return term.variables.map(boundWithKey);
  switch (term.kind) {
    case 'let':
      return position < term.bindings.length
        ? none
        : term.bindings.map((binding, i) => [binding.name, below[i]?.key]);
    case 'match': {
      const pattern = term.cases[position - 1]?.pattern;
      if (pattern === undefined) return none;
      // A lone symbol is a constructor or a variable; treating it as a variable is safe.
      const names = pattern.isList ? pattern.variables : [pattern.constructorName];
      return names.map((name) => [name, undefined]);
    }
    default:
      return none;
  }
}

function parametersOf(command: Command, root: number): readonly Bound[] {
  switch (command.kind) {
    case 'define-fun':
    case 'define-fun-rec':
      return command.parameters.map(boundWithKey);
    case 'define-funs-rec':
      return command.definitions[root]?.parameters.map(boundWithKey) ?? none;
    default:
      return none;
  }
}

/** The names bound around an occurrence, with the key of their sort if known. */
export function boundAt(
  occurrences: Occurrences,
  occurrence: Occurrence,
): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  const add = ([name, key]: Bound): void => {
    // Inner names hide outer ones.
    if (!found.has(name)) found.set(name, key);
  };
  if (occurrences.commands[occurrence.command]?.hasBinders === true) {
    for (let at = occurrence.node; at.parent !== undefined; at = at.parent) {
      boundBy(at.parent, at.position).forEach(add);
    }
  }
  parametersOf(itemAt(occurrences.script.commands, occurrence.command), occurrence.node.root).forEach(add);
  return found;
}

/**
 * Returns true if the name is bound around an occurrence. Uses an index, because there may be thousands of binders.
 */
export function isBoundAt(occurrences: Occurrences, { command, node }: Occurrence, name: string): boolean {
  const nodes = occurrences.commands[command];
  if (nodes?.hasBinders === true && isWithin(node.index, bindingRanges(nodes).get(name))) return true;
  return isDefinedBy(itemAt(occurrences.script.commands, command), node.root, name);
}

function isDefinedBy(command: Command, root: number, name: string): boolean {
  const isNamed = (parameter: SortedName): boolean => parameter.name === name;
  switch (command.kind) {
    case 'define-fun':
      return command.parameters.some(isNamed);
    // A recursive function is visible inside its own definition.
    case 'define-fun-rec':
      return command.name === name || command.parameters.some(isNamed);
    case 'define-funs-rec':
      return (
        command.definitions.some((definition) => definition.name === name) ||
        (command.definitions[root]?.parameters.some(isNamed) ?? false)
      );
    default:
      return false;
  }
}

/** A range of node indices: a term's index follows the indices of all its subterms. */
interface NodeRange {
  readonly from: number;
  readonly to: number;
}

/** For each name, the disjoint ranges in which it is bound, in order. */
type BindingRanges = ReadonlyMap<string, readonly NodeRange[]>;

const cachedRanges = new WeakMap<CommandNodes, BindingRanges>();

function bindingRanges(command: CommandNodes): BindingRanges {
  const known = cachedRanges.get(command);
  if (known !== undefined) return known;
  const found = new Map<string, NodeRange[]>();
  for (const node of command.nodes) {
    for (const child of node.below) {
      const { index, size, position } = child;
      for (const [name] of boundBy(node, position)) {
        const stretches = found.get(name) ?? [];
        const from = index - size + 1;
        // Ranges of inner binders directly precede this one; it covers them.
        while ((stretches.at(-1)?.from ?? -1) >= from) stretches.pop();
        stretches.push({ from, to: index });
        found.set(name, stretches);
      }
    }
  }
  cachedRanges.set(command, found);
  return found;
}

function isWithin(index: number, stretches: readonly NodeRange[] = []): boolean {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (itemAt(stretches, middle).to < index) low = middle + 1;
    else high = middle;
  }
  return (stretches[low]?.from ?? Number.POSITIVE_INFINITY) <= index;
}

/** The ancestor (or the node itself) whose parent binds names for it; the innermost such. */
function binderOf(node: TermNode): TermNode | undefined {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    if (boundBy(at.parent, at.position).length > 0) return at;
  }
  return undefined;
}

function hasSameScope(occurrences: Occurrences, a: Occurrence, b: Occurrence): boolean {
  if (a.command !== b.command || a.node.root !== b.node.root) return false;
  return occurrences.commands[a.command]?.hasBinders !== true || binderOf(a.node) === binderOf(b.node);
}

/** All symbols of a term: variables, functions, names among indices, sorts. */
export function symbolsOf(term: Term): ReadonlySet<string> {
  const found = new Set<string>();
  const todo: Term[] = [term];
  for (let inner = todo.pop(); inner !== undefined; inner = todo.pop()) {
    if (inner.kind === 'name' || inner.kind === 'apply') {
      const id = inner.kind === 'name' ? inner.id : inner.fn;
      found.add(id.symbol);
      for (const index of id.indices) addSymbols(index, found);
      if (id.sort !== undefined) addSortSymbols(id.sort, found);
    } else if ('variables' in inner) {
      for (const variable of inner.variables) addSortSymbols(variable.sort, found);
    } else if (inner.kind === 'match') {
      for (const { pattern } of inner.cases) found.add(pattern.constructorName);
    }
    for (const child of children(inner)) todo.push(child);
  }
  return found;
}

export function addSymbols(root: SExpr, found: Set<string>): void {
  const todo: SExpr[] = [root];
  for (let expression = todo.pop(); expression !== undefined; expression = todo.pop()) {
    if (expression.kind === 'list') for (const item of expression.items) todo.push(item);
    else if (expression.kind === 'symbol') found.add(expression.text);
  }
}

function addSortSymbols(root: Sort, found: Set<string>): void {
  const todo: Sort[] = [root];
  for (let sort = todo.pop(); sort !== undefined; sort = todo.pop()) {
    found.add(sort.symbol);
    for (const arg of sort.args) todo.push(arg);
  }
}

/** Moving a larger term is refused, because checking its symbols takes too long. */
export const maxMovedSize = 500;

/**
 * Returns true if the term at `from` means the same at `to`. It does not if one of its variables is bound around
 * `from`, if one of its names is bound around `to`, or if a declaration it needs is not in scope there.
 */
export function canMove(occurrences: Occurrences, from: Occurrence, to: Occurrence): boolean {
  const { declarations } = occurrences;
  const [here, there] = [momentOf(occurrences, from.command), momentOf(occurrences, to.command)];
  const sameScope = hasSameScope(occurrences, from, to);
  if (sameScope && declarations.given.size === 0) return true;
  if (from.node.size > maxMovedSize) return false;
  const symbols = symbolsOf(from.node.term);
  for (const symbol of symbols) if (declarations.given.has(symbol)) return false;
  if (sameScope) return true;
  for (const symbol of symbols) {
    if (isBoundAt(occurrences, from, symbol) || isBoundAt(occurrences, to, symbol)) return false;
    if (here !== there && !declarations.hasSameMeaning(symbol, here, there)) return false;
  }
  return true;
}

/** The kind of argument that the context requires; `itself` means that the term must not change. */
export type ArgumentConstraint = ArgumentKind | 'itself';

/** Arguments that solvers require as literals, or that must stay unchanged to keep the formula in its logic. */
const constraintsByOperator: ReadonlyMap<string, (position: number) => ArgumentConstraint> = new Map<
  string,
  (position: number) => ArgumentConstraint
>([
  ['*', () => 'literal'],
  ...['div', 'mod', 'rem', '/'].map((name): [string, (position: number) => ArgumentConstraint] => [
    name,
    (position) => (position === 0 ? 'term' : 'nonzero'),
  ]),
  ['to_fp', () => 'itself'],
  ['const', () => 'literal'],
  ['re.range', () => 'itself'],
  ['^', (position) => (position === 0 ? 'term' : 'itself')],
  ['re.loop', (position) => (position === 0 ? 'term' : 'itself')],
]);

function constraintOn(parent: Term, position: number, term: Term): ArgumentConstraint {
  if (parent.kind === 'annotated') return position === 0 ? 'term' : 'itself';
  if (parent.kind !== 'apply') return 'term';
  const constraint = constraintsByOperator.get(parent.fn.symbol)?.(position) ?? 'term';
  // If the argument is not a literal now, the formula's logic does not require one.
  return constraint === 'term' || constraint === 'itself' || isLiteral(term) ? constraint : 'term';
}

export function constraintAt(node: TermNode): ArgumentConstraint {
  if (node.parent === undefined) return 'term';
  return isConstrainedAbove(node) ? 'itself' : constraintOn(node.parent.term, node.position, node.term);
}

/** Returns true if one of the terms around the node's parent is constrained. Cached in the nodes. */
function isConstrainedAbove(node: TermNode): boolean {
  const way: TermNode[] = [];
  let at: TermNode | undefined = node;
  for (; at !== undefined && at.isConstrainedAbove === undefined; at = at.parent) way.push(at);
  let isConstrained = at?.isConstrainedAbove ?? false;
  for (let below = way.pop(); below !== undefined; below = way.pop()) {
    const { parent } = below;
    const above = parent?.parent;
    isConstrained ||=
      parent !== undefined &&
      above !== undefined &&
      constraintOn(above.term, parent.position, parent.term) !== 'term';
    below.isConstrainedAbove = isConstrained;
  }
  return isConstrained;
}

/** All names that the formula binds, including parameters of definitions. */
export function allBoundNames(occurrences: Occurrences): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [at, command] of occurrences.script.commands.entries()) {
    if (command.kind === 'define-fun' || command.kind === 'define-fun-rec') {
      for (const parameter of command.parameters) found.add(parameter.name);
    } else if (command.kind === 'define-funs-rec') {
      for (const parameter of command.definitions.flatMap((definition) => definition.parameters))
        found.add(parameter.name);
    }
    if (occurrences.commands[at]?.hasBinders !== true) continue;
    for (const { term } of occurrences.commands[at]?.nodes ?? [])
      for (const name of namesBoundBy(term)) found.add(name);
  }
  return found;
}

/** The names that the term itself binds, in any child. */
export function namesBoundBy(term: Term): readonly string[] {
  if ('variables' in term) return term.variables.map((variable) => variable.name);
  if (term.kind === 'let') return term.bindings.map((binding) => binding.name);
  return term.kind === 'match'
    ? term.cases.flatMap(({ pattern }) => [pattern.constructorName, ...pattern.variables])
    : [];
}
