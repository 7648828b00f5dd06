/** Resolves the calls of functions to the functions they may call. */

import {
  type FlowBlock,
  type FlowFunction,
  getOrCreate,
  type KnownCall,
  type PointerCall,
} from '../../program/graph/index.js';
import { pushTo } from '../hunks/collections.js';

export interface CallTarget {
  readonly functions: readonly number[];
  /** False if the call may also reach an unknown function. */
  readonly isSure: boolean;
}

export interface LinkedBlock extends Pick<FlowBlock, 'next' | 'isLast'> {
  readonly calls: readonly CallTarget[];
}

export type LinkedFunction = readonly LinkedBlock[];

/**
 * A name means the function with that symbol, else the one with that name in the same file, else those with that name
 * in other files. If the call does not name the class, it means methods of that name, or a method of an unknown
 * class. A call through an unknown pointer may reach every function whose address is taken and that takes as many
 * arguments, or an unknown function.
 *
 * Appends synthetic functions that call one of several functions. With them, a thousand pointer calls of a thousand
 * functions need no million edges.
 *
 * @param taken names of functions whose addresses are taken; by default any function
 * @param sourceNames names in the source of symbols that compiled code calls
 */
export function linkedFunctions(
  functions: readonly FlowFunction[],
  taken?: ReadonlySet<string>,
  sourceNames?: ReadonlyMap<string, string>,
): readonly LinkedFunction[] {
  const names = new FunctionNames(functions, sourceNames);
  const choices = new ChoiceFunctions(functions.length);
  const pointers = new PointerTargets(functions, taken, choices);
  const indexOf = new Map<number, number>();
  for (const [at, { ids = [] }] of functions.entries()) for (const id of ids) indexOf.set(id, at);
  const resolved = ({ functions: ids, isSure }: KnownCall): CallTarget => {
    const all = [...new Set(ids.flatMap((id) => indexOf.get(id) ?? []))];
    return choices.oneOf(all, isSure && all.length > 0);
  };
  const linked = functions.map(({ file, blocks }) =>
    blocks.map(
      ({ next, isLast, calls }): LinkedBlock => ({
        next,
        isLast,
        calls: calls.flatMap((call) => {
          if (typeof call === 'string') return names.targetOf(call, file) ?? [];
          const target = 'values' in call ? pointers.targetOf(call) : resolved(call);
          return target.functions.length === 0 ? [] : [target];
        }),
      }),
    ),
  );
  return [...linked, ...choices.functions];
}

class FunctionNames {
  readonly #bySymbol = new Map<string, number[]>();
  readonly #byName = new Map<string, number[]>();
  readonly #byMember = new Map<string, number[]>();

  constructor(
    private readonly functions: readonly FlowFunction[],
    private readonly sourceNames: ReadonlyMap<string, string> | undefined,
  ) {
    for (const [at, { name, symbol }] of functions.entries()) {
      if (symbol !== undefined) pushTo(this.#bySymbol, symbol, at);
      pushTo(this.#byName, name, at);
      if (name.includes('::')) pushTo(this.#byMember, memberOf(name), at);
    }
  }

  targetOf(called: string, file: string): CallTarget | undefined {
    const name = this.sourceNames?.get(called) ?? called;
    const known = this.#bySymbol.get(called) ?? this.#byName.get(name);
    const all = known ?? this.#byMember.get(memberOf(name)) ?? [];
    if (all.length === 0) return undefined;
    const own = all.filter((at) => this.functions[at]?.file === file);
    return { functions: own.length > 0 ? own : all, isSure: known !== undefined };
  }
}

class PointerTargets {
  readonly #candidates: readonly { readonly at: number; readonly least: number; readonly most: number }[];
  readonly #targets = new Map<number, CallTarget>();

  constructor(
    functions: readonly FlowFunction[],
    taken: ReadonlySet<string> | undefined,
    private readonly choices: ChoiceFunctions,
  ) {
    const isTaken = ({ name, symbol }: FlowFunction): boolean =>
      taken === undefined || taken.has(memberOf(name)) || (symbol !== undefined && taken.has(symbol));
    this.#candidates = functions.flatMap((fn, at) => {
      const { least = 0, most = Number.POSITIVE_INFINITY } = fn.takes ?? {};
      return isTaken(fn) ? [{ at, least, most }] : [];
    });
  }

  targetOf({ values }: PointerCall): CallTarget {
    return getOrCreate(this.#targets, values, () => {
      const fits = this.#candidates.filter(({ least, most }) => least <= values && values <= most);
      const functions = fits.map(({ at }) => at);
      return this.choices.oneOf(functions, false);
    });
  }
}

class ChoiceFunctions {
  readonly functions: LinkedFunction[] = [];
  readonly #targets = new Map<string, CallTarget>();

  constructor(private readonly first: number) {}

  oneOf(functions: readonly number[], isSure: boolean): CallTarget {
    if (functions.length < 2) return { functions, isSure };
    return getOrCreate(this.#targets, `${isSure} ${functions.join(' ')}`, () => {
      const calls = functions.map((fn): LinkedBlock => ({ next: [], calls: [{ functions: [fn], isSure }] }));
      const choice = this.functions.push([{ next: calls.map((_, at) => at + 1), calls: [] }, ...calls]) - 1;
      return { functions: [this.first + choice], isSure: true };
    });
  }
}

function memberOf(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}
