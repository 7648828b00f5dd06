/** The names that a script declares, with sort and scope. */

import { sortKey } from '../printing/sort-key.js';
import { type Command, type Datatype, type Name, name as nameTerm, type Sort } from '../tree.js';
import { declaredIn } from './declaring-text.js';
import { Environment, Misfit } from './environment.js';

interface Constant {
  /** With aliases and definitions expanded. */
  readonly sort: Sort;
  /** `sortKey` of the sort. */
  readonly key: string;
  readonly term: Name;
}

export interface Declared {
  readonly name: string;
  /** Set for a declared constant without a definition ("variable" in formula terms). */
  readonly constant: Constant | undefined;
  /** The moment of the declaration; the name is usable after it … */
  readonly from: number;
  /** … and before this moment, when its push level is left. */
  to: number;
}

/** Commands that end the scope of all earlier declarations. */
const forgets: ReadonlySet<string> = new Set(['reset', 'reset-assertions']);

/** Deeper push levels are treated as one, as in the checker. */
const mostLevels = 100_000;

export class Declarations {
  readonly byName = new Map<string, Declared[]>();
  /** Excludes names that are declared more than once in the same scope, because the name alone is ambiguous. */
  readonly constants: readonly Declared[];
  /** Names from `:named` annotations; usable only after the term they name. */
  readonly given: Set<string> = new Set();
  logic: string | undefined;

  private readonly found: Declared[] = [];
  private readonly shared = new Map<string, boolean>();
  private readonly levels: Declared[][] = [[]];

  /**
   * The moment of a declaration is the index of its command.
   *
   * @param given for each command, the names given to terms in it
   */
  constructor(commands: readonly Command[], given: readonly (readonly string[])[] = []) {
    const environment = new Environment();
    commands.forEach((command, at) => {
      this.record(command, at, environment);
      for (const name of given[at] ?? []) {
        this.add(name, at);
        this.given.add(name);
      }
    });
    this.constants = this.found.filter(({ name }) => !this.isShared(name));
  }

  /** Returns true if the name is declared again while it is in scope. */
  private isShared(name: string): boolean {
    let known = this.shared.get(name);
    if (known !== undefined) return known;
    let lasts = Number.NEGATIVE_INFINITY;
    known = (this.byName.get(name) ?? []).some(({ from, to }) => {
      const isInForce = from < lasts;
      lasts = Math.max(lasts, to);
      return isInForce;
    });
    this.shared.set(name, known);
    return known;
  }

  private record(command: Command, at: number, environment: Environment): void {
    switch (command.kind) {
      case 'set-logic':
        this.logic = command.logic;
        return;
      case 'declare-sort':
        attempt(() => environment.declareSort(command.name, command.arity));
        this.add(command.name, at);
        return;
      case 'define-sort':
        attempt(() => environment.defineSort(command.name, command.parameters, command.sort));
        this.add(command.name, at);
        return;
      case 'declare-datatypes':
        attempt(() => environment.declareDatatypes(command.datatypes));
        for (const name of namesOfDatatypes(command.datatypes)) this.add(name, at);
        return;
      case 'declare-const':
        this.add(
          command.name,
          at,
          attempt(() => environment.sort(command.result)),
        );
        return;
      case 'declare-fun': {
        const isConstant = command.parameters.length === 0;
        this.add(command.name, at, isConstant ? attempt(() => environment.sort(command.result)) : undefined);
        return;
      }
      case 'define-const':
      case 'define-fun':
      case 'define-fun-rec':
        this.add(command.name, at);
        return;
      case 'define-funs-rec':
        for (const definition of command.definitions) this.add(definition.name, at);
        return;
      case 'push':
        environment.push(command.levels);
        for (let i = 0; i < Math.min(command.levels, mostLevels); i++) this.levels.push([]);
        return;
      case 'pop':
        attempt(() => environment.pop(command.levels));
        for (let i = 0; i < command.levels && this.levels.length > 1; i++) this.leave(at);
        return;
      case 'other':
        this.recordText(command, at, environment);
        if (!forgets.has(command.name)) return;
        while (this.levels.length > 0) this.leave(at);
        this.levels.push([]);
        return;
      default:
    }
  }

  /** Solver-specific declarations. */
  private recordText(command: Command, at: number, environment: Environment): void {
    const declaring = declaredIn(command);
    if (declaring === undefined) return;
    if (declaring.kind === 'datatypes') {
      attempt(() => environment.declareDatatypes(declaring.datatypes));
      for (const name of namesOfDatatypes(declaring.datatypes)) this.add(name, at);
      return;
    }
    if (declaring.kind === 'sort-parameter') environment.declareSortParameter(declaring.name);
    this.add(declaring.name, at);
  }

  private add(name: string, from: number, sort?: Sort): void {
    const constant = sort === undefined ? undefined : { sort, key: sortKey(sort), term: nameTerm(name) };
    const declared: Declared = { name, constant, from, to: Number.POSITIVE_INFINITY };
    this.levels.at(-1)?.push(declared);
    if (constant !== undefined) this.found.push(declared);
    const same = this.byName.get(name);
    if (same === undefined) this.byName.set(name, [declared]);
    else same.push(declared);
  }

  private leave(at: number): void {
    for (const declared of this.levels.pop() ?? []) declared.to = at;
  }

  isVisible(declared: Declared, moment: number): boolean {
    return declared.from < moment && moment < declared.to;
  }

  /** Returns true if the name has the same meaning at both moments. */
  meansTheSame(name: string, here: number, there: number): boolean {
    for (const declared of this.byName.get(name) ?? []) {
      if (this.isVisible(declared, here) !== this.isVisible(declared, there)) return false;
    }
    return true;
  }

  /** An unused name such as `var7`. */
  freshName(): string {
    let number = this.found.length;
    while (this.byName.has(`var${number}`)) number++;
    return `var${number}`;
  }
}

/** The names that datatypes declare: sorts, constructors, testers and selectors. */
export function namesOfDatatypes(datatypes: readonly Datatype[]): readonly string[] {
  return datatypes.flatMap((datatype) => [
    datatype.name,
    ...datatype.constructors.flatMap((variant) => [
      variant.name,
      `is-${variant.name}`,
      ...variant.selectors.map((selector) => selector.name),
    ]),
  ]);
}

/** After a reset, a declaration that the checker accepted may misfit here; the sort then stays unknown. */
function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Misfit) return undefined;
    throw error;
  }
}
