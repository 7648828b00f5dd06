/**
 * Signatures of operators in the standard's notation: `operator('select', '(Array X Y) X', 'Y')`, `operator('concat',
 * '(_ BitVec m) (_ BitVec n)', '(_ BitVec m+n)')`. A single capital letter is a sort variable; a lower-case letter
 * among indices is a number.
 */

import { itemAt } from '../collections.js';
import { index, type SExpr, type Sort } from '../tree.js';

/** How an operator takes more arguments than its signature names. */
type Shape =
  | 'fixed'
  /** `(f a b c)` is `(f (f a b) c)`, or `(f a (f b c))`; two or more arguments. */
  | 'left'
  | 'right'
  /** `(f a b c)` is `(and (f a b) (f b c))`; `pairwise` relates all pairs. */
  | 'chain'
  | 'pairwise';

/** A number among indices: a sum of variables and a constant, e.g. `i-j+1`, or a product `i*m`. */
interface IndexPattern {
  readonly source: string;
  readonly variable: string | undefined;
  readonly value: (bound: ReadonlyMap<string, number>) => number | undefined;
}

export type SortPattern =
  | { readonly variable: string }
  | {
      readonly symbol: string;
      readonly indices: readonly IndexPattern[];
      readonly args: readonly SortPattern[];
      /** The sort, if the pattern has no variables. */
      readonly ground: Sort | undefined;
    };

interface GroundSignature {
  readonly parameters: readonly Sort[];
  readonly result: Sort;
}

export interface Operator {
  readonly name: string;
  /** Names of the numeric indices: `['i', 'j']` for `(_ extract i j)`. */
  readonly indexNames: readonly string[];
  readonly parameters: readonly SortPattern[];
  readonly result: SortPattern;
  readonly shape: Shape;
  /** A condition on the numbers, e.g. `i >= j` for `extract`. */
  readonly where: (bound: ReadonlyMap<string, number>) => boolean;
  /** Accepted by some solvers, but not written by generators and mutations, which use operators of all solvers. */
  readonly isOnlyRead: boolean;
  /** The sorts, if the signature has no variables. */
  readonly ground: GroundSignature | undefined;
  readonly text: string;
}

/**
 * An operator whose sort cannot be written as a signature, e.g. because it takes any number of arguments or depends
 * on its indices.
 */
export interface ComputedOperator {
  readonly name: string;
  /** Undefined if the arguments do not fit. */
  readonly sortOf: (indices: readonly SExpr[], args: readonly Sort[]) => Sort | undefined;
}

export interface SortConstructor {
  readonly symbol: string;
  readonly indices: number;
  readonly args: number;
  /** It may have more than `args` arguments. */
  readonly takesMore?: boolean;
}

export interface Theory {
  readonly sorts?: readonly SortConstructor[];
  readonly operators?: readonly Operator[];
  readonly computed?: readonly ComputedOperator[];
}

/**
 * The sort of terms that culprit does not know; it fits everywhere. Compared by identity, because a formula may use
 * any name.
 */
export const unknownSort: Sort = { symbol: 'a sort that is not known', indices: [], args: [] };

const unknownCache = new WeakMap<Sort, boolean>();

/** Returns true if part of a sort is unknown. Cached, because terms nest sorts. */
export function containsUnknown(sort: Sort): boolean {
  if (sort.args.length === 0) return sort === unknownSort;
  let found = unknownCache.get(sort);
  if (found !== undefined) return found;
  const todo = [...sort.args];
  found = false;
  for (let at = todo.pop(); at !== undefined && !found; at = todo.pop()) {
    const known = at.args.length === 0 ? at === unknownSort : unknownCache.get(at);
    if (known === undefined) todo.push(...at.args);
    else found = known;
  }
  unknownCache.set(sort, found);
  return found;
}

/** Returns true for function and array sorts, which Z3 treats alike. */
export function isMapSort({ symbol }: Sort): boolean {
  return symbol === '->' || symbol === 'Array';
}

