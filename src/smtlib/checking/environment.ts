/** What a script has declared so far: its sorts, its functions, and the variables bound around a term. */

import { itemAt } from '../item-at.js';
import { operatorsByName, sortsByName } from '../theories/index.js';
import { declaredOperator, type Operator, sameSort } from '../theories/signature.js';
import { type Datatype, indexedSort, type Sort, sort } from '../tree.js';

/** Something that does not fit, thrown up to the checker, which knows where it stands and makes a fault of it. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
  constructor(
    message: string,
    readonly expected?: string | undefined,
    readonly found?: string | undefined,
    /** Which argument of the application does not fit, from 0. */
    readonly argument?: number | undefined,
  ) {
    super(message);
  }
}

export interface ConstructorOf {
  readonly datatype: Datatype;
  readonly operator: Operator;
  /** The result sort, e.g. `(List T)`. */
  readonly result: Sort;
}

/** Sorts with a second name. */
const sortAliases: ReadonlyMap<string, Sort> = new Map([
  ['Float16', indexedSort('FloatingPoint', 5, 11)],
  ['Float32', indexedSort('FloatingPoint', 8, 24)],
  ['Float64', indexedSort('FloatingPoint', 11, 53)],
  ['Float128', indexedSort('FloatingPoint', 15, 113)],
]);

const regularLanguage = sort('RegLan');
const text = sort('String');

/** How deeply sorts may nest before they are refused rather than followed. */
const maxSortDepth = 1000;

/** Of how many sorts one may be made: definitions of definitions double it line by line. */
const maxSortSize = 10_000;

interface SortExtent {
  readonly depth: number;
  readonly size: number;
}

const plainExtent: SortExtent = { depth: 1, size: 1 };

/** Sorts without definitions in them, by what was written out for them. */
const extents = new WeakMap<Sort, SortExtent>();

function extentOf(sort: Sort): SortExtent {
  return sort.args.length === 0 ? plainExtent : (extents.get(sort) ?? measured(sort));
}

/** The same sort if it is not too large; those it is made of are not, so this never goes deeper than they may. */
function bounded(sort: Sort): Sort {
  const { depth, size } = extentOf(sort);
  if (depth > maxSortDepth) throw new Misfit('a sort is nested too deeply');
  if (size > maxSortSize) throw new Misfit(`a sort is made of more than ${maxSortSize} others`);
  return sort;
}

function measured(sort: Sort): SortExtent {
  let [depth, size] = [0, 1];
  for (const extent of sort.args.map(extentOf)) {
    depth = Math.max(depth, extent.depth);
    size += extent.size;
  }
  const extent = { depth: depth + 1, size };
  extents.set(sort, extent);
  return extent;
}

interface SortDefinition {
  readonly parameters: readonly string[];
  readonly body: Sort;
}

/** In a logic of reals without integers `2` is a real. */
export function readsNumeralsAsReal(logic: string): boolean {
  return /(LRA|NRA|RDL)/.test(logic) && !/I(RA)/.test(logic);
}

export class Environment {
  /** Numerals are real numbers: the logic has reals and no integers. */
  numeralsAreReal = false;

  private readonly sortArities = new Map<string, number>();
  private readonly sortDefinitions = new Map<string, SortDefinition>();
  private readonly functions = new Map<string, Operator[]>();
  private readonly constructors = new Map<string, ConstructorOf>();
  private readonly locals = new Map<string, Sort[]>();
  /** How to undo each declaration, level by level of push. */
  private readonly levels: (() => void)[][] = [[]];

  setLogic(logic: string): void {
    this.numeralsAreReal = readsNumeralsAsReal(logic);
  }

  push(levels: number): void {
    for (let i = 0; i < Math.min(levels, 100_000); i++) this.levels.push([]);
  }

  pop(levels: number): void {
    if (levels >= this.levels.length) {
      throw new Misfit(`pop ${levels} has only ${this.levels.length - 1} levels to leave`);
    }
    for (let i = 0; i < levels; i++) {
      for (const undo of (this.levels.pop() ?? []).reverse()) undo();
    }
  }

  popAll(): void {
    this.pop(this.levels.length - 1);
  }

  private remember(undo: () => void): void {
    this.levels.at(-1)?.push(undo);
  }

  declareSort(name: string, arity: number): void {
    if (this.sortArities.has(name) || this.sortDefinitions.has(name) || sortsByName.has(name)) {
      throw new Misfit(`the sort ${name} is declared already`);
    }
    this.sortArities.set(name, arity);
    this.remember(() => this.sortArities.delete(name));
  }

  defineSort(name: string, parameters: readonly string[], body: Sort): void {
    if (this.sortArities.has(name) || this.sortDefinitions.has(name) || sortsByName.has(name)) {
      throw new Misfit(`the sort ${name} is declared already`);
    }
    const resolved = this.sort(body, new Set(parameters));
    this.sortDefinitions.set(name, { parameters, body: resolved });
    this.remember(() => this.sortDefinitions.delete(name));
  }

  declareFunction(operator: Operator): void {
    const same = this.functions.get(operator.name);
    if (same === undefined) this.functions.set(operator.name, [operator]);
    else if (same.some((other) => isSameSignature(operator, other))) {
      throw new Misfit(`${operator.name} is declared already`);
    } else same.push(operator);
    this.remember(() => {
      const list = this.functions.get(operator.name) ?? [];
      list.pop();
      if (list.length === 0) this.functions.delete(operator.name);
    });
  }

