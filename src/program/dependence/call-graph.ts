/** The call graph of a whole program, compact enough for a hundred thousand functions. */

import {
  type BlockId,
  type FunctionId,
  type Id,
  idOf,
  PairMap,
  type ReadonlyTable,
  type SourceLine,
  Table,
} from '../graph/index.js';
import {
  type Block,
  calledName,
  choicesOf,
  definitionLine,
  detached,
  type Exported,
  type FunctionType,
  type Instruction,
  type IrFunction,
  type IrModule,
  isCall,
  type Linkage,
  operandsOf,
  partsOf,
  readUnknown,
  standing,
  type Value,
} from '../ir/index.js';
import { shapeOfFunction, shapesOfCall } from './call-shape.js';
import {
  type CallTarget,
  type ChoiceId,
  type NotedId,
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
interface Meaning extends Exported {
  readonly to: CallTarget;
}

/** A function's parameter types. Functions that a pointer cannot distinguish share a shape. */
type ShapeId = Id<'shape'>;

/** A list of possible callees: of a pointer type, or of an ifunc. */
type ListId = Id<'list'>;

/** A callee in the linked program: a function, or the complement of a list's id. */
type Called = Id<'called'>;

/**
 * Reads module after module and keeps none of their text. Names are resolved as by a linker: first a module's local
 * definitions, then the strongest global one.
 */
export class CallGraphBuilder {
  readonly #symbols = new Map<string, SymbolId>();
  /** Undefined while no module has defined the symbol. */
  readonly #meanings = new Table<SymbolId, Meaning | undefined>();
  /** Files with definitions, without duplicates. */
  readonly #files = new Map<string, string>();
  readonly #shapes = new Map<string, ShapeId>();
  readonly #shapeOf = new Table<NotedId, ShapeId>();
  /** Functions that a stronger definition replaced. */
  readonly #replaced = new Set<NotedId>();
  /** Types of called pointers, by the two shapes that a call through them may reach. */
  readonly #pointers = new PairMap<ShapeId, ShapeId, PointerTypeId>();
  readonly #pointerShapes = new Table<PointerTypeId, readonly ShapeId[]>();
  /** The possible targets of each ifunc. */
  readonly #choices = new Table<ChoiceId, readonly CallTarget[]>();
  readonly #calls = new Table<NotedId, PackedCalls<CallTarget>>();
  /** Targets whose addresses are taken. */
  readonly #taken = new Set<CallTarget>();

  /** Adds a module. The caller must then pass each of the returned functions to `note`, in this order. */
  enter(module: IrModule): ModuleCalls {
    const localTargets = new Map<string, CallTarget>();
    const functions: IrFunction[] = [];
    const clashing: string[] = [];
    const refer = (name: string): CallTarget => this.#refer(module, localTargets, name);
    const define = (definition: Definition): void => {
      const stands = this.#define(definition, localTargets);
      if (stands === 'own' && definition.linkage !== 'local') clashing.push(definition.name);
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
      const to = () => packed({ kind: 'choice', id: this.#choices.add(choicesOf(module, ifunc).map(refer)) });
      define({ name, linkage, written: definitionLine(module, ifunc), to });
    }
    for (const alias of module.aliases.values()) {
      const { name, linkage } = alias;
      const meant = calledName(alias.of);
      if (meant === undefined) continue;
      define({ name, linkage, written: definitionLine(module, alias), to: () => refer(meant) });
    }
    for (const { initializer } of module.globals.values())
      if (initializer !== undefined) this.#take(initializer, refer);
    return { fresh: functions, clashing, refer };
  }

  /** Adds the calls of the next function. */
  note(blocks: readonly Block[], { refer }: ModuleCalls): void {
    const calls: BlockCall<CallTarget>[] = [];
    for (const [block, { instructions, terminator }] of blocks.entries())
      for (const instruction of [...instructions, terminator])
        for (const called of this.#called(instruction, refer)) calls.push({ block: idOf(block), called });
    this.#calls.add(new PackedCalls(calls));
  }

  /** Call it after the last module. */
  link(): LinkedCalls {
    const kept = new Table<FunctionId, NotedId>(
      [...this.#shapeOf.keys()].filter((id) => !this.#replaced.has(id)),
    );
    const numberOf = new Map<NotedId, FunctionId>();
    for (const [number, id] of kept.entries()) numberOf.set(id, number);
    const functionOf = (to: CallTarget): FunctionId | undefined => {
      const meant = this.#meant(to);
      return meant?.kind === 'function' ? numberOf.get(meant.id) : undefined;
    };
    const choices = this.#choices.map((targets) => [
      ...new Set(targets.flatMap((target) => functionOf(target) ?? [])),
    ]);
    const taken = new Set<FunctionId>();
    for (const target of this.#taken) {
      const meant = this.#meant(target);
      const chosen = meant?.kind === 'choice' ? choices.get(meant.id) : undefined;
      for (const fn of chosen ?? [functionOf(target)]) if (fn !== undefined) taken.add(fn);
    }
    const byShape = new Table<ShapeId, FunctionId[]>(Array.from(this.#shapes, () => []));
    for (const fn of taken) byShape.get(this.#shapeOf.get(kept.get(fn))).push(fn);
    const pointed = this.#pointerShapes.map((shapes) => shapes.flatMap((shape) => byShape.get(shape)));
    const calledAt = (to: CallTarget): Called | undefined => {
      const meant = this.#meant(to);
      if (meant?.kind === 'pointer') return called.ofList(idOf(meant.id));
      if (meant?.kind === 'choice') return called.ofList(idOf(pointed.length + meant.id));
      const fn = functionOf(to);
      return fn === undefined ? undefined : called.ofFunction(fn);
    };
    const calls = kept.map((id) => {
      const linked: BlockCall<Called>[] = [];
      for (const { block, called: target } of this.#calls.get(id)) {
        const to = calledAt(target);
        if (to !== undefined) linked.push({ block, called: to });
      }
      return new PackedCalls(linked);
    });
    return { graph: new CallGraph(calls, new Table([...pointed, ...choices])), kept };
  }

  /** Resolves a target through its symbols. */
  #meant(to: CallTarget): Exclude<UnpackedTarget, { readonly kind: 'symbol' }> | undefined {
    let at: CallTarget | undefined = to;
    // Bounded: aliases may form a cycle.
    for (let steps = 0; at !== undefined && steps <= mostAliases; steps++) {
      const target = unpacked(at);
      if (target.kind !== 'symbol') return target;
      at = this.#meanings.get(target.id)?.to;
    }
    return undefined;
  }

  #define(
    { name, linkage, written, to }: Definition,
    own: Map<string, CallTarget>,
  ): 'taken' | 'dropped' | 'own' {
    if (linkage === 'local') {
      own.set(name, to());
      return 'own';
    }
    const symbol = this.#symbol(name);
    const previous = this.#meanings.get(symbol);
    const stands = standing({ linkage, written }, previous);
    if (stands === 'own') own.set(name, to());
    if (stands !== 'taken') return stands;
    const before = previous === undefined ? undefined : unpacked(previous.to);
    if (before?.kind === 'function') this.#replaced.add(before.id);
    this.#meanings.set(symbol, {
      linkage,
      written: { ...written, file: this.#file(written.file) },
      to: to(),
    });
    return stands;
  }

  #newFunction(fn: IrFunction, fresh: IrFunction[]): CallTarget {
    fresh.push(fn);
    const id = this.#shapeOf.add(numbered(this.#shapes, shapeOfFunction(fn)));
    return packed({ kind: 'function', id });
  }

  #refer(module: IrModule, own: ReadonlyMap<string, CallTarget>, name: string): CallTarget {
    let meant = name;
    for (let steps = 0; steps <= mostAliases; steps++) {
      const target = own.get(meant);
      if (target !== undefined) return target;
      // A local alias may be defined after its first use.
      const alias = module.aliases.get(meant);
      const next = alias?.linkage === 'local' ? calledName(alias.of) : undefined;
      if (next === undefined) break;
      meant = next;
    }
    return packed({ kind: 'symbol', id: this.#symbol(meant) });
  }

  #symbol(name: string): SymbolId {
    return numbered(this.#symbols, name);
  }

  #file(name: string): string {
    let file = this.#files.get(name);
    if (file === undefined) {
      file = detached(name);
      this.#files.set(file, file);
    }
    return file;
  }

  /** Records the addresses an instruction takes. @returns its callees */
  #called(instruction: Instruction, refer: Refer): readonly CallTarget[] {
    if (instruction.op === 'debug') return nothing;
    if (instruction.op === 'unknown') {
      const unknown = readUnknown(instruction.text);
      const named = unknown.names.map(refer);
      for (const target of named) this.#taken.add(target);
      return unknown.isCall ? named : nothing;
    }
    if (!isCall(instruction)) {
      for (const operand of operandsOf(instruction)) this.#take(operand, refer);
      return nothing;
    }
    for (const argument of instruction.arguments) this.#take(argument, refer);
    if (instruction.callee.kind === 'asm') return nothing;
    const name = calledName(instruction.callee);
    return [name === undefined ? this.#pointer(instruction.functionType) : refer(name)];
  }

  #pointer(type: FunctionType): CallTarget {
    const [text, otherText] = shapesOfCall(type);
    const [shape, other] = [numbered(this.#shapes, text), numbered(this.#shapes, otherText)];
    let id = this.#pointers.get(shape, other);
    if (id === undefined) {
      id = this.#pointerShapes.add([shape, other]);
      this.#pointers.set(shape, other, id);
    }
    return packed({ kind: 'pointer', id });
  }

  #take(value: Value, refer: Refer): void {
    if (value.kind === 'local' || value.kind === 'integer') return;
    for (const part of partsOf(value)) if (part.kind === 'global') this.#taken.add(refer(part.name));
  }
}

type Refer = (name: string) => CallTarget;

/** A name that a module defines. */
interface Definition {
  readonly name: string;
  readonly linkage: Linkage;
  readonly written: SourceLine;
  /** Called only if the definition counts. */
  readonly to: () => CallTarget;
}

export interface ModuleCalls {
  readonly fresh: readonly IrFunction[];
  /** Names that another module defines with the same strength: this module uses its own definition. */
  readonly clashing: readonly string[];
  readonly refer: Refer;
}

export interface LinkedCalls {
  readonly graph: CallGraph;
  /** The noted functions that are part of the program. */
  readonly kept: ReadonlyTable<FunctionId, NotedId>;
}

const nothing: readonly CallTarget[] = [];

/** Longer chains of aliases are taken for cycles. */
const mostAliases = 16;

function numbered<SomeId extends Id<string>>(numbers: Map<string, SomeId>, name: string): SomeId {
  let number = numbers.get(name);
  if (number === undefined) {
    number = idOf<SomeId>(numbers.size);
    numbers.set(detached(name), number);
  }
  return number;
}

const called = {
  ofFunction: (fn: FunctionId): Called => idOf(fn),
  ofList: (list: ListId): Called => idOf(~list),
  isList: (of: Called): boolean => of < 0,
  function: (of: Called): FunctionId => idOf(of),
  list: (of: Called): ListId => idOf(~of),
} as const;

/**
 * Exact for direct calls. A call through a pointer reaches every function of a compatible type whose address is
 * taken.
 */
export class CallGraph {
  #callers: Callers | undefined;

  /** @param lists for each pointer type and each ifunc its possible callees */
  constructor(
    private readonly calls: ReadonlyTable<FunctionId, PackedCalls<Called>>,
    private readonly lists: ReadonlyTable<ListId, readonly FunctionId[]>,
  ) {}

  sites(id: FunctionId): readonly CallSite[] {
    return Array.from(this.calls.get(id), ({ block, called: of }) =>
      called.isList(of)
        ? { block, callees: this.lists.get(called.list(of)), isIndirect: true }
        : { block, callees: [called.function(of)], isIndirect: false },
    );
  }

  /** Without duplicates. */
  callees(id: FunctionId): readonly FunctionId[] {
    return [...new Set(this.sites(id).flatMap(({ callees }) => callees))];
  }

  /** Without duplicates. */
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
        const callers = called.isList(of) ? byList.get(called.list(of)) : direct.get(called.function(of));
        if (callers.at(-1) !== id) callers.push(id);
      }
    return { direct, byList };
  }
}

interface Callers {
  readonly direct: ReadonlyTable<FunctionId, readonly FunctionId[]>;
  readonly byList: ReadonlyTable<ListId, readonly FunctionId[]>;
}
