/** The sort of a term, given the sorts of its children, and the variables that a pattern binds. */

import { printSort } from '../printing/print.js';
import { functionSort, sameSort, unknownSort } from '../theories/signature.js';
import {
  indexedSort,
  type Match,
  type MatchPattern,
  type Sort,
  type SortedName,
  sort,
  type Term,
} from '../tree.js';
import { applicationSort, resultOfApplying } from './apply-sort.js';
import { type Environment, Misfit, unknownMisfit } from './environment.js';

export const literalSorts = {
  bool: sort('Bool'),
  int: sort('Int'),
  real: sort('Real'),
  text: sort('String'),
} as const;

export function expectSort(found: Sort, wanted: Sort, subject: string, environment: Environment): void {
  if (sameSort(found, wanted)) return;
  const [expected, actual] = [printSort(wanted), printSort(found)];
  const message = `${subject} expects ${expected}, found ${actual}`;
  environment.refuse(new Misfit(message, expected, actual));
}

export function withSorts(names: readonly SortedName[], environment: Environment): SortedName[] {
  return names.map((variable) => ({ name: variable.name, sort: environment.sort(variable.sort) }));
}

export function leafSort(term: Term, environment: Environment): Sort {
  switch (term.kind) {
    case 'numeral':
      return environment.numeralsAreReal ? literalSorts.real : literalSorts.int;
    case 'decimal':
    case 'rational':
      return literalSorts.real;
    case 'field':
      return {
        symbol: 'FiniteField',
        indices: [{ kind: 'numeral', text: term.text.slice(term.text.indexOf('m') + 1) }],
        args: [],
      };
    case 'string':
      return literalSorts.text;
    case 'hexadecimal':
      return indexedSort('BitVec', 4 * (term.text.length - 2));
    case 'binary':
      return indexedSort('BitVec', term.text.length - 2);
    case 'name': {
      const { id } = term;
      if (id.sort !== undefined)
        return applicationSort({ ...id, sort: environment.sort(id.sort) }, [], environment);
      return environment.local(id.symbol) ?? applicationSort(id, [], environment);
    }
    default:
      throw new Error(`a ${term.kind} term is not a leaf`);
  }
}

/** @param below the sorts of the children, in order */
export function compositeSort(term: Term, below: readonly Sort[], environment: Environment): Sort {
  switch (term.kind) {
    case 'apply': {
      const { fn } = term;
      const id = fn.sort === undefined ? fn : { ...fn, sort: environment.sort(fn.sort) };
      return applicationSort(id, below, environment);
    }
    case 'let':
      return sortAt(below, below.length - 1);
    case 'forall':
    case 'exists':
      expectSort(sortAt(below, 0), literalSorts.bool, term.kind, environment);
      return literalSorts.bool;
    case 'lambda': {
      const all = [...variableSorts(term.variables, environment), sortAt(below, 0)];
      return environment.hasFunctions ? functionSort(all) : sort('Array', all);
    }
    case 'choice':
      expectSort(sortAt(below, 0), literalSorts.bool, term.kind, environment);
      return variableSorts(term.variables, environment)[0] ?? unknownSort;
    case 'comprehension':
      expectSort(sortAt(below, 0), literalSorts.bool, 'set.comprehension', environment);
      return sort('Set', [
        term.element === undefined ? tupleOr(variableSorts(term.variables, environment)) : sortAt(below, 1),
      ]);
    case 'call': {
      const [head = unknownSort, ...args] = below;
      const result = resultOfApplying(head, args);
      if (result !== undefined) return result;
      const given = args.map(printSort).join(' ');
      return environment.refuse(
        new Misfit(`a term of ${printSort(head)} cannot be applied to ${given}`, undefined, given),
      );
    }
    case 'match': {
      const [, first, ...later] = below;
      if (first === undefined) return environment.refuse(new Misfit('match has no cases'));
      for (const other of later) expectSort(other, first, 'a match case', environment);
      return first;
    }
    case 'annotated': {
      const found = sortAt(below, 0);
      for (const attribute of term.attributes) {
        if (attribute.keyword === ':named' && 'value' in attribute && attribute.value?.kind === 'symbol') {
          environment.declare(attribute.value.text, [], found);
        }
      }
      return found;
    }
    default:
      throw new Error(`a ${term.kind} term has no children`);
  }
}

export function patternVariables(
  term: Match,
  at: number,
  subject: Sort,
  environment: Environment,
): SortedName[] {
  const pattern = term.cases[at]?.pattern;
  if (pattern === undefined) return [];
  const { constructorName } = pattern;
  const refused = (misfit: Misfit): SortedName[] => {
    environment.refuse(misfit);
    return withUnknownSorts(pattern);
  };
  const made = environment.constructorNamed(constructorName);
  if (made === undefined) {
    if (!pattern.isList) return [{ name: constructorName, sort: subject }];
    return refused(unknownMisfit(`${constructorName} is not a constructor`));
  }
  if (made.datatype.name !== subject.symbol) {
    if (subject === unknownSort) return withUnknownSorts(pattern);
    // Several datatypes may have a constructor of this name.
    const isAnother = environment.hasConstructor(constructorName, subject.symbol);
    if (isAnother) return withUnknownSorts(pattern);
    return refused(new Misfit(`a case of ${made.datatype.name} cannot match ${printSort(subject)}`));
  }
  const { selectors = [] } = made.datatype.constructors.find(({ name }) => name === constructorName) ?? {};
  if (selectors.length !== pattern.variables.length) {
    const message = `${constructorName} has ${selectors.length} fields, but its pattern names ${pattern.variables.length}`;
    return refused(new Misfit(message));
  }
  return pattern.variables.map((name, i) => {
    const selector = { symbol: selectors[i]?.name ?? '', indices: [], sort: undefined };
    return { name, sort: applicationSort(selector, [subject], environment) };
  });
}

function sortAt(below: readonly Sort[], at: number): Sort {
  const found = below[at];
  if (found === undefined) throw new Error('a term is looked at before its children');
  return found;
}

function variableSorts(names: readonly SortedName[], environment: Environment): Sort[] {
  return names.map(({ sort: declared }) => environment.sort(declared));
}

function withUnknownSorts(pattern: MatchPattern): SortedName[] {
  return pattern.variables.map((name) => ({ name, sort: unknownSort }));
}

/** The element sort of a comprehension without an explicit element. */
function tupleOr(all: readonly Sort[]): Sort {
  const [first] = all;
  return first !== undefined && all.length === 1 ? first : sort('Tuple', all);
}
