/** The sort of an application, from the operators of its name and the sorts of its arguments. */

import { itemAt } from '../item-at.js';
import { printSort } from '../printing/print.js';
import {
  Bindings,
  fits,
  instantiate,
  type Operator,
  type SortPattern,
  sameSort,
} from '../theories/signature.js';
import { type Identifier, indexedSort, type Sort, sort } from '../tree.js';
import { type Environment, Misfit } from './environment.js';

const bool = sort('Bool');
const real = sort('Real');
const text = sort('String');
const bound = new Bindings();

/** Throws a `Misfit` that says what was expected and what stands there. */
export function applicationSort(fn: Identifier, args: readonly Sort[], environment: Environment): Sort {
  const odd = oddities.get(fn.symbol)?.(fn, args, environment) ?? literalSort(fn, args);
  if (odd !== undefined) return odd;
  const candidates = environment.operators(fn.symbol);
  for (const candidate of candidates) {
    const result = resultOf(candidate, fn, args, false);
    if (result !== undefined) return result;
  }
  // Where reals are expected, integers are taken for them, as solvers do in logics with both.
  if (args.some((arg) => arg.symbol === 'Int')) {
    for (const candidate of candidates) {
      const result = resultOf(candidate, fn, args, true);
      if (result !== undefined) return result;
    }
    if (args.some((arg) => arg.symbol === 'Real')) {
      const widened = args.map((arg) => (arg.symbol === 'Int' ? real : arg));
      for (const candidate of candidates) {
        const result = resultOf(candidate, fn, widened, false);
        if (result !== undefined) return result;
      }
    }
  }
  throw complaint(fn, args, candidates, environment);
}

function resultOf(
  operator: Operator,
  fn: Identifier,
  args: readonly Sort[],
  widen: boolean,
): Sort | undefined {
  if (operator.indexNames.length !== fn.indices.length || !acceptsCount(operator, args.length))
    return undefined;
  const { ground } = operator;
  if (ground !== undefined) {
    for (let i = 0; i < args.length; i++) {
      const wanted = parameterAt(ground.parameters, i);
      const found = args[i];
      if (wanted === undefined || found === undefined) return undefined;
      if (!sameSort(wanted, found) && !(widen && widens(found, wanted))) return undefined;
    }
    return fn.sort === undefined || sameSort(fn.sort, ground.result) ? ground.result : undefined;
  }
  bound.reset();
  for (let i = 0; i < operator.indexNames.length; i++) {
    const index = fn.indices[i];
    const name = operator.indexNames[i];
    if (name === undefined || index === undefined || index.kind !== 'numeral') return undefined;
    bound.numbers.set(name, Number(index.text));
  }
  // A qualification may be all that says what a constant such as `(as nil (List Int))` is.
  if (fn.sort !== undefined && !fits(operator.result, fn.sort, bound)) return undefined;
  for (let i = 0; i < args.length; i++) {
    const wanted = parameterAt(operator.parameters, i);
    const found = args[i];
    if (wanted === undefined || found === undefined || !fits(wanted, found, bound)) return undefined;
  }
  return operator.where(bound.numbers) ? instantiate(operator.result, bound) : undefined;
}

function widens(found: Sort, wanted: Sort): boolean {
  return found.symbol === 'Int' && wanted.symbol === 'Real';
}

function acceptsCount(operator: Operator, count: number): boolean {
  const wanted = operator.parameters.length;
  return operator.shape === 'fixed' ? count === wanted : count >= wanted;
}

/** The parameter that takes argument `i`; the last one repeats. */
function parameterAt<Parameter>(parameters: readonly Parameter[], i: number): Parameter | undefined {
  return parameters[Math.min(i, parameters.length - 1)];
}

type Oddity = (fn: Identifier, args: readonly Sort[], environment: Environment) => Sort | undefined;

/** Operators whose sort no signature can say. */
const oddities: ReadonlyMap<string, Oddity> = new Map<string, Oddity>([
  ['is', testerSort],
  ['const', constantArraySort],
  ['map', mappedSort],
  ['as-array', functionArraySort],
  ['char', (fn) => (fn.indices.length === 1 ? text : undefined)],
  ['update-field', updatedSort],
  ['update', updatedSort],
  ['select', selectSort],
  ['@', selectSort],
  ['concat', concatSort],
]);

/** `((_ is cons) x)`; the index may also be a whole signature, as Z3 prints it. */
function testerSort(fn: Identifier, args: readonly Sort[], environment: Environment): Sort | undefined {
  const [index] = fn.indices;
  if (index === undefined || args.length !== 1) return undefined;
  const head = index.kind === 'list' ? index.items[0] : index;
  if (head === undefined || !('text' in head)) return undefined;
  const made = environment.constructorNamed(head.text);
  if (made === undefined) throw new Misfit(`${head.text} is not a constructor`);
  if (args[0]?.symbol === made.datatype.name) return bool;
  throw wrongArgument(`(_ is ${head.text})`, made.result, args[0]);
}

/** `((as const (Array Int Int)) 0)`. */
function constantArraySort(fn: Identifier, args: readonly Sort[]): Sort | undefined {
  const value = fn.sort?.args.at(-1);
  if (fn.sort === undefined || fn.sort.symbol !== 'Array' || value === undefined || args.length !== 1) {
    return undefined;
  }
  const [found] = args;
  if (found !== undefined && (sameSort(found, value) || widens(found, value))) return fn.sort;
  throw wrongArgument(`(as const ${printSort(fn.sort)})`, value, found);
}