/** Function sorts with more arguments are not flattened: a thousand nested lambdas would exhaust memory. */
const maxFlattened = 100;

/** Normalizes `(-> A (-> B C))` to `(-> A B C)`. */
export function functionSort(args: readonly Sort[]): Sort {
  const last = args.at(-1);
  if (last === undefined || args.length === 1) return last ?? unknownSort;
  const isFlattened = last.symbol === '->' && last.args.length <= maxFlattened;
  const all = isFlattened ? [...args.slice(0, -1), ...last.args] : args;
  return { symbol: '->', indices: [], args: all };
}

export class Bindings {
  readonly sorts = new Map<string, Sort>();
  readonly numbers = new Map<string, number>();

  reset(): void {
    this.sorts.clear();
    this.numbers.clear();
  }
}

interface OperatorOptions {
  readonly isOnlyRead?: boolean;
  readonly shape?: Shape;
  readonly indices?: readonly string[];
  readonly where?: (bound: ReadonlyMap<string, number>) => boolean;
}

export const onlyRead: OperatorOptions = { isOnlyRead: true };

const always = (): boolean => true;

/** Parameters and result are space-separated sorts in the notation above; a constant has no parameters. */
export function operator(
  name: string,
  parameters: string,
  result: string,
  options: OperatorOptions = {},
): Operator {
  const shape = options.shape ?? 'fixed';
  const patterns = { parameters: sortPatterns(parameters), result: onlyPattern(result) };
  return {
    name,
    indexNames: options.indices ?? [],
    ...patterns,
    shape,
    ground: options.indices === undefined ? groundSignature(patterns) : undefined,
    where: options.where ?? always,
    isOnlyRead: options.isOnlyRead ?? false,
    text: parameters === '' ? result : `(${parameters}${shape === 'fixed' ? '' : ' …'}) ${result}`,
  };
}

/** Operators with a common signature; names are separated by spaces. */
export function operators(
  names: string,
  parameters: string,
  result: string,
  options?: OperatorOptions,
): readonly Operator[] {
  return names.split(' ').map((name) => operator(name, parameters, result, options));
}

/** An operator that a formula declares over known sorts; `variables` are its sort parameters. */
export function declaredOperator(
  name: string,
  parameters: readonly Sort[],
  result: Sort,
  variables: ReadonlySet<string> = noVariables,
): Operator {
  const patterns = {
    parameters: parameters.map((parameter) => patternOf(parameter, variables)),
    result: patternOf(result, variables),
  };
  return {
    name,
    indexNames: [],
    ...patterns,
    shape: 'fixed',
    ground: groundSignature(patterns),
    where: always,
    isOnlyRead: false,
    text: name,
  };
}

function groundSignature(patterns: {
  readonly parameters: readonly SortPattern[];
  readonly result: SortPattern;
}): GroundSignature | undefined {
  const parameters = patterns.parameters.map(groundSort).filter((sort) => sort !== undefined);
  const result = groundSort(patterns.result);
  return result === undefined || parameters.length < patterns.parameters.length
    ? undefined
    : { parameters, result };
}

function groundSort(pattern: SortPattern): Sort | undefined {
  return 'symbol' in pattern ? pattern.ground : undefined;
}

const noVariables: ReadonlySet<string> = new Set();

function patternOf(sort: Sort, variables: ReadonlySet<string>): SortPattern {
  if (sort.args.length === 0 && variables.has(sort.symbol)) return { variable: sort.symbol };
  const args = sort.args.map((arg) => patternOf(arg, variables));
  const isGround = args.every((arg) => groundSort(arg) !== undefined);
  return {
    symbol: sort.symbol,
    indices: sort.indices.map((atom) => constantIndex('text' in atom ? Number(atom.text) : Number.NaN)),
    args,
    ground: isGround ? sort : undefined,
  };
}

