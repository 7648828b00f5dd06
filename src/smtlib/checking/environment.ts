/** The declarations in scope: sorts, functions and bound variables. */

import { addToList, itemAt } from '../collections.js';
import { operatorsByName, sortsByName } from '../theories/index.js';
import {
  declaredOperator,
  functionSort,
  type Operator,
  sameSort,
  unknownSort,
} from '../theories/signature.js';
import { type Datatype, indexedSort, type Sort, sort } from '../tree.js';

/** A sort mismatch. The checker catches it and adds the position. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
  constructor(
    message: string,
    readonly expected?: string | undefined,
    readonly found?: string | undefined,
    readonly argument?: number | undefined,
    /** True if culprit lacks the sort or operator, or a solver may still accept the term. */
    readonly isUnknown: boolean = false,
  ) {
    super(message);
  }
}

/** A misfit for something that culprit does not know but a solver may. */
export function unknownMisfit(message: string): Misfit {
  return new Misfit(message, undefined, undefined, undefined, true);
}

export interface DeclaredConstructor {
  readonly datatype: Datatype;
  readonly operator: Operator;
  readonly result: Sort;
}

const sortAliases: ReadonlyMap<string, Sort> = new Map([
  ['Float16', indexedSort('FloatingPoint', 5, 11)],
  ['Float32', indexedSort('FloatingPoint', 8, 24)],
  ['Float64', indexedSort('FloatingPoint', 11, 53)],
  ['Float128', indexedSort('FloatingPoint', 15, 113)],
]);

const regularLanguage = sort('RegLan');
const text = sort('String');

/** Sorts nested deeper than this are refused. */
const maxSortDepth = 1000;

/** Limit on the number of parts of a sort: nested definitions can double it with every line. */
const maxSortSize = 10_000;

interface SortExtent {
  readonly depth: number;
  readonly size: number;
}

const plainExtent: SortExtent = { depth: 1, size: 1 };

/** Extents of expanded sorts. */
const extents = new WeakMap<Sort, SortExtent>();

function extentOf(sort: Sort): SortExtent {
  return sort.args.length === 0 ? plainExtent : (extents.get(sort) ?? measureExtent(sort));
}

