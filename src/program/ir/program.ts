/** A whole program: the modules that are linked together. */

import { type FunctionId, idOf } from '../graph/index.js';
import { calledName } from './called-name.js';
import { ifuncTargets } from './ifunc-targets.js';
import { clashNote, definitionLine, type ExportedDefinition, resolveClash } from './linkage.js';
import type { Alias, Ifunc, IrFunction, IrModule } from './module.js';
import { type Body, readBody } from './reading/read-body.js';

/** A function with a body. */
export interface ProgramFunction {
  readonly id: FunctionId;
  readonly module: IrModule;
  readonly declared: IrFunction;
}

/** The definition of a name in one module. */
type Definition = { readonly module: IrModule } & (
  | { readonly kind: 'function'; readonly entity: IrFunction }
  | { readonly kind: 'alias'; readonly entity: Alias }
  | { readonly kind: 'choice'; readonly entity: Ifunc }
);

/** A longer chain of aliases is a circle. */
const maxAliases = 16;

/** Resolves names as a linker does: to a local definition of the same module, else to the strongest. */
export class Program {
  /** Indexed by id. */
  readonly functions: readonly ProgramFunction[];
  /** Clashes that a linker would reject. */
  readonly notes: readonly string[];
  readonly #own = new Map<IrModule, Map<string, Definition>>();
  readonly #exported: ReadonlyMap<string, Definition>;
  readonly #byDeclaration = new Map<IrFunction, ProgramFunction>();

  constructor(readonly modules: readonly IrModule[]) {
    const functions: ProgramFunction[] = [];
    const notes: string[] = [];
    const definitions = modules.flatMap((module) => [...definitionsIn(module)]);
    const { exported, clashing } = linkDefinitions(definitions);
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

  /**
   * The function that a name refers to in a module; undefined if the program does not define it, or for an ifunc with
   * several targets.
   */
  find(module: IrModule, name: string): ProgramFunction | undefined {
    const [only, ...others] = this.choices(module, name);
    return others.length === 0 ? only : undefined;
  }

  /** The functions that a name can refer to in a module: several for an ifunc. */
  choices(module: IrModule, name: string): readonly ProgramFunction[] {
    const definition = this.#definition(module, name);
    if (definition?.kind !== 'choice') return this.#functionsOf(definition);
    const named = ifuncTargets(definition.module, definition.entity);
    const meant = named.flatMap((choice) => this.#functionsOf(this.#definition(definition.module, choice)));
    return [...new Set(meant)];
  }

  body({ module, declared }: ProgramFunction): Body {
    return readBody(module, declared);
  }

  /** Follows aliases to the definition. */
  #definition(module: IrModule, name: string): Definition | undefined {
    let at: { readonly module: IrModule; readonly name: string } = { module, name };
    for (let steps = 0; steps <= maxAliases; steps++) {
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
    let definitions = this.#own.get(module);
    if (definitions === undefined) {
      definitions = new Map();
      this.#own.set(module, definitions);
    }
    return definitions;
  }
}

function* definitionsIn(module: IrModule): Generator<Definition> {
  for (const entity of module.functions.values())
    if (entity.body !== undefined) yield { kind: 'function', module, entity };
  for (const entity of module.aliases.values()) yield { kind: 'alias', module, entity };
  for (const entity of module.ifuncs.values()) yield { kind: 'choice', module, entity };
}

/** Definitions by name for all modules, and clashing ones for their own module only. */
function linkDefinitions(definitions: readonly Definition[]): {
  readonly exported: ReadonlyMap<string, Definition>;
  readonly clashing: ReadonlySet<Definition>;
} {
  const exported = new Map<string, Definition>();
  const clashing = new Set<Definition>();
  const taken = new Map<string, ExportedDefinition>();
  for (const definition of definitions) {
    const { module, entity } = definition;
    if (entity.linkage === 'local') continue;
    const candidate = { linkage: entity.linkage, written: definitionLine(module, entity) };
    const stands = resolveClash(candidate, taken.get(entity.name));
    if (stands === 'own') clashing.add(definition);
    if (stands !== 'taken') continue;
    taken.set(entity.name, candidate);
    exported.set(entity.name, definition);
  }
  return { exported, clashing };
}