function onlyPattern(text: string): SortPattern {
  const [first, ...others] = sortPatterns(text);
  if (first === undefined || others.length > 0) throw new Error(`'${text}' is not one sort`);
  return first;
}

/** Parses the notation of the tables above. The text is trusted and short, so this may recurse and throw. */
function sortPatterns(text: string): SortPattern[] {
  const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const next = (): SortPattern => {
    const token = tokens[at++];
    if (token === undefined || token === ')') throw new Error(`'${text}' is not a list of sorts`);
    if (token !== '(') return /^[A-Z]$/.test(token) ? { variable: token } : simplePattern(token, [], []);
    const head = tokens[at++] ?? '';
    const indices: IndexPattern[] = [];
    const args: SortPattern[] = [];
    const symbol = head === '_' ? (tokens[at++] ?? '') : head;
    while (tokens[at] !== ')') {
      if (at >= tokens.length) throw new Error(`'${text}' is not closed`);
      if (head === '_') indices.push(indexPattern(tokens[at++] ?? ''));
      else args.push(next());
    }
    at++;
    return simplePattern(symbol, indices, args);
  };
  const found: SortPattern[] = [];
  while (at < tokens.length) found.push(next());
  return found;
}

const plainSorts = new Map<string, Sort>();

function simplePattern(
  symbol: string,
  indices: readonly IndexPattern[],
  args: readonly SortPattern[],
): SortPattern {
  let ground: Sort | undefined;
  if (indices.length === 0 && args.length === 0) {
    ground = plainSorts.get(symbol) ?? { symbol, indices: [], args: [] };
    plainSorts.set(symbol, ground);
  }
  return { symbol, indices, args, ground };
}

function constantIndex(value: number): IndexPattern {
  return { source: String(value), variable: undefined, value: () => value };
}

function indexPattern(source: string): IndexPattern {
  if (/^\d+$/.test(source)) return constantIndex(Number(source));
  if (/^[a-z]$/.test(source)) return { source, variable: source, value: (bound) => bound.get(source) };
  const [left, right, ...more] = source.split('*');
  if (left !== undefined && right !== undefined && more.length === 0) {
    return {
      source,
      variable: undefined,
      value: (bound) => {
        const [a, b] = [bound.get(left), bound.get(right)];
        return a === undefined || b === undefined ? undefined : a * b;
      },
    };
  }
  const parts = source.match(/[+-]?[^+-]+/g) ?? [];
  return {
    source,
    variable: undefined,
    value: (bound) => {
      let sum = 0;
      for (const part of parts) {
        const word = part.replace(/^[+-]/, '');
        const number = /^\d+$/.test(word) ? Number(word) : bound.get(word);
        if (number === undefined) return undefined;
        sum += part.startsWith('-') ? -number : number;
      }
      return sum;
    },
  };
}

function numberOf(expression: SExpr | undefined): number {
  return expression !== undefined && expression.kind === 'numeral' ? Number(expression.text) : Number.NaN;
}

/** Returns true if a term of one sort can stand where the other is required. */
export function sameSort(a: Sort, b: Sort): boolean {
  if (a === b || a === unknownSort || b === unknownSort) return true;
  if (a.symbol !== b.symbol || a.indices.length !== b.indices.length || a.args.length !== b.args.length) {
    return isMapSort(a) && isMapSort(b) && sameMaps(a, b);
  }
  for (let i = 0; i < a.indices.length; i++) {
    const [left, right] = [a.indices[i], b.indices[i]];
    if (left === undefined || right === undefined || !('text' in left) || !('text' in right)) return false;
    if (left.text !== right.text) return false;
  }
  for (let i = 0; i < a.args.length; i++) {
    const [left, right] = [a.args[i], b.args[i]];
    if (left === undefined || right === undefined || !sameSort(left, right)) return false;
  }
  return true;
}

