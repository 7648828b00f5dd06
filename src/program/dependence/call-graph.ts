/** Who calls whom in a whole program, small enough for programs of a hundred thousand functions. */

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

/** A call and the functions of the program it may go to. */
export interface CallSite {
  readonly block: BlockId;
  readonly callees: readonly FunctionId[];
  /** Through a pointer: to every function of a like type whose address is taken, or to one chosen at the start. */
  readonly isIndirect: boolean;
}

/** What a name means to all modules, until a stronger definition comes. */
interface Meaning extends Exported {
  readonly to: CallTarget;
}

/** What a function takes, by its number; functions a pointer cannot tell apart have the same. */
type ShapeId = Id<'shape'>;

/** Functions of which one is called: through a type of pointer, or by a choice. */
type ListId = Id<'list'>;

/** What is called where all modules are known: a function, or the complement of a list of those it may be. */
type Called = Id<'called'>;

/**
 * Takes in module after module and keeps no text of any. Names mean what they mean to a linker: their own module's
 * where that keeps them to itself, else the strongest definition's.
 */
export class CallGraphBuilder {
  readonly #symbols = new Map<string, SymbolId>();
  /** For each symbol; undefined while no module has defined it. */
  readonly #meanings = new Table<SymbolId, Meaning | undefined>();
  /** Files with definitions, each once. */
  readonly #files = new Map<string, string>();
  readonly #shapes = new Map<string, ShapeId>();
  /** For each function its shape. */
  readonly #shapeOf = new Table<NotedId, ShapeId>();
  /** Functions in whose place a stronger definition came. */
  readonly #replaced = new Set<NotedId>();
  /** Types of pointers that are called, by the two shapes a call of them may go to. */
  readonly #pointers = new PairMap<ShapeId, ShapeId, PointerTypeId>();
  readonly #pointerShapes = new Table<PointerTypeId, readonly ShapeId[]>();
  /** For each name whose function is chosen at the start the targets it is chosen from. */
  readonly #choices = new Table<ChoiceId, readonly CallTarget[]>();
  /** For each function its calls. */
  readonly #calls = new Table<NotedId, PackedCalls<CallTarget>>();
  /** Targets whose addresses are taken. */
  readonly #taken = new Set<CallTarget>();

  /** The functions of a module that count so far; each is to be noted next, in this order. */
  enter(module: IrModule): ModuleCalls {
    const own = new Map<string, CallTarget>();
    const fresh: IrFunction[] = [];
    const clashing: string[] = [];
    const refer = (name: string): CallTarget => this.#refer(module, own, name);
    const define = (definition: Definition): void => {
      const stands = this.#define(definition, own);
      if (stands === 'own' && definition.linkage !== 'local') clashing.push(definition.name);
    };
    for (const fn of module.functions.values()) {
      if (fn.body === undefined) continue;
      const { name, linkage } = fn;
      define({ name, linkage, written: definitionLine(module, fn), to: () => this.#newFunction(fn, fresh) });
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
    return { fresh, clashing, refer };
  }

  /** The calls of the next function. */
  note(blocks: readonly Block[], { refer }: ModuleCalls): void {
    const calls: BlockCall<CallTarget>[] = [];
    for (const [block, { instructions, terminator }] of blocks.entries())
      for (const instruction of [...instructions, terminator])
        for (const called of this.#called(instruction, refer)) calls.push({ block: idOf(block), called });
    this.#calls.add(new PackedCalls(calls));
  }

  /** When all modules are known. */
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

  /** What a target is in the end, past names for it. */
  #meant(to: CallTarget): Exclude<UnpackedTarget, { readonly kind: 'symbol' }> | undefined {
    let at: CallTarget | undefined = to;
    // Aliases of one another mean nothing.
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
    const known = this.#meanings.get(symbol);
    const stands = standing({ linkage, written }, known);
    if (stands === 'own') own.set(name, to());
    if (stands !== 'taken') return stands;
    const before = known === undefined ? undefined : unpacked(known.to);
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
      const known = own.get(meant);
      if (known !== undefined) return known;
      // One of the module's own may be defined after what refers to it.
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
    let known = this.#files.get(name);
    if (known === undefined) {
      known = detached(name);
      this.#files.set(known, known);
    }
    return known;
  }

  /** Notes whose addresses an instruction takes. @returns what it calls */
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

/** What a name means in a module. */
type Refer = (name: string) => CallTarget;

/** What a module says a name means. */
interface Definition {
  readonly name: string;
  readonly linkage: Linkage;
  readonly written: SourceLine;
  /** Asked for only if it counts. */
  readonly to: () => CallTarget;
}

export interface ModuleCalls {
  readonly fresh: readonly IrFunction[];
  /** Names that another module defines as strongly: in this one they mean its own. */
  readonly clashing: readonly string[];
  readonly refer: Refer;
}

export interface LinkedCalls {
  readonly graph: CallGraph;
  /** Which of the functions that were noted are in the program. */
  readonly kept: ReadonlyTable<FunctionId, NotedId>;
}

const nothing: readonly CallTarget[] = [];

/** Names of names of names: more of them are a circle. */
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

/** Direct calls exactly; calls through pointers to every function of a like type whose address is taken. */
export class CallGraph {
  #callers: Callers | undefined;

  /**
   * @param calls for each function its calls
   * @param lists for each type of pointer and each choice the functions that may be called through it
   */
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

  /** Those a function may call, each once. */
  callees(id: FunctionId): readonly FunctionId[] {
    return [...new Set(this.sites(id).flatMap(({ callees }) => callees))];
  }

  /** Those that may call a function, each once. */
  callers(id: FunctionId): readonly FunctionId[] {
    this.#callers ??= this.#findCallers();
    const { direct, byList } = this.#callers;
    const found = new Set(direct.get(id));
    for (const [list, callees] of this.lists.entries())
      if (callees.includes(id)) for (const caller of byList.get(list)) found.add(caller);
    return [...found].toSorted((a, b) => a - b);
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
