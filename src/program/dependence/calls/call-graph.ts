/** The call graph of a whole program, compact enough for a hundred thousand functions. */

import {
  type BlockId,
  type FunctionId,
  getOrCreate,
  type Id,
  idOf,
  PairMap,
  type ReadonlyTable,
  type SourceLine,
  Table,
} from '../../graph/index.js';
import {
  type Block,
  calledName,
  definitionLine,
  detachedCopy,
  type ExportedDefinition,
  type FunctionType,
  type Instruction,
  type IrFunction,
  type IrModule,
  ifuncTargets,
  isCall,
  type Linkage,
  nestedValues,
  operandsOf,
  readUnknown,
  resolveClash,
  type Value,
} from '../../ir/index.js';
import { shapeOfFunction, shapesOfCall } from './call-shape.js';
import {
  type CallTarget,
  type ChoiceId,
  type ModuleFunctionId,
  type PointerTypeId,
  packed,
  type SymbolId,
  type UnpackedTarget,
  unpacked,
} from './call-target.js';
import { type BlockCall, PackedCalls } from './packed-calls.js';

/** A call and the functions of the program it may reach. */
export interface CallSite {
  readonly block: BlockId;
  readonly callees: readonly FunctionId[];
  /** Through a pointer: to every function of a compatible type whose address is taken, or to an ifunc's choices. */
  readonly isIndirect: boolean;
}

/** The meaning of a name for all modules, until a stronger definition replaces it. */
interface GlobalDefinition extends ExportedDefinition {
  readonly to: CallTarget;
}

/** A function's parameter types. Functions that a pointer cannot distinguish share a shape. */
type ShapeId = Id<'shape'>;

/** A list of possible callees: of a pointer type, or of an ifunc. */
type ListId = Id<'list'>;

/** A callee in the linked program: a function, or the complement of a list's id. */
type CalleeId = Id<'callee'>;

/**
 * Reads module after module and keeps none of their text. Names are resolved as by a linker: first a module's local
 * definitions, then the strongest global one.
 */
export class CallGraphBuilder {
  readonly #symbols = new Map<string, SymbolId>();
  readonly #definitions = new Table<SymbolId, GlobalDefinition | undefined>();
  readonly #files = new Map<string, string>();
  readonly #shapes = new Map<string, ShapeId>();
  readonly #shapeOf = new Table<ModuleFunctionId, ShapeId>();
  readonly #replaced = new Set<ModuleFunctionId>();
  /** Types of called pointers, by the two shapes that a call through them may reach. */
  readonly #pointers = new PairMap<ShapeId, ShapeId, PointerTypeId>();
  readonly #pointerShapes = new Table<PointerTypeId, readonly ShapeId[]>();
  readonly #choices = new Table<ChoiceId, readonly CallTarget[]>();
  readonly #calls = new Table<ModuleFunctionId, PackedCalls<CallTarget>>();
  readonly #taken = new Set<CallTarget>();

