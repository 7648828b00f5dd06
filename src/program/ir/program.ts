/** A whole program: the modules that were linked together. */

import { type FunctionId, idOf } from '../graph/index.js';
import { calledName } from './called-name.js';
import { choicesOf } from './ifunc.js';
import { clashNote, definitionLine, type Exported, standing } from './linkage.js';
import type { Alias, Ifunc, IrFunction, IrModule } from './module.js';
import { type Body, readBody } from './read-body.js';

/** A function with a body. */
export interface ProgramFunction {
  readonly id: FunctionId;
  readonly module: IrModule;
  readonly declared: IrFunction;
}

/** What a module says a name means. */
type Definition = { readonly module: IrModule } & (
  | { readonly kind: 'function'; readonly entity: IrFunction }
  | { readonly kind: 'alias'; readonly entity: Alias }
  | { readonly kind: 'choice'; readonly entity: Ifunc }
);

/** Names of names of names: more of them are a circle. */
const mostAliases = 16;

/** Names mean what they mean to a linker: their own module's where that keeps them to itself, else the strongest's. */
export class Program {
  /** By their ids. */
  readonly functions: readonly ProgramFunction[];
  /** What no linker would have put together. */
  readonly notes: readonly string[];
  readonly #own = new Map<IrModule, Map<string, Definition>>();
  readonly #exported: ReadonlyMap<string, Definition>;
  readonly #byDeclaration = new Map<IrFunction, ProgramFunction>();

  constructor(readonly modules: readonly IrModule[]) {
    const functions: ProgramFunction[] = [];
    const notes: string[] = [];
    const definitions = modules.flatMap((module) => [...definitionsIn(module)]);
    const { exported, clashing } = linked(definitions);
    this.#exported = exported;
    for (const definition of definitions) {
      const { module, entity } = definition;
      const isClashing = clashing.has(definition);
      if (isClashing) notes.push(clashNote(module, entity.name));
      if (isClashing || entity.linkage === 'local') this.#ownOf(module).set(entity.name, definition);
      else if (exported.get(entity.name) !== definition) continue;
      if (definition.kind !== 'function') continue;
      const fn = { id: idOf<FunctionId>(functions.length), module, declared: definition.entity };
      functions.push(fn);
      this.#byDeclaration.set(definition.entity, fn);
    }
    this.functions = functions;
    this.notes = notes;
  }

  /** The function a name means in a module; undefined for one the program does not define, or has a choice of. */
  find(module: IrModule, name: string): ProgramFunction | undefined {
    const [only, ...others] = this.choices(module, name);
    return others.length === 0 ? only : undefined;
  }

  /** The functions a name may mean in a module: several where one is chosen when the program starts. */
  choices(module: IrModule, name: string): readonly ProgramFunction[] {
    const definition = this.#definition(module, name);
    if (definition?.kind !== 'choice') return this.#functionsOf(definition);
    const named = choicesOf(definition.module, definition.entity);
    const meant = named.flatMap((choice) => this.#functionsOf(this.#definition(definition.module, choice)));
    return [...new Set(meant)];
  }

  body({ module, declared }: ProgramFunction): Body {
    return readBody(module, declared);
  }

  /** What a name means in the end, past other names for it. */
  #definition(module: IrModule, name: string): Definition | undefined {
    let at: { readonly module: IrModule; readonly name: string } = { module, name };
    for (let steps = 0; steps <= mostAliases; steps++) {
      const definition = this.#own.get(at.module)?.get(at.name) ?? this.#exported.get(at.name);
      if (definition?.kind !== 'alias') return definition;
      const next = calledName(definition.entity.of);
      if (next === undefined) return undefined;
      at = { module: definition.module, name: next };
    }
    return undefined;
  }

  #functionsOf(definition: Definition | undefined): readonly ProgramFunction[] {
    const fn = definition?.kind === 'function' ? this.#byDeclaration.get(definition.entity) : undefined;
    return fn === undefined ? [] : [fn];
  }

  #ownOf(module: IrModule): Map<string, Definition> {
    let own = this.#own.get(module);
    if (own === undefined) {
      own = new Map();
      this.#own.set(module, own);
    }
    return own;
  }
}

function* definitionsIn(module: IrModule): Generator<Definition> {
  for (const entity of module.functions.values())
    if (entity.body !== undefined) yield { kind: 'function', module, entity };
  for (const entity of module.aliases.values()) yield { kind: 'alias', module, entity };
  for (const entity of module.ifuncs.values()) yield { kind: 'choice', module, entity };
}

/** What each name means to all modules, and what is in its place in its own module only. */
function linked(definitions: readonly Definition[]): {
  readonly exported: ReadonlyMap<string, Definition>;
  readonly clashing: ReadonlySet<Definition>;
} {
  const exported = new Map<string, Definition>();
  const clashing = new Set<Definition>();
  const taken = new Map<string, Exported>();
  for (const definition of definitions) {
    const { module, entity } = definition;
    if (entity.linkage === 'local') continue;
    const candidate = { linkage: entity.linkage, written: definitionLine(module, entity) };
    const stands = standing(candidate, taken.get(entity.name));
    if (stands === 'own') clashing.add(definition);
    if (stands !== 'taken') continue;
    taken.set(entity.name, candidate);
    exported.set(entity.name, definition);
  }
  return { exported, clashing };
}
