/** A whole program: the modules that were linked together. */

import type { IrFunction, IrModule } from './ir/module.js';
import { type Body, readBody } from './ir/read-body.js';
import type { Value } from './ir/value.js';

/** A function with a body. */
export interface ProgramFunction {
  /** Its place among the functions of the program. */
  readonly id: number;
  readonly module: IrModule;
  readonly declared: IrFunction;
}

/** Names are looked up in a module first and in all others then, as a linker does. */
export class Program {
  readonly functions: readonly ProgramFunction[];
  readonly #own = new Map<IrModule, Map<string, ProgramFunction>>();
  readonly #exported = new Map<string, ProgramFunction>();

  constructor(readonly modules: readonly IrModule[]) {
    const functions: ProgramFunction[] = [];
    for (const module of modules) {
      const own = new Map<string, ProgramFunction>();
      for (const declared of module.functions.values()) {
        if (declared.body === undefined) continue;
        // An inline function of C++ is in many modules and the same in all.
        const known = declared.isLocal ? undefined : this.#exported.get(declared.name);
        const fn = known ?? { id: functions.length, module, declared };
        if (known === undefined) functions.push(fn);
        own.set(declared.name, fn);
        if (!declared.isLocal) this.#exported.set(declared.name, fn);
      }
      this.#own.set(module, own);
    }
    this.functions = functions;
    for (const module of modules)
      for (const name of module.aliases.keys()) {
        const fn = this.find(module, name);
        if (fn !== undefined && !this.#exported.has(name)) this.#exported.set(name, fn);
      }
  }

  /** The function a name means in a module; undefined for one the program does not define. */
  find(module: IrModule, name: string): ProgramFunction | undefined {
    const alias = module.aliases.get(name)?.of;
    const aliased = alias === undefined ? undefined : calledName(alias);
    if (aliased !== undefined && aliased !== name) return this.find(module, aliased);
    return this.#own.get(module)?.get(name) ?? this.#exported.get(name);
  }

  body({ module, declared }: ProgramFunction): Body {
    return readBody(module, declared);
  }
}

/** Old C casts functions before it calls them. */
export function calledName(callee: Value): string | undefined {
  if (callee.kind === 'global') return callee.name;
  if (callee.kind === 'expression' && callee.operator === 'bitcast' && callee.operands[0] !== undefined)
    return calledName(callee.operands[0]);
  return undefined;
}