  /** Adds a module. The caller must then pass each of the returned functions to `addCalls`, in this order. */
  addModule(module: IrModule): ModuleCalls {
    const localTargets = new Map<string, CallTarget>();
    const functions: IrFunction[] = [];
    const conflicting: string[] = [];
    const resolve = (name: string): CallTarget => this.#resolve(module, localTargets, name);
    const define = (definition: ModuleDefinition): void => {
      const outcome = this.#define(definition, localTargets);
      if (outcome === 'own' && definition.linkage !== 'local') conflicting.push(definition.name);
    };
    for (const fn of module.functions.values()) {
      if (fn.body === undefined) continue;
      const { name, linkage } = fn;
      define({
        name,
        linkage,
        written: definitionLine(module, fn),
        to: () => this.#newFunction(fn, functions),
      });
    }
    for (const ifunc of module.ifuncs.values()) {
      const { name, linkage } = ifunc;
      const to = () =>
        packed({ kind: 'choice', id: this.#choices.add(ifuncTargets(module, ifunc).map(resolve)) });
      define({ name, linkage, written: definitionLine(module, ifunc), to });
    }
    for (const alias of module.aliases.values()) {
      const { name, linkage } = alias;
      const resolved = calledName(alias.of);
      if (resolved === undefined) continue;
      define({ name, linkage, written: definitionLine(module, alias), to: () => resolve(resolved) });
    }
    for (const { initializer } of module.globals.values())
      if (initializer !== undefined) this.#noteTaken(initializer, resolve);
    return { newFunctions: functions, conflicting, resolve };
  }

  addCalls(blocks: readonly Block[], { resolve }: ModuleCalls): void {
    const calls: BlockCall<CallTarget>[] = [];
    for (const [block, { instructions, terminator }] of blocks.entries())
      for (const instruction of [...instructions, terminator])
        for (const called of this.#called(instruction, resolve)) calls.push({ block: idOf(block), called });
    this.#calls.add(new PackedCalls(calls));
  }

  /** Call it after the last module. */
  link(): LinkedCalls {
    const linkedFunctions = new Table<FunctionId, ModuleFunctionId>(
      [...this.#shapeOf.keys()].filter((id) => !this.#replaced.has(id)),
    );
    const numberOf = new Map<ModuleFunctionId, FunctionId>();
    for (const [number, id] of linkedFunctions.entries()) numberOf.set(id, number);
    const functionOf = (to: CallTarget): FunctionId | undefined => {
      const resolved = this.#resolved(to);
      return resolved?.kind === 'function' ? numberOf.get(resolved.id) : undefined;
    };
    const choices = this.#choices.map((targets) => [
      ...new Set(targets.flatMap((target) => functionOf(target) ?? [])),
    ]);
    const taken = new Set<FunctionId>();
    for (const target of this.#taken) {
      const resolved = this.#resolved(target);
      const chosen = resolved?.kind === 'choice' ? choices.get(resolved.id) : undefined;
      for (const fn of chosen ?? [functionOf(target)]) if (fn !== undefined) taken.add(fn);
    }
    const byShape = new Table<ShapeId, FunctionId[]>(Array.from(this.#shapes, () => []));
    for (const fn of taken) byShape.get(this.#shapeOf.get(linkedFunctions.get(fn))).push(fn);
    const pointed = this.#pointerShapes.map((shapes) => shapes.flatMap((shape) => byShape.get(shape)));
    const calledAt = (to: CallTarget): CalleeId | undefined => {
      const resolved = this.#resolved(to);
      if (resolved?.kind === 'pointer') return calleeIds.ofList(idOf(resolved.id));
      if (resolved?.kind === 'choice') return calleeIds.ofList(idOf(pointed.length + resolved.id));
      const fn = functionOf(to);
      return fn === undefined ? undefined : calleeIds.ofFunction(fn);
    };
    const calls = linkedFunctions.map((id) => {
      const linked: BlockCall<CalleeId>[] = [];
      for (const { block, called: target } of this.#calls.get(id)) {
        const to = calledAt(target);
        if (to !== undefined) linked.push({ block, called: to });
      }
      return new PackedCalls(linked);
    });
    return { graph: new CallGraph(calls, new Table([...pointed, ...choices])), linkedFunctions };
  }

  #resolved(to: CallTarget): Exclude<UnpackedTarget, { readonly kind: 'symbol' }> | undefined {
    let at: CallTarget | undefined = to;
    // Bounded: aliases may form a cycle.
    for (let steps = 0; at !== undefined && steps <= maxAliases; steps++) {
      const target = unpacked(at);
      if (target.kind !== 'symbol') return target;
      at = this.#definitions.get(target.id)?.to;
    }
    return undefined;
  }

  #define(
    { name, linkage, written, to }: ModuleDefinition,
    localTargets: Map<string, CallTarget>,
  ): 'taken' | 'dropped' | 'own' {
    if (linkage === 'local') {
      localTargets.set(name, to());
      return 'own';
    }
    const symbol = this.#symbol(name);
    const previous = this.#definitions.get(symbol);
    const outcome = resolveClash({ linkage, written }, previous);
    if (outcome === 'own') localTargets.set(name, to());
    if (outcome !== 'taken') return outcome;
    const before = previous === undefined ? undefined : unpacked(previous.to);
    if (before?.kind === 'function') this.#replaced.add(before.id);
    this.#definitions.set(symbol, {
      linkage,
      written: { ...written, file: this.#file(written.file) },
      to: to(),
    });
    return outcome;
  }

  #newFunction(fn: IrFunction, newFunctions: IrFunction[]): CallTarget {
    newFunctions.push(fn);
    const id = this.#shapeOf.add(intern(this.#shapes, shapeOfFunction(fn)));
    return packed({ kind: 'function', id });
  }

  #resolve(module: IrModule, localTargets: ReadonlyMap<string, CallTarget>, name: string): CallTarget {
    let resolved = name;
    for (let steps = 0; steps <= maxAliases; steps++) {
      const target = localTargets.get(resolved);
      if (target !== undefined) return target;
      // A local alias may be defined after its first use.
      const alias = module.aliases.get(resolved);
      const next = alias?.linkage === 'local' ? calledName(alias.of) : undefined;
      if (next === undefined) break;
      resolved = next;
    }
    return packed({ kind: 'symbol', id: this.#symbol(resolved) });
  }

  #symbol(name: string): SymbolId {
    return intern(this.#symbols, name);
  }

  #file(name: string): string {
    let file = this.#files.get(name);
    if (file === undefined) {
      file = detachedCopy(name);
      this.#files.set(file, file);
    }
    return file;
  }

  /** Records the addresses an instruction takes. @returns its callees */
  #called(instruction: Instruction, resolve: Resolve): readonly CallTarget[] {
    if (instruction.op === 'debug') return noTargets;
    if (instruction.op === 'unknown') {
      const unknown = readUnknown(instruction.text);
      const named = unknown.names.map(resolve);
      for (const target of named) this.#taken.add(target);
      return unknown.isCall ? named : noTargets;
    }
    if (!isCall(instruction)) {
      for (const operand of operandsOf(instruction)) this.#noteTaken(operand, resolve);
      return noTargets;
    }
    for (const argument of instruction.arguments) this.#noteTaken(argument, resolve);
    if (instruction.callee.kind === 'asm') return noTargets;
    const name = calledName(instruction.callee);
    return [name === undefined ? this.#pointer(instruction.functionType) : resolve(name)];
  }

  #pointer(type: FunctionType): CallTarget {
    const [text, otherText] = shapesOfCall(type);
    const [shape, other] = [intern(this.#shapes, text), intern(this.#shapes, otherText)];
    let id = this.#pointers.get(shape, other);
    if (id === undefined) {
      id = this.#pointerShapes.add([shape, other]);
      this.#pointers.set(shape, other, id);
    }
    return packed({ kind: 'pointer', id });
  }

  #noteTaken(value: Value, resolve: Resolve): void {
    if (value.kind === 'local' || value.kind === 'integer') return;
    for (const part of nestedValues(value)) if (part.kind === 'global') this.#taken.add(resolve(part.name));
  }
}

type Resolve = (name: string) => CallTarget;

interface ModuleDefinition {
  readonly name: string;
  readonly linkage: Linkage;
  readonly written: SourceLine;
  /** Called only if the definition counts. */
  readonly to: () => CallTarget;
}

export interface ModuleCalls {
  readonly newFunctions: readonly IrFunction[];
  /** Names that another module defines with the same strength: this module uses its own definition. */
  readonly conflicting: readonly string[];
  readonly resolve: Resolve;
}

export interface LinkedCalls {
  readonly graph: CallGraph;
  readonly linkedFunctions: ReadonlyTable<FunctionId, ModuleFunctionId>;
}

const noTargets: readonly CallTarget[] = [];

/** Longer chains of aliases are taken for cycles. */
const maxAliases = 16;

function intern<SomeId extends Id<string>>(numbers: Map<string, SomeId>, name: string): SomeId {
  return numbers.get(name) ?? getOrCreate(numbers, detachedCopy(name), () => idOf(numbers.size));
}

const calleeIds = {
  ofFunction: (fn: FunctionId): CalleeId => idOf(fn),
  ofList: (list: ListId): CalleeId => idOf(~list),
  isList: (of: CalleeId): boolean => of < 0,
  function: (of: CalleeId): FunctionId => idOf(of),
  list: (of: CalleeId): ListId => idOf(~of),
} as const;

/** A call through a pointer reaches every function of a compatible type whose address is taken. */
export class CallGraph {
  #callers: Callers | undefined;

