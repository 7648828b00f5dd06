import { itemAt } from '../collections.js';
import { printSort } from '../printing/print.js';
import { computedByName } from '../theories/index.js';
import {
  Bindings,
  containsUnknown,
  fits,
  functionSort,
  instantiate,
  isMapSort,
  type Operator,
  type SortPattern,
  sameSort,
  unknownSort,
} from '../theories/signature.js';
import { type Identifier, indexedSort, type SExpr, type Sort, sort } from '../tree.js';
import { type Environment, Misfit, unknownMisfit } from './environment.js';

const bool = sort('Bool');
const int = sort('Int');
const real = sort('Real');
const text = sort('String');
const bindings = new Bindings();

/**
 * The sort of `(fn args…)`. If no operator fits, the environment receives a misfit with the expected and the found
 * sorts.
 */
export function applicationSort(fn: Identifier, args: readonly Sort[], environment: Environment): Sort {
  const special =
    specialOperators.get(fn.symbol)?.(fn, args, environment) ?? literalSort(fn, args, environment);
  if (special !== undefined) return special;
  const local = args.length === 0 ? undefined : environment.local(fn.symbol);
  const applied = local && resultOfApplying(local, args);
  if (applied !== undefined) return applied;
  const candidates = environment.operators(fn.symbol);
  const found =
    operatorsResult(candidates, fn, args) ??
    computedByName.get(fn.symbol)?.sortOf(fn.indices, args) ??
    sequenceResult(fn, args, environment) ??
    functionResult(fn, args, environment);
  return found ?? environment.refuse(applicationMisfit(fn, args, candidates, environment));
}

