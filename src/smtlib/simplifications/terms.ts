/** Rules that replace terms by smaller ones. */

import { itemAt } from '../collections.js';
import { momentOf, type Occurrences } from '../occurrences/occurrences.js';
import { canMove, constraintAt, isBoundAt, maxMovedSize } from '../occurrences/scope.js';
import { type Occurrence, type TermNode, unknownKey } from '../occurrences/term-node.js';
import { apply, identifier, name, type Term } from '../tree.js';
import { chunks } from './chunks.js';
import type { TermRule } from './rule.js';
import { simplerOperator } from './simpler-operators.js';
import { isValue, simpleValues } from './values.js';

/** Subterms to try in the place of a term. */
const maxParts = 8;

/** Subterms to examine for that: below thousands of binders each check takes long, and none would fit. */
const maxExamined = 200;

/** Limit on the nodes of examined subterms if names are bound: each subterm is searched for captured names. */
const maxSearchedNodes = 5000;

export const replaceByChild: TermRule = {
  summary: 'replaces a term by a subterm of the same sort',
  terms(occurrences, occurrence) {
    const { node, command } = occurrence;
    if (node.below.length === 0 || constraintAt(node) !== 'term') return [];
    const parts: TermNode[] = [];
    const todo = node.below.slice(0, maxExamined);
    let left =
      occurrences.commands[command]?.hasBinders === true ? maxSearchedNodes : Number.POSITIVE_INFINITY;
    for (let at = 0; at < todo.length && parts.length < maxParts && left > 0; at++) {
      const descendant = itemAt(todo, at);
      // Larger subterms are refused without a search.
      if (descendant.size <= maxMovedSize) left -= descendant.size;
      if (mayFit(descendant, node) && canMove(occurrences, { command, node: descendant }, occurrence))
        parts.push(descendant);
      else {
        for (const below of descendant.below) {
          if (todo.length === maxExamined) break;
          todo.push(below);
        }
      }
    }
    return parts.map((part) => part.term);
  },
};

/** A subterm of unknown sort fits everywhere. */
function mayFit({ key }: TermNode, { key: required }: TermNode): boolean {
  return key === required || key === unknownKey;
}

export const replaceByValue: TermRule = {
  summary: 'replaces a term by a simple value of its sort',
  terms(occurrences, { node }) {
    // `true` as a whole assertion states nothing, and `false` everything.
    if (node.parent === undefined || isValue(node.term) || constraintAt(node) !== 'term') return [];
    const values = simpleValues(node.sort, occurrences.script);
    // A constructor without fields weighs as much as a variable.
    return node.term.kind === 'name' ? values.filter(isValue) : values;
  },
};

export const replaceByVariable: TermRule = {
  summary: 'replaces a term by a variable of its sort',
  terms(occurrences, occurrence) {
    const { term } = occurrence.node;
    if (term.kind === 'name' || isValue(term) || constraintAt(occurrence.node) !== 'term') return [];
    const variable = variableAt(occurrences, occurrence);
    return variable === undefined ? [] : [variable];
  },
};

const maxVariables = 3;

export const replaceByOtherVariable: TermRule = {
  summary: 'replaces a term by a variable of its sort other than the first',
  terms(occurrences, occurrence) {
    const { term } = occurrence.node;
    if (term.kind === 'name' || isValue(term) || constraintAt(occurrence.node) !== 'term') return [];
    return variablesAt(occurrences, occurrence).slice(1, 1 + maxVariables);
  },
};

function variableAt(occurrences: Occurrences, occurrence: Occurrence): Term | undefined {
  const isUsable = constantTestAt(occurrences, occurrence, occurrence.node.key);
  const found = occurrences.declarations.constants.find(isUsable);
  return found === undefined ? undefined : name(found.name);
}

function variablesAt(occurrences: Occurrences, occurrence: Occurrence): readonly Term[] {
  const isUsable = constantTestAt(occurrences, occurrence, occurrence.node.key);
  return occurrences.declarations.constants.filter(isUsable).map((declared) => name(declared.name));
}

/** Returns a test whether a declared constant has this sort and is usable at an occurrence. */
export function constantTestAt(
  occurrences: Occurrences,
  occurrence: Occurrence,
  key: string,
): (declared: Occurrences['declarations']['constants'][number]) => boolean {
  const moment = momentOf(occurrences, occurrence.command);
  return (declared) =>
    declared.constant?.key === key &&
    declared.from < moment &&
    declared.to >= moment &&
    !isBoundAt(occurrences, occurrence, declared.name);
}

const variadic: ReadonlySet<string> = new Set([
  ...['and', 'or', 'xor', '=>', '=', 'distinct', '+', '*', '-', '<', '<=', '>', '>='],
  ...['str.++', 'seq.++', 're.++', 're.union', 're.inter'],
  ...['bvand', 'bvor', 'bvadd', 'bvmul', 'bvxor'],
]);

export const deleteArguments: TermRule = {
  summary: 'deletes arguments of an operator that takes any number',
  *terms(_, { node: { term } }) {
    if (term.kind !== 'apply' || !variadic.has(term.fn.symbol)) return;
    // A unary `-` is a negation.
    const least = term.fn.symbol === '-' ? 1 : 2;
    const positions = term.args.map((_, at) => at);
    for (const gone of chunks(positions)) {
      if (term.args.length - gone.length < least) continue;
      const [first = 0] = gone;
      const last = first + gone.length - 1;
      yield () => ({ ...term, args: term.args.filter((_, at) => at < first || at > last) });
    }
  },
};

/** Associative operators, whose nested applications can be merged. */
const mergeable: ReadonlySet<string> = new Set([
  ...['and', 'or', '+', '*', 'str.++', 'seq.++', 're.++', 're.union', 're.inter'],
  ...['bvand', 'bvor', 'bvadd', 'bvmul', 'bvxor'],
]);

export const flattenArguments: TermRule = {
  summary: 'merges nested applications of one operator, such as (and a (and b c))',
  terms(_, { node }) {
    const { term } = node;
    if (term.kind !== 'apply' || !mergeable.has(term.fn.symbol) || term.fn.sort !== undefined) return [];
    const { symbol } = term.fn;
    return term.args.flatMap((arg, at): Term[] =>
      arg.kind === 'apply' && arg.fn.symbol === symbol && arg.fn.sort === undefined && arg.args.length > 1
        ? [{ ...term, args: term.args.toSpliced(at, 1, ...arg.args) }]
        : [],
    );
  },
};

/** Operators with an optional last argument, and their full number of arguments. */
const withOptional: ReadonlyMap<string, number> = new Map([['str.indexof', 3]]);

export const dropOptionalArgument: TermRule = {
  summary: 'deletes an optional argument, such as the last one of str.indexof',
  terms(_, { node }) {
    const { term } = node;
    if (term.kind !== 'apply' || withOptional.get(term.fn.symbol) !== term.args.length) return [];
    return [{ ...term, args: term.args.slice(0, -1) }];
  },
};

export const simplifyOperator: TermRule = {
  summary: 'replaces an operator by a simpler one, such as str.replace_all by str.replace',
  terms(_, { node }) {
    const { term } = node;
    if (term.kind !== 'apply' || term.fn.indices.length > 0 || constraintAt(node) !== 'term') return [];
    const row = simplerOperator(term.fn.symbol);
    if (row === undefined) return [];
    const args = row.keeps === undefined ? term.args : row.keeps.map((at) => itemAt(term.args, at));
    return [apply(identifier(row.simpler), ...args)];
  },
};