/** A function into arrays can be an array of arrays. */
function sameMaps(a: Sort, b: Sort): boolean {
  if (a.symbol === b.symbol) return false;
  const [left, right] = [allArguments(a), allArguments(b)];
  return left.length === right.length && left.every((sort, i) => sameSort(sort, itemAt(right, i)));
}

function allArguments(sort: Sort): readonly Sort[] {
  const found: Sort[] = [];
  for (let at: Sort | undefined = sort; at !== undefined; ) {
    if (!isMapSort(at)) {
      found.push(at);
      break;
    }
    found.push(...at.args.slice(0, -1));
    at = at.args.at(-1);
  }
  return found;
}

/** Matches a sort against a pattern, and extends the bindings of its variables. */
export function fits(pattern: SortPattern, sort: Sort, bound: Bindings): boolean {
  if ('variable' in pattern) {
    const known = bound.sorts.get(pattern.variable);
    if (known !== undefined && known !== unknownSort) return sameSort(known, sort);
    bound.sorts.set(pattern.variable, sort);
    return true;
  }
  if (sort === unknownSort) return true;
  if (pattern.ground !== undefined) return sameSort(pattern.ground, sort);
  if (pattern.symbol === '->' || (pattern.symbol === 'Array' && sort.symbol === '->'))
    return fitsMap(pattern.args, sort, bound);
  if (pattern.symbol !== sort.symbol) return fitsString(pattern, sort, bound);
  if (pattern.indices.length !== sort.indices.length || pattern.args.length !== sort.args.length)
    return false;
  for (let i = 0; i < pattern.indices.length; i++) {
    const wanted = itemAt(pattern.indices, i);
    const found = numberOf(sort.indices[i]);
    const known = wanted.value(bound.numbers);
    if (known === undefined && wanted.variable !== undefined && !Number.isNaN(found)) {
      bound.numbers.set(wanted.variable, found);
    } else if (known !== found) return false;
  }
  return pattern.args.every((arg, i) => fits(arg, itemAt(sort.args, i), bound));
}

/** A function with more arguments than the pattern returns a function of the others. */
function fitsMap(patterns: readonly SortPattern[], sort: Sort, bound: Bindings): boolean {
  if (!isMapSort(sort)) return false;
  const args = allArguments(sort);
  if (args.length < patterns.length) return false;
  const first = patterns.length - 1;
  const rest = args.length === patterns.length ? itemAt(args, first) : functionSort(args.slice(first));
  return patterns.every((pattern, i) => fits(pattern, i < first ? itemAt(args, i) : rest, bound));
}

/** Z3 accepts `seq.*` operators on strings, as sequences of characters. */
function fitsString(
  pattern: Exclude<SortPattern, { variable: string }>,
  sort: Sort,
  bound: Bindings,
): boolean {
  const [element] = pattern.args;
  return (
    pattern.symbol === 'Seq' &&
    sort.symbol === 'String' &&
    element !== undefined &&
    fits(element, character, bound)
  );
}

const character: Sort = { symbol: 'Unicode', indices: [], args: [] };
const stringSort: Sort = { symbol: 'String', indices: [], args: [] };

/** The sort of a pattern under these bindings; undefined if a variable is unbound. */
export function instantiate(pattern: SortPattern, bound: Bindings): Sort | undefined {
  if ('variable' in pattern) return bound.sorts.get(pattern.variable);
  if (pattern.ground !== undefined) return pattern.ground;
  const indices: SExpr[] = [];
  for (const wanted of pattern.indices) {
    const value = wanted.value(bound.numbers);
    if (value === undefined || !(value >= 0)) return undefined;
    indices.push(index(value));
  }
  const args: Sort[] = [];
  for (const inner of pattern.args) {
    const arg = instantiate(inner, bound);
    if (arg === undefined) return undefined;
    args.push(arg);
  }
  if (pattern.symbol === 'Seq' && args[0]?.symbol === 'Unicode') return stringSort;
  return pattern.symbol === '->' ? functionSort(args) : { symbol: pattern.symbol, indices, args };
}
