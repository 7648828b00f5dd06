/** The names that a script declares, with sort and scope. */

import { addToList } from '../collections.js';
import { sortKey } from '../printing/sort-key.js';
import { type Command, type Datatype, type Name, name as nameTerm, type Sort } from '../tree.js';
import { Environment, Misfit } from './environment.js';
import { freeFormDeclarationIn } from './free-form-declarations.js';

interface Constant {
  /** With aliases and definitions expanded. */
  readonly sort: Sort;
  /** `sortKey` of the sort. */
  readonly key: string;
  readonly term: Name;
}

export interface Declaration {
  readonly name: string;
  /** Set for a declared constant without a definition ("variable" in formula terms). */
  readonly constant: Constant | undefined;
  /** The moment of the declaration; the name is usable after it … */
  readonly from: number;
  /** … and before this moment, when its push level is left. */
  to: number;
}

/** Commands that end the scope of all earlier declarations. */
const scopeEndingCommands: ReadonlySet<string> = new Set(['reset', 'reset-assertions']);

/** Deeper push levels are treated as one, as in the checker. */
const maxLevels = 100_000;

export class Declarations {
  readonly byName = new Map<string, Declaration[]>();
  /** Excludes names that are declared more than once in the same scope, because the name alone is ambiguous. */
  readonly constants: readonly Declaration[];
  /** Names from `:named` annotations; usable only after the term they name. */
  readonly given: Set<string> = new Set();
  logic: string | undefined;

  private readonly declaredConstants: Declaration[] = [];
  private readonly ambiguousNames = new Map<string, boolean>();
  private readonly levels: Declaration[][] = [[]];

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
    this.constants = this.declaredConstants.filter(({ name }) => !this.isAmbiguous(name));
  }

  /** Returns true if the name is declared again while it is in scope. */
  private isAmbiguous(name: string): boolean {
    let known = this.ambiguousNames.get(name);
    if (known !== undefined) return known;
    let scopeEnd = Number.NEGATIVE_INFINITY;
    known = (this.byName.get(name) ?? []).some(({ from, to }) => {
      const isInForce = from < scopeEnd;
      scopeEnd = Math.max(scopeEnd, to);
      return isInForce;
    });
    this.ambiguousNames.set(name, known);
    return known;
  }

  private record(command: Command, at: number, environment: Environment): void {
    const sort = unlessMisfit(() => declareSorts(command, environment));
    for (const name of namesDeclaredBy(command)) this.add(name, at, sort);
    switch (command.kind) {
      case 'set-logic':
        this.logic = command.logic;
        return;
      case 'push':
        environment.push(command.levels);
        for (let i = 0; i < Math.min(command.levels, maxLevels); i++) this.levels.push([]);
        return;
      case 'pop':
        unlessMisfit(() => environment.pop(command.levels));
        for (let i = 0; i < command.levels && this.levels.length > 1; i++) this.leave(at);
        return;
      case 'other':
        this.recordText(command, at, environment);
        if (!scopeEndingCommands.has(command.name)) return;
        while (this.levels.length > 0) this.leave(at);
        this.levels.push([]);
        return;
      default:
    }
  }

  private recordText(command: Command, at: number, environment: Environment): void {
    const declaring = freeFormDeclarationIn(command);
    if (declaring === undefined) return;
    if (declaring.kind === 'datatypes') {
      unlessMisfit(() => environment.declareDatatypes(declaring.datatypes));
      for (const name of namesOfDatatypes(declaring.datatypes)) this.add(name, at);
      return;
    }
    if (declaring.kind === 'sort-parameter') environment.declareSortParameter(declaring.name);
    this.add(declaring.name, at);
  }

  private add(name: string, from: number, sort?: Sort): void {
    const constant = sort === undefined ? undefined : { sort, key: sortKey(sort), term: nameTerm(name) };
    const declared: Declaration = { name, constant, from, to: Number.POSITIVE_INFINITY };
    this.levels.at(-1)?.push(declared);
    if (constant !== undefined) this.declaredConstants.push(declared);
    addToList(this.byName, name, declared);
  }

  private leave(at: number): void {
    for (const declared of this.levels.pop() ?? []) declared.to = at;
  }

  isVisible(declared: Declaration, moment: number): boolean {
    return declared.from < moment && moment < declared.to;
  }

  /** Returns true if the name has the same meaning at both moments. */
  hasSameMeaning(name: string, here: number, there: number): boolean {
    for (const declared of this.byName.get(name) ?? []) {
      if (this.isVisible(declared, here) !== this.isVisible(declared, there)) return false;
    }
    return true;
  }

  freshName(): string {
    let number = this.declaredConstants.length;
    while (this.byName.has(`var${number}`)) number++;
    return `var${number}`;
  }
}

/** Declares the sorts of a command; returns the sort of a constant that it declares. */
function declareSorts(command: Command, environment: Environment): Sort | undefined {
  if (command.kind === 'declare-sort') environment.declareSort(command.name, command.arity);
  else if (command.kind === 'define-sort')
    environment.defineSort(command.name, command.parameters, command.sort);
  else if (command.kind === 'declare-datatypes') environment.declareDatatypes(command.datatypes);
  const isConstant =
    command.kind === 'declare-const' || (command.kind === 'declare-fun' && command.parameters.length === 0);
  return isConstant ? environment.sort(command.result) : undefined;
}

/** The names that a command other than a free-form one declares. */
export function namesDeclaredBy(command: Command): readonly string[] {
  switch (command.kind) {
    case 'declare-sort':
    case 'define-sort':
    case 'declare-fun':
    case 'declare-const':
    case 'define-fun':
    case 'define-fun-rec':
    case 'define-const':
      return [command.name];
    case 'define-funs-rec':
      return command.definitions.map((definition) => definition.name);
    case 'declare-datatypes':
      return namesOfDatatypes(command.datatypes);
    default:
      return [];
  }
}

/** The names that datatypes declare: sorts, constructors, testers and selectors. */
function namesOfDatatypes(datatypes: readonly Datatype[]): readonly string[] {
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
function unlessMisfit<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Misfit) return undefined;
    throw error;
  }
}