function operatorsResult(
  candidates: readonly Operator[],
  fn: Identifier,
  args: readonly Sort[],
): Sort | undefined {
  if (isAnyUnknown(args)) return commonResult(candidates, fn, args);
  for (const candidate of candidates) {
    const result = resultOf(candidate, fn, args, false);
    if (result !== undefined) return result;
  }
  // Integers are accepted as reals, as solvers do in logics with both.
  if (!args.some((arg) => arg.symbol === 'Int')) return undefined;
  for (const candidate of candidates) {
    const result = resultOf(candidate, fn, args, true);
    if (result !== undefined) return result;
  }
  if (!args.some((arg) => arg.symbol === 'Real')) return undefined;
  const widened = args.map((arg) => (arg.symbol === 'Int' ? real : arg));
  for (const candidate of candidates) {
    const result = resultOf(candidate, fn, widened, false);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** With arguments of unknown sort, several operators may fit. The result is known only if all of them agree on it. */
function commonResult(
  candidates: readonly Operator[],
  fn: Identifier,
  args: readonly Sort[],
): Sort | undefined {
  let found: Sort | undefined;
  for (const candidate of candidates) {
    const result = resultOf(candidate, fn, args, true);
    if (result === undefined) continue;
    if (found !== undefined && !sameSort(found, result)) return unknownSort;
    found ??= result;
  }
  return found;
}

/** cvc5 also takes `str.len` and similar operators for sequences. */
function sequenceResult(fn: Identifier, args: readonly Sort[], environment: Environment): Sort | undefined {
  if (!fn.symbol.startsWith('str.') || !args.some(({ symbol }) => symbol === 'Seq')) return undefined;
  const name = `seq.${fn.symbol === 'str.substr' ? 'extract' : fn.symbol.slice('str.'.length)}`;
  return operatorsResult(environment.operators(name), fn, args);
}

/**
 * A declared function as a value (partial or extended application), a variable of function sort, or `(_ f x)`, which
 * is `(f x)` if f has no indices.
 */
function functionResult(fn: Identifier, args: readonly Sort[], environment: Environment): Sort | undefined {
  const given = [...fn.indices.map(() => unknownSort), ...args];
  const local = environment.local(fn.symbol);
  if (local !== undefined) return given.length === 0 ? undefined : resultOfApplying(local, given);
  for (const { ground, parameters } of environment.declaredFunctions(fn.symbol).toReversed()) {
    const whole =
      ground === undefined
        ? functionSort([...parameters.map(() => unknownSort), unknownSort])
        : functionSort([...ground.parameters, ground.result]);
    const result = given.length === 0 ? whole : resultOfApplying(whole, given);
    const matchesQualification = fn.sort === undefined || result === undefined || sameSort(fn.sort, result);
    if (result !== undefined && matchesQualification) return result;
  }
  return undefined;
}

/**
 * The sort of a function or array applied to `args`; a function sort if there are fewer arguments than parameters.
 */
export function resultOfApplying(map: Sort, args: readonly Sort[]): Sort | undefined {
  let left = args;
  let at = map;
  while (left.length > 0) {
    if (at === unknownSort) return unknownSort;
    const taken = at.args.length - 1;
    if (!isMapSort(at) || taken < 1 || (at.symbol === 'Array' && left.length < taken)) return undefined;
    const now = Math.min(taken, left.length);
    for (let i = 0; i < now; i++) {
      const [wanted, found] = [itemAt(at.args, i), itemAt(left, i)];
      if (!sameSort(wanted, found) && !widens(found, wanted)) return undefined;
    }
    left = left.slice(now);
    at = functionSort(at.args.slice(now));
  }
  return at;
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
  bindings.reset();
  for (let i = 0; i < operator.indexNames.length; i++) {
    const index = fn.indices[i];
    const name = operator.indexNames[i];
    if (name === undefined || index === undefined || index.kind !== 'numeral') return undefined;
    bindings.numbers.set(name, Number(index.text));
  }
  // For a constant such as `(as nil (List Int))`, the qualification alone may determine the sort.
  if (fn.sort !== undefined && !fits(operator.result, fn.sort, bindings)) return undefined;
  for (let i = 0; i < args.length; i++) {
    const wanted = parameterAt(operator.parameters, i);
    const found = args[i];
    if (wanted === undefined || found === undefined || !fits(wanted, found, bindings)) return undefined;
  }
  const result = instantiate(operator.result, bindings);
  if (result !== undefined && operator.where(bindings.numbers)) return result;
  // An argument of unknown sort may leave the condition undecided; that is no misfit.
  return isAnyUnknown(args) ? (result ?? unknownSort) : undefined;
}

function isAnyUnknown(sorts: readonly Sort[]): boolean {
  for (const sort of sorts)
    if (sort === unknownSort || (sort.args.length > 0 && containsUnknown(sort))) return true;
  return false;
}

function widens(found: Sort, wanted: Sort): boolean {
  return found.symbol === 'Int' && wanted.symbol === 'Real';
}

function acceptsCount(operator: Operator, count: number): boolean {
  const wanted = operator.parameters.length;
  return operator.shape === 'fixed' ? count === wanted : count >= wanted;
}

function parameterAt<Parameter>(parameters: readonly Parameter[], i: number): Parameter | undefined {
  return parameters[Math.min(i, parameters.length - 1)];
}

type SpecialOperator = (fn: Identifier, args: readonly Sort[], environment: Environment) => Sort | undefined;

/** Operators whose sort cannot be written as a signature. */
const specialOperators: ReadonlyMap<string, SpecialOperator> = new Map<string, SpecialOperator>([
  ['is', testerSort],
  ['const', constantArraySort],
  ['map', mappedSort],
  ['as-array', functionArraySort],
  ['char', (fn) => (fn.indices.length === 1 ? text : undefined)],
  ['update-field', updatedSort],
  ['update', updatedSort],
  ['select', selectSort],
  ['@', selectSort],
  ['store', storeSort],
  ['concat', concatSort],
  ['fmf.card', (fn) => (fn.indices.length === 2 ? bool : undefined)],
  ['nullable.lift', liftedSort],
]);

/** `((_ is cons) x)`; Z3 prints the index as a whole signature. */
function testerSort(fn: Identifier, args: readonly Sort[], environment: Environment): Sort | undefined {
  const [index] = fn.indices;
  if (index === undefined || args.length !== 1) return undefined;
  const head = index.kind === 'list' ? index.items[0] : index;
  if (head === undefined || !('text' in head)) return undefined;
  const [subject] = args;
  if (subject === undefined || subject === unknownSort || computedConstructors.has(head.text)) return bool;
  const made = environment.constructorNamed(head.text);
  if (made === undefined) environment.refuse(unknownMisfit(`${head.text} is not a constructor`));
  else if (!environment.hasConstructor(head.text, subject.symbol))
    environment.refuse(wrongArgument(`(_ is ${head.text})`, made.result, subject));
  return bool;
}

/** Constructors of built-in sorts that cvc5 treats as datatypes. */
const computedConstructors: ReadonlySet<string> = new Set(['tuple', 'nullable.some', 'nullable.null']);

function constantArraySort(
  fn: Identifier,
  args: readonly Sort[],
  environment: Environment,
): Sort | undefined {
  if (fn.sort === undefined || args.length !== 1) return undefined;
  if (fn.sort === unknownSort) return unknownSort;
  const value = fn.sort.args.at(-1);
  if (!isMapSort(fn.sort) || value === undefined) return undefined;
  const [found] = args;
  if (found !== undefined && (sameSort(found, value) || widens(found, value))) return fn.sort;
  environment.refuse(wrongArgument(`(as const ${printSort(fn.sort)})`, value, found));
  return fn.sort;
}

function wrongArgument(fn: string, wanted: Sort, found: Sort | undefined): Misfit {
  const [expected, actual] = [printSort(wanted), found === undefined ? 'missing' : printSort(found)];
  return new Misfit(`${fn} expects ${expected}, but its argument is ${actual}`, expected, actual);
}

/** The function that an index names: `f` or `(- (Int Int) Int)`. A `(lambda …)` is not examined. */
function indexedFunction([index]: readonly SExpr[]): Identifier | undefined {
  const head = index?.kind === 'list' ? index.items[0] : index;
  return head !== undefined && 'text' in head && head.kind === 'symbol'
    ? { symbol: head.text, indices: [], sort: undefined }
    : undefined;
}

/** `((_ map f) a b)` applies f to arrays element by element. */
function mappedSort(fn: Identifier, args: readonly Sort[], environment: Environment): Sort | undefined {
  const [first] = args;
  const mapped = indexedFunction(fn.indices);
  if (mapped === undefined || first === undefined) return undefined;
  const elements: Sort[] = [];
  for (const arg of args) {
    if (arg === unknownSort) elements.push(unknownSort);
    // In Z3 a set is an array of Booleans.
    else if (arg.symbol === 'Set') elements.push(bool);
    else if (isMapSort(arg)) elements.push(...arg.args.slice(-1));
    else return environment.refuse(new Misfit('(_ map …) expects arrays'));
  }
  if (first === unknownSort) return unknownSort;
  const domain = first.symbol === 'Set' ? first.args : first.args.slice(0, -1);
  return sort('Array', [...domain, applicationSort(mapped, elements, environment)]);
}

/** `((_ nullable.lift f) a b)` and `(nullable.lift f a b)` apply f to the values inside nullables. */
function liftedSort(fn: Identifier, args: readonly Sort[], environment: Environment): Sort | undefined {
  const isIndexed = fn.indices.length > 0;
  const lifted = isIndexed ? args : args.slice(1);
  if (lifted.some((arg) => arg.symbol !== 'Nullable' && arg !== unknownSort)) return undefined;
  const values = lifted.map((arg) => arg.args[0] ?? unknownSort);
  const mapped = indexedFunction(fn.indices);
  const result = isIndexed
    ? mapped && applicationSort(mapped, values, environment)
    : args[0] && resultOfApplying(args[0], values);
  return result && sort('Nullable', [result]);
}

function functionArraySort(
  fn: Identifier,
  _args: readonly Sort[],
  environment: Environment,
): Sort | undefined {
  const [index] = fn.indices;
  if (index === undefined || !('text' in index)) return undefined;
  const ground = environment.operators(index.text)[0]?.ground;
  if (ground === undefined)
    return environment.refuse(unknownMisfit(`${index.text} is not a function of this formula`));
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
  if (sameSort(field, value) || widens(value, field)) return record;
  const [expected, found] = [printSort(field), printSort(value)];
  const message = `the field ${index.text} is ${expected}, but its new value is ${found}`;
  environment.refuse(new Misfit(message, expected, found));
  return record;
}

/** Selects from an array with one or more indices, or applies a function value. */
function selectSort(fn: Identifier, args: readonly Sort[]): Sort | undefined {
  const [map, ...indices] = args;
  if (map === undefined || indices.length === 0) return undefined;
  // In Z3 a set is an array of Booleans.
  if (fn.symbol === 'select' && map.symbol === 'Set') return bool;
  return isMapSort(map) || map === unknownSort ? resultOfApplying(map, indices) : undefined;
}

/** Stores into an array with one or more indices; Z3 also stores into sets. */
function storeSort(_fn: Identifier, args: readonly Sort[]): Sort | undefined {
  const [map, ...rest] = args;
  const [value, indices] = [rest.at(-1), rest.slice(0, -1)];
  if (map === undefined || value === undefined || indices.length === 0) return undefined;
  if (map.symbol === 'Set') return map;
  if (!isMapSort(map) && map !== unknownSort) return undefined;
  const element = resultOfApplying(map, indices);
  return element !== undefined && (sameSort(element, value) || widens(value, element)) ? map : undefined;
}

/** `(concat a b c …)`: left-associative; the widths are added. */
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

/** Undeclared `(_ bv13 8)`, cvc5's `(as ff3 F)`, and Z3's `-1` and `-1.5`. */
function literalSort(fn: Identifier, args: readonly Sort[], environment: Environment): Sort | undefined {
  if (args.length > 0) return undefined;
  const [width] = fn.indices;
  if (width !== undefined) {
    const isBits = width.kind === 'numeral' && /^bv\d+$/.test(fn.symbol);
    return isBits ? indexedSort('BitVec', Number(width.text)) : undefined;
  }
  if (fn.sort !== undefined && /^ff-?\d+$/.test(fn.symbol)) return fn.sort;
  if (
    !fn.symbol.startsWith('-') ||
    !/^-\d+([./]\d*)?$/.test(fn.symbol) ||
    environment.declaredFunctions(fn.symbol).length > 0
  )
    return undefined;
  return /[./]/.test(fn.symbol) || environment.numeralsAreReal ? real : int;
}

function applicationMisfit(
  fn: Identifier,
  args: readonly Sort[],
  candidates: readonly Operator[],
  environment: Environment,
): Misfit {
  if (candidates.length === 0) {
    const isVariable = environment.local(fn.symbol) !== undefined;
    return isVariable
      ? new Misfit(`${fn.symbol} is a variable and takes no arguments`)
      : computedByName.has(fn.symbol)
        ? new Misfit(`${fn.symbol} cannot be applied to ${args.map(printSort).join(' ') || 'nothing'}`)
        : unknownMisfit(`${fn.symbol} is not declared`);
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
      const expectation = `${fn.symbol} expects ${wanted} as argument ${at + 1}`;
      return new Misfit(`${expectation}, found ${actual}`, wanted, actual, at);
    }
  }
  const expected = texts === fn.symbol ? signature(candidates) : texts;
  const message = `${fn.symbol} expects ${expected}, but is applied to ${found}`;
  // A solver may infer the sort of a constant such as `nil` from its context.
  const isOpen = args.length === 0 && candidates.some(({ parameters }) => parameters.length === 0);
  return new Misfit(message, expected, found, undefined, isOpen);
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
