/** Which names a script declares, of what sort, and from where to where they can be used. */

import { Environment } from './environment.js';
import { sortKey } from './sort-key.js';
import { type Command, type Name, name as nameTerm, type Sort } from './tree.js';

interface Constant {
  /** Second names replaced. */
  readonly sort: Sort;
  /** `sortKey` of the sort. */
  readonly key: string;
  /** The constant as a term. */
  readonly term: Name;
}

export interface Declared {
  readonly name: string;
  /** Set for a constant without a definition: what formulas call a variable. */
  readonly constant: Constant | undefined;
  /** The moment it is declared; it can be used at later ones … */
  readonly from: number;
  /** … before this one, at which the level it was declared on is left. */
  to: number;
}

/** Commands after which nothing declared before may be relied upon. */
const forgets: ReadonlySet<string> = new Set(['reset', 'reset-assertions']);

/** Levels beyond this are not told apart, as in the checker. */
const mostLevels = 100_000;

export class Declarations {
  readonly all: Declared[] = [];
  readonly byName = new Map<string, Declared[]>();
  readonly constants: Declared[] = [];
  /** Names that `:named` annotations gave: known only after the term they stand for. */
  readonly given: Set<string> = new Set();
  logic: string | undefined;

  /**
   * The moment of a declaration is its position among these commands.
   * @param given the names each command gives to terms in it
   */
  constructor(commands: readonly Command[], given: readonly (readonly string[])[] = []) {
    const environment = new Environment();
    const levels: Declared[][] = [[]];
    const add = (name: string, from: number, sort?: Sort): void => {
      const one = declared(name, from, sort);
      levels.at(-1)?.push(one);
      this.all.push(one);
      if (one.constant !== undefined) this.constants.push(one);
      const same = this.byName.get(name);
      if (same === undefined) this.byName.set(name, [one]);
      else same.push(one);
    };
    const leave = (at: number): void => {
      for (const one of levels.pop() ?? []) one.to = at;
    };
    commands.forEach((command, at) => {
      switch (command.kind) {
        case 'set-logic':
          this.logic = command.logic;
          break;
        case 'declare-sort':
          environment.declareSort(command.name, command.arity);
          add(command.name, at);
          break;
        case 'define-sort':
          environment.defineSort(command.name, command.parameters, command.sort);
          add(command.name, at);
          break;
        case 'declare-datatypes':
          environment.declareDatatypes(command.datatypes);
          for (const datatype of command.datatypes) {
            add(datatype.name, at);
            for (const one of datatype.constructors) {
              add(one.name, at);
              add(`is-${one.name}`, at);
              for (const selector of one.selectors) add(selector.name, at);
            }
          }
          break;
        case 'declare-const':
          add(command.name, at, environment.sort(command.result));
          break;
        case 'declare-fun':
          add(
            command.name,
            at,
            command.parameters.length === 0 ? environment.sort(command.result) : undefined,
          );
          break;
        case 'define-const':
        case 'define-fun':
        case 'define-fun-rec':
          add(command.name, at);
          break;
        case 'define-funs-rec':
          for (const one of command.definitions) add(one.name, at);
          break;
        case 'push':
          environment.push(command.levels);
          for (let i = 0; i < Math.min(command.levels, mostLevels); i++) levels.push([]);
          break;
        case 'pop':
          environment.pop(command.levels);
          for (let i = 0; i < command.levels; i++) leave(at);
          break;
        case 'other':
          if (forgets.has(command.name)) {
            while (levels.length > 0) leave(at);
            levels.push([]);
          }
          break;
        default:
      }
      for (const name of given[at] ?? []) {
        add(name, at);
        this.given.add(name);
      }
    });
  }

  isVisible(one: Declared, moment: number): boolean {
    return one.from < moment && moment < one.to;
  }

  /** Does a name mean the same at both moments? */
  meansTheSame(name: string, here: number, there: number): boolean {
    for (const one of this.byName.get(name) ?? []) {
      if (this.isVisible(one, here) !== this.isVisible(one, there)) return false;
    }
    return true;
  }

  /** A name nothing is called yet: `var7`. */
  freshName(): string {
    let number = this.constants.length;
    while (this.byName.has(`var${number}`)) number++;
    return `var${number}`;
  }
}

function declared(name: string, from: number, sort: Sort | undefined): Declared {
  const constant = sort === undefined ? undefined : { sort, key: sortKey(sort), term: nameTerm(name) };
  return { name, constant, from, to: Number.POSITIVE_INFINITY };
}