  /** @param lists for each pointer type and each ifunc its possible callees */
  constructor(
    private readonly calls: ReadonlyTable<FunctionId, PackedCalls<CalleeId>>,
    private readonly lists: ReadonlyTable<ListId, readonly FunctionId[]>,
  ) {}

  sites(id: FunctionId): readonly CallSite[] {
    return Array.from(this.calls.get(id), ({ block, called: of }) =>
      calleeIds.isList(of)
        ? { block, callees: this.lists.get(calleeIds.list(of)), isIndirect: true }
        : { block, callees: [calleeIds.function(of)], isIndirect: false },
    );
  }

  callees(id: FunctionId): readonly FunctionId[] {
    return [...new Set(this.sites(id).flatMap(({ callees }) => callees))];
  }

  callers(id: FunctionId): readonly FunctionId[] {
    this.#callers ??= this.#findCallers();
    const { direct, byList } = this.#callers;
    const callers = new Set(direct.get(id));
    for (const [list, callees] of this.lists.entries())
      if (callees.includes(id)) for (const caller of byList.get(list)) callers.add(caller);
    return [...callers].toSorted((a, b) => a - b);
  }

  #findCallers(): Callers {
    const direct: Table<FunctionId, FunctionId[]> = this.calls.map(() => []);
    const byList: Table<ListId, FunctionId[]> = this.lists.map(() => []);
    for (const [id, calls] of this.calls.entries())
      for (const { called: of } of calls) {
        const callers = calleeIds.isList(of)
          ? byList.get(calleeIds.list(of))
          : direct.get(calleeIds.function(of));
        if (callers.at(-1) !== id) callers.push(id);
      }
    return { direct, byList };
  }
}

interface Callers {
  readonly direct: ReadonlyTable<FunctionId, readonly FunctionId[]>;
  readonly byList: ReadonlyTable<ListId, readonly FunctionId[]>;
}