function wrongArgument(fn: string, wanted: Sort, found: Sort | undefined): Misfit {
  const [expected, actual] = [printSort(wanted), found === undefined ? 'missing' : printSort(found)];
  return new Misfit(`${fn} expects ${expected}, but its argument is ${actual}`, expected, actual);
}

/** `((_ map f) a b)` applies f to arrays element by element. */
function mappedSort(fn: Identifier, args: readonly Sort[], environment: Environment): Sort | undefined {
  const [index] = fn.indices;
  if (index === undefined) return undefined;
  const head = index.kind === 'list' ? index.items[0] : index;
  const domain = args[0]?.args.slice(0, -1);
  if (head === undefined || !('text' in head) || domain === undefined) return undefined;
  const elements = args.flatMap((arg) => (arg.symbol === 'Array' ? arg.args.slice(-1) : []));
  if (elements.length < args.length) throw new Misfit('(_ map …) expects arrays');
  const id: Identifier = { symbol: head.text, indices: [], sort: undefined };
  return sort('Array', [...domain, applicationSort(id, elements, environment)]);
}

/** `(_ as-array f)`: the graph of a function. */
function functionArraySort(
  fn: Identifier,
  _args: readonly Sort[],
  environment: Environment,
): Sort | undefined {
  const [index] = fn.indices;
  if (index === undefined || !('text' in index)) return undefined;
  const ground = environment.operators(index.text)[0]?.ground;
  if (ground === undefined) throw new Misfit(`${index.text} is not a function of this formula`);
  return sort('Array', [...ground.parameters, ground.result]);
}

/** `((_ update-field head) x v)` and cvc5's `((_ update head) x v)`. */
function updatedSort(fn: Identifier, args: readonly Sort[], environment: Environment): Sort | undefined {
  const [index] = fn.indices;
  const [record, value] = args;
  if (index === undefined || !('text' in index) || record === undefined || value === undefined)
    return undefined;
  const id: Identifier = { symbol: index.text, indices: [], sort: undefined };
  const field = applicationSort(id, [record], environment);
  if (sameSort(field, value)) return record;
  const [expected, found] = [printSort(field), printSort(value)];
  throw new Misfit(`the field ${index.text} is ${expected}, but its new value is ${found}`, expected, found);
}

/** Selecting from an array of several indices, or applying a function value. */
function selectSort(fn: Identifier, args: readonly Sort[]): Sort | undefined {
  const [array, ...indices] = args;
  const isFunction = fn.symbol === '@' ? array?.symbol === '->' : array?.symbol === 'Array';
  if (array === undefined || !isFunction || array.args.length !== indices.length + 1) return undefined;
  return indices.every((index, i) => sameSort(index, itemAt(array.args, i))) ? array.args.at(-1) : undefined;
}

/** `(concat a b c …)`: left-associative, with widths that add up. */
function concatSort(_fn: Identifier, args: readonly Sort[]): Sort | undefined {
  if (args.length < 3) return undefined;
  let width = 0;
  for (const arg of args) {
    const [index] = arg.indices;
    if (arg.symbol !== 'BitVec' || index?.kind !== 'numeral') return undefined;
    width += Number(index.text);
  }
  return indexedSort('BitVec', width);
}

/** `(_ bv13 8)`. */
function literalSort(fn: Identifier, args: readonly Sort[]): Sort | undefined {
  const [width] = fn.indices;
  if (width === undefined || width.kind !== 'numeral' || args.length > 0) return undefined;
  return /^bv\d+$/.test(fn.symbol) ? indexedSort('BitVec', Number(width.text)) : undefined;
}

function complaint(
  fn: Identifier,
  args: readonly Sort[],
  candidates: readonly Operator[],
  environment: Environment,
): Misfit {
  if (candidates.length === 0) {
    const isVariable = environment.local(fn.symbol) !== undefined;
    return new Misfit(
      `${fn.symbol} ${isVariable ? 'is a variable and takes no arguments' : 'is not declared'}`,
    );
  }
  const texts = [...new Set(candidates.map((candidate) => candidate.text))].join(' or ');
  const found = args.length === 0 ? 'nothing' : args.map(printSort).join(' ');
  const [own] = candidates;
  const ground = candidates.length === 1 ? own?.ground : undefined;
  if (own !== undefined && ground !== undefined && acceptsCount(own, args.length)) {
    for (const [at, arg] of args.entries()) {
      const parameter = parameterAt(ground.parameters, at);
      if (parameter === undefined || sameSort(arg, parameter)) continue;
      const [wanted, actual] = [printSort(parameter), printSort(arg)];
      const what = `${fn.symbol} expects ${wanted} as argument ${at + 1}`;
      return new Misfit(`${what}, but ${actual} stands here`, wanted, actual, at);
    }
  }
  const expected = texts === fn.symbol ? signature(candidates) : texts;
  return new Misfit(`${fn.symbol} expects ${expected}, but is applied to ${found}`, expected, found);
}

function signature(candidates: readonly Operator[]): string {
  const show = (pattern: SortPattern): string =>
    'variable' in pattern
      ? pattern.variable
      : pattern.ground === undefined
        ? pattern.symbol
        : printSort(pattern.ground);
  return candidates
    .map((candidate) => `(${candidate.parameters.map(show).join(' ')}) ${show(candidate.result)}`)
    .join(' or ');
}