function measureExtent(sort: Sort): SortExtent {
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

/** Returns true for a logic of reals without integers, in which `2` is a real. */
export function readsNumeralsAsReal(logic: string): boolean {
  return /(LRA|NRA|RDL)/.test(logic) && !/I(RA)/.test(logic);
}

export class Environment {
  numeralsAreReal = false;

  /** Declarations outlive their push level. */
  areDeclarationsGlobal = false;

  /** The formula uses function sorts, so a `lambda` is a function and not an array. */
  hasFunctions = false;

  /** Sorts that stand for any sort: `(declare-sort-parameter A)`. */
  private readonly sortParameters = new Set<string>();
  private readonly sortArities = new Map<string, number>();
  private readonly sortDefinitions = new Map<string, SortDefinition>();
  private readonly functions = new Map<string, Operator[]>();
  private readonly constructors = new Map<string, DeclaredConstructor>();
  private readonly locals = new Map<string, Sort[]>();
  private readonly levels: (() => void)[][] = [[]];

  /** @param onMisfit called for every misfit; unless it throws, checking continues */
  constructor(
    private readonly onMisfit: (misfit: Misfit) => void = (misfit) => {
      throw misfit;
    },
  ) {}

  /** Reports a misfit and returns the unknown sort. */
  refuse(misfit: Misfit): Sort {
    this.onMisfit(misfit);
    return unknownSort;
  }

  setLogic(logic: string): void {
    this.numeralsAreReal = readsNumeralsAsReal(logic);
    if (logic.startsWith('HO_')) this.hasFunctions = true;
  }

  push(levels: number): void {
    for (let i = 0; i < Math.min(levels, 100_000); i++) this.levels.push([]);
  }

  pop(levels: number): void {
    const possible = this.levels.length - 1;
    if (levels > possible) this.refuse(new Misfit(`pop ${levels} exceeds the ${possible} open levels`));
    for (let i = 0; i < Math.min(levels, possible); i++) {
      for (const undo of (this.levels.pop() ?? []).reverse()) undo();
    }
  }

  popAll(): void {
    this.pop(this.levels.length - 1);
  }

  private pushUndo(undo: () => void): void {
    this.levels.at(this.areDeclarationsGlobal ? 0 : -1)?.push(undo);
  }

  declareSort(name: string, arity: number): void {
    this.expectNewSort(name);
    const [hidden, definition] = [this.sortArities.get(name), this.sortDefinitions.get(name)];
    this.sortArities.set(name, arity);
    this.sortDefinitions.delete(name);
    this.pushUndo(() => {
      restore(this.sortArities, name, hidden);
      restore(this.sortDefinitions, name, definition);
    });
  }

  defineSort(name: string, parameters: readonly string[], body: Sort): void {
    this.expectNewSort(name);
    const resolved = this.sort(body, new Set(parameters));
    const hidden = this.sortDefinitions.get(name);
    this.sortDefinitions.set(name, { parameters, body: resolved });
    this.pushUndo(() => restore(this.sortDefinitions, name, hidden));
  }

  /** Other built-in sorts belong to one solver or logic, so elsewhere formulas may declare their names. */
  private expectNewSort(name: string): void {
    if (this.sortArities.has(name) || this.sortDefinitions.has(name) || coreSorts.has(name))
      this.refuse(unknownMisfit(`the sort ${name} is already declared`));
  }

  declareSortParameter(name: string): void {
    this.sortParameters.add(name);
    this.pushUndo(() => this.sortParameters.delete(name));
  }

  /** Declares a function. The formula's sort parameters in its signature stay open. */
  declare(name: string, parameters: readonly Sort[], result: Sort): void {
    this.declareFunction(declaredOperator(name, parameters, result, this.sortParameters));
  }

  declareFunction(operator: Operator): void {
    if (this.declaredFunctions(operator.name).some((other) => isSameSignature(operator, other)))
      this.refuse(unknownMisfit(`${operator.name} is already declared`));
    addToList(this.functions, operator.name, operator);
    this.pushUndo(() => {
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
        this.refuse(
          new Misfit(
            `${datatype.name} takes ${datatype.arity} sort parameters but names ${datatype.parameters.length}`,
          ),
        );
      }
      const result = sort(
        datatype.name,
        datatype.parameters.map((parameter) => sort(parameter)),
      );
      for (const variant of datatype.constructors) {
        // In the 2.5 form, a parametric datatype refers to itself without arguments.
        const fields = variant.selectors.map((field) => this.sort(field.sort, parameters, datatypes));
        const made = declaredOperator(variant.name, fields, result, parameters);
        this.declareFunction(made);
        this.declareFunction(declaredOperator(`is-${variant.name}`, [result], sort('Bool'), parameters));
        variant.selectors.forEach((field, i) => {
          this.declareFunction(declaredOperator(field.name, [result], itemAt(fields, i), parameters));
        });
        const hidden = this.constructors.get(variant.name);
        this.constructors.set(variant.name, { datatype, operator: made, result });
        this.pushUndo(() => restore(this.constructors, variant.name, hidden));
      }
    }
  }

  constructorNamed(name: string): DeclaredConstructor | undefined {
    return this.constructors.get(name);
  }

  /** Returns true if the datatype has a constructor of this name. Several datatypes may share one. */
  hasConstructor(name: string, datatype: string): boolean {
    const made = this.constructors.get(name);
    if (made === undefined || made.datatype.name === datatype) return made !== undefined;
    return this.declaredFunctions(name).some(
      ({ result }) => 'symbol' in result && result.symbol === datatype,
    );
  }

  bind(name: string, itsSort: Sort): void {
    addToList(this.locals, name, itsSort);
  }

  unbind(name: string): void {
    this.locals.get(name)?.pop();
  }

  unbindAll(): void {
    this.locals.clear();
  }

  local(name: string): Sort | undefined {
    return this.locals.get(name)?.at(-1);
  }

  /** The functions that the script declares under this name, latest last. */
  declaredFunctions(name: string): readonly Operator[] {
    return this.functions.get(name) ?? [];
  }

  /** All operators of this name: the script's first, then the theories'. */
  operators(name: string): readonly Operator[] {
    const own = this.functions.get(name);
    const builtIn = operatorsByName.get(name);
    if (own === undefined) return builtIn ?? [];
    if (builtIn === undefined && own.length === 1) return own;
    // A later declaration takes precedence over an earlier one if it fits.
    return [...own.toReversed(), ...(builtIn ?? [])];
  }

  /** Expands definitions and aliases; refuses a sort that does not exist. */
  sort(
    written: Sort,
    parameters: ReadonlySet<string> = noParameters,
    open: readonly Datatype[] = [],
    depth = 0,
  ): Sort {
    if (depth > maxSortDepth) return this.refuse(new Misfit('a sort is nested too deeply'));
    if (written.args.length === 0 && written.indices.length === 0) {
      if (parameters.has(written.symbol) || this.sortParameters.has(written.symbol)) return written;
      const alias = this.sortArities.has(written.symbol) ? undefined : sortAliases.get(written.symbol);
      if (alias !== undefined) return alias;
    }
    const args = written.args.map((arg) => this.sort(arg, parameters, open, depth + 1));
    const definition = this.sortDefinitions.get(written.symbol);
    if (definition !== undefined) {
      if (!this.hasCount(written, definition.parameters.length, args.length)) return unknownSort;
      return this.withinLimits(
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
      if (!this.hasCount(written, arity, args.length)) return unknownSort;
      return args.length === 0
        ? written
        : this.withinLimits({ symbol: written.symbol, indices: written.indices, args });
    }
    return this.builtInSort(written, args);
  }

  private builtInSort(written: Sort, args: readonly Sort[]): Sort {
    const { symbol, indices } = written;
    const made = normalizedSorts.get(symbol)?.(args);
    if (made !== undefined) {
      if (made.symbol === '->') this.hasFunctions = true;
      return this.withinLimits(made);
    }
    const known = sortsByName.get(symbol);
    if (known === undefined) return this.refuse(unknownMisfit(`unknown sort ${symbol}`));
    if (known.indices !== indices.length) {
      const message = `the sort ${symbol} takes ${known.indices} indices, not ${indices.length}`;
      return this.refuse(new Misfit(message));
    }
    // E.g. arrays with several indices, and tuples.
    const isOpen = known.takesMore === true && args.length >= known.args;
    if (!isOpen && !this.hasCount(written, known.args, args.length)) return unknownSort;
    if (symbol === 'RegEx' && args[0]?.symbol === 'String') return regularLanguage;
    if (symbol === 'Seq' && args[0]?.symbol === 'Unicode') return text;
    return args.length === 0 ? written : this.withinLimits({ symbol, indices, args });
  }

  private hasCount(written: Sort, wanted: number, found: number): boolean {
    if (wanted === found) return true;
    this.refuse(new Misfit(`the sort ${written.symbol} takes ${wanted} arguments, not ${found}`));
    return false;
  }

  /** Returns the sort if it is within the limits. Its parts have passed this check, so the recursion is bounded. */
  private withinLimits(sort: Sort): Sort {
    const { depth, size } = extentOf(sort);
    if (depth > maxSortDepth) return this.refuse(new Misfit('a sort is nested too deeply'));
    return size <= maxSortSize ? sort : this.refuse(new Misfit(`a sort has more than ${maxSortSize} parts`));
  }
}

const noParameters: ReadonlySet<string> = new Set();

const coreSorts: ReadonlySet<string> = new Set(['Bool', 'Int', 'Real', 'String']);

function restore<Value>(map: Map<string, Value>, name: string, hidden: Value | undefined): void {
  if (hidden === undefined) map.delete(name);
  else map.set(name, hidden);
}

/** Sorts with another internal form; undefined if the number of arguments is wrong. */
const normalizedSorts: ReadonlyMap<string, (args: readonly Sort[]) => Sort | undefined> = new Map([
  ['->', (args: readonly Sort[]) => (args.length < 2 ? undefined : functionSort(args))],
  // F* writes function sorts for Z3 like this.
  ['=>', (args: readonly Sort[]) => (args.length < 2 ? undefined : functionSort(args))],
  ['UnitTuple', (args: readonly Sort[]) => (args.length === 0 ? sort('Tuple') : undefined)],
  ['Relation', (args: readonly Sort[]) => sort('Set', [sort('Tuple', args)])],
  ['Table', (args: readonly Sort[]) => sort('Bag', [sort('Tuple', args)])],
]);

function substitute(body: Sort, values: ReadonlyMap<string, Sort>): Sort {
  const value = body.args.length === 0 ? values.get(body.symbol) : undefined;
  if (value !== undefined) return value;
  if (body.args.length === 0) return body;
  const args = body.args.map((arg) => substitute(arg, values));
  return body.symbol === '->' ? functionSort(args) : { symbol: body.symbol, indices: body.indices, args };
}

function isSameSignature(a: Operator, b: Operator): boolean {
  // Constants and field-less constructors may differ in their result sort only.
  const [left, right] = a.parameters.length === 0 ? [[a.result], [b.result]] : [a.parameters, b.parameters];
  return (
    a.parameters.length === b.parameters.length &&
    left.every((pattern, i) => {
      const other = right[i];
      if (other === undefined || 'variable' in pattern || 'variable' in other) return true;
      if (pattern.ground === undefined || other.ground === undefined) return pattern.symbol === other.symbol;
      return sameSort(pattern.ground, other.ground);
    })
  );
}