  declareDatatypes(datatypes: readonly Datatype[]): void {
    for (const datatype of datatypes) this.declareSort(datatype.name, datatype.arity);
    for (const datatype of datatypes) {
      const parameters = new Set(datatype.parameters);
      if (datatype.parameters.length !== datatype.arity) {
        throw new Misfit(
          `${datatype.name} takes ${datatype.arity} sorts but names ${datatype.parameters.length}`,
        );
      }
      const result = sort(
        datatype.name,
        datatype.parameters.map((parameter) => sort(parameter)),
      );
      for (const variant of datatype.constructors) {
        // Inside the 2.5 form a parametric datatype stands for itself without its arguments.
        const fields = variant.selectors.map((field) => this.sort(field.sort, parameters, datatypes));
        const made = declaredOperator(variant.name, fields, result, parameters);
        this.declareFunction(made);
        this.declareFunction(declaredOperator(`is-${variant.name}`, [result], sort('Bool'), parameters));
        variant.selectors.forEach((field, i) => {
          this.declareFunction(declaredOperator(field.name, [result], itemAt(fields, i), parameters));
        });
        this.constructors.set(variant.name, { datatype, operator: made, result });
        this.remember(() => this.constructors.delete(variant.name));
      }
    }
  }

  constructorNamed(name: string): ConstructorOf | undefined {
    return this.constructors.get(name);
  }

  bind(name: string, itsSort: Sort): void {
    const stack = this.locals.get(name);
    if (stack === undefined) this.locals.set(name, [itsSort]);
    else stack.push(itsSort);
  }

  unbind(name: string): void {
    this.locals.get(name)?.pop();
  }

  local(name: string): Sort | undefined {
    return this.locals.get(name)?.at(-1);
  }

  /** Everything of this name that can be applied: the script's own first, then the theories'. */
  operators(name: string): readonly Operator[] {
    const own = this.functions.get(name);
    const builtIn = operatorsByName.get(name);
    if (own === undefined) return builtIn ?? [];
    return builtIn === undefined ? own : [...own, ...builtIn];
  }

  /** The sort with definitions and second names replaced; throws a `Misfit` for one that does not exist. */
  sort(
    written: Sort,
    parameters: ReadonlySet<string> = none,
    open: readonly Datatype[] = [],
    depth = 0,
  ): Sort {
    if (depth > maxSortDepth) throw new Misfit('a sort is nested too deeply');
    if (written.args.length === 0 && written.indices.length === 0) {
      if (parameters.has(written.symbol)) return written;
      const alias = sortAliases.get(written.symbol);
      if (alias !== undefined) return alias;
    }
    const args = written.args.map((arg) => this.sort(arg, parameters, open, depth + 1));
    const definition = this.sortDefinitions.get(written.symbol);
    if (definition !== undefined) {
      expectCount(written, definition.parameters.length, args.length);
      return bounded(
        substitute(definition.body, new Map(definition.parameters.map((name, i) => [name, itemAt(args, i)]))),
      );
    }
    const arity = this.sortArities.get(written.symbol);
    if (arity !== undefined) {
      const datatype = open.find((other) => other.name === written.symbol);
      if (datatype !== undefined && args.length === 0 && arity > 0) {
        return sort(
          written.symbol,
          datatype.parameters.map((name) => sort(name)),
        );
      }
      expectCount(written, arity, args.length);
    } else {
      const known = sortsByName.get(written.symbol);
      if (known === undefined) throw new Misfit(`there is no sort ${written.symbol}`);
      if (known.indices !== written.indices.length) {
        throw new Misfit(
          `the sort ${written.symbol} takes ${known.indices} indices, not ${written.indices.length}`,
        );
      }
      // Arrays of several indices and functions of several arguments take more.
      if (written.symbol !== 'Array' && written.symbol !== '->')
        expectCount(written, known.args, args.length);
      else if (args.length < 2) expectCount(written, 2, args.length);
    }
    if (written.symbol === 'RegEx' && args[0]?.symbol === 'String') return regularLanguage;
    if (written.symbol === 'Seq' && args[0]?.symbol === 'Unicode') return text;
    return args.length === 0 ? written : bounded({ symbol: written.symbol, indices: written.indices, args });
  }
}

const none: ReadonlySet<string> = new Set();

function expectCount(written: Sort, wanted: number, found: number): void {
  if (wanted !== found)
    throw new Misfit(`the sort ${written.symbol} takes ${wanted} arguments, not ${found}`);
}

function substitute(body: Sort, values: ReadonlyMap<string, Sort>): Sort {
  const value = body.args.length === 0 ? values.get(body.symbol) : undefined;
  if (value !== undefined) return value;
  return body.args.length === 0
    ? body
    : { symbol: body.symbol, indices: body.indices, args: body.args.map((arg) => substitute(arg, values)) };
}

function isSameSignature(a: Operator, b: Operator): boolean {
  return (
    a.parameters.length === b.parameters.length &&
    a.parameters.every((parameter, i) => {
      const other = b.parameters[i];
      if (other === undefined || 'variable' in parameter || 'variable' in other) return true;
      if (parameter.ground === undefined || other.ground === undefined)
        return parameter.symbol === other.symbol;
      return sameSort(parameter.ground, other.ground);
    })
  );
}
