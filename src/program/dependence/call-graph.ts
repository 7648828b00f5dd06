/** Who calls whom in a whole program, small enough for programs of a hundred thousand functions. */

import {
  type Block,
  calledName,
  choicesOf,
  type DefinitionPlace,
  detached,
  type Exported,
  type FunctionType,
  type Instruction,
  type IrFunction,
  type IrModule,
  type Linkage,
  operandsOf,
  partsOf,
  placeOf,
  readUnknown,
  standing,
  type Value,
} from '../ir/index.js';
import { shapeOfFunction, shapesOfCall } from './call-shape.js';

/** A call and the functions of the program it may go to. */
export interface CallSite {
  readonly block: number;
  readonly callees: readonly number[];
  /** Through a pointer: to every function of a like type whose address is taken, or to one chosen at the start. */
  readonly isIndirect: boolean;
}

/** What a call goes to, as long as not all modules are known. */
const target = { function: 0, symbol: 1, pointer: 2, choice: 3 } as const;
const targetKinds = 4;

/** What a name means to all modules, until a stronger definition comes. */
interface Meaning extends Exported {
  readonly to: number;
}

/**
 * Takes in module after module and keeps no text of any. Names mean what they mean to a linker: their own module's
 * where that keeps them to itself, else the strongest definition's.
 */
export class CallGraphBuilder {
  readonly #symbols = new Map<string, number>();
  /** For each symbol; undefined while no module has defined it. */
  readonly #meanings: (Meaning | undefined)[] = [];
  /** Files with definitions, each once. */
  readonly #files = new Map<string, string>();
  readonly #shapes = new Map<string, number>();
  /** For each function its shape. */
  readonly #shapeOf: number[] = [];
  /** Functions in whose place a stronger definition came. */
  readonly #replaced = new Set<number>();
  /** Types of calls through pointers: the shapes they may go to. */
  readonly #pointers = new Map<string, number>();
  readonly #pointerShapes: (readonly number[])[] = [];
  /** For each name whose function is chosen at the start the targets it is chosen from. */
  readonly #choices: (readonly number[])[] = [];
  /** For each function its calls: a block and a target each. */
  readonly #calls: Int32Array[] = [];
  /** Targets whose addresses are taken. */
  readonly #taken = new Set<number>();

  /** The functions of a module that count so far; each is to be noted next, in this order. */
  enter(module: IrModule): ModuleCalls {
    const own = new Map<string, number>();
    const fresh: IrFunction[] = [];
    const clashing: string[] = [];
    const refer = (name: string): number => this.#refer(module, own, name);
    const define = (definition: Definition): void => {
      const stands = this.#define(definition, own);
      if (stands === 'own' && definition.linkage !== 'local') clashing.push(definition.name);
    };
    for (const fn of module.functions.values()) {
      if (fn.body === undefined) continue;
      const { name, linkage } = fn;
      define({ name, linkage, place: placeOf(module, fn), to: () => this.#newFunction(fn, fresh) });
    }
    for (const ifunc of module.ifuncs.values()) {
      const { name, linkage } = ifunc;
      const to = () => tagged(target.choice, this.#choices.push(choicesOf(module, ifunc).map(refer)) - 1);
      define({ name, linkage, place: placeOf(module, ifunc), to });
    }
    for (const alias of module.aliases.values()) {
      const { name, linkage } = alias;
      const meant = calledName(alias.of);
      if (meant === undefined) continue;
      define({ name, linkage, place: placeOf(module, alias), to: () => refer(meant) });
    }
    for (const { initializer } of module.globals.values())
      if (initializer !== undefined) this.#take(initializer, refer);
    return { fresh, clashing, refer };
  }

  /** The calls of the next function. */
  note(blocks: readonly Block[], { refer }: ModuleCalls): void {
    const calls: number[] = [];
    for (const [block, { instructions, terminator }] of blocks.entries())
      for (const instruction of [...instructions, terminator])
        for (const to of this.#called(instruction, refer)) calls.push(block, to);
    this.#calls.push(Int32Array.from(calls));
  }

  /** When all modules are known. */
  link(): LinkedCalls {
    const kept = this.#shapeOf.flatMap((_, id) => (this.#replaced.has(id) ? [] : [id]));
    const numberOf = new Map(kept.map((id, number) => [id, number]));
    const functionOf = (to: number): number | undefined => {
      const meant = this.#meant(to);
      return meant?.kind === target.function ? numberOf.get(meant.of) : undefined;
    };
    const choices = this.#choices.map((targets) => [
      ...new Set(targets.flatMap((one) => functionOf(one) ?? [])),
    ]);
    const taken = new Set<number>();
    for (const one of this.#taken) {
      const meant = this.#meant(one);
      const chosen = meant?.kind === target.choice ? choices[meant.of] : undefined;
      for (const fn of chosen ?? [functionOf(one)]) if (fn !== undefined) taken.add(fn);
    }
    const byShape: number[][] = Array.from(this.#shapes, () => []);
    for (const fn of taken) byShape[this.#shapeOf[kept[fn] as number] as number]?.push(fn);
    const pointed = this.#pointerShapes.map((shapes) => shapes.flatMap((one) => byShape[one] as number[]));
    /** A function, or the complement of one of the lists of those it may be. */
    const calledBy = (to: number): number | undefined => {
      const meant = this.#meant(to);
      if (meant?.kind === target.pointer) return ~meant.of;
      return meant?.kind === target.choice ? ~(pointed.length + meant.of) : functionOf(to);
    };
    const sites = kept.map((id) => {
      const calls = this.#calls[id] ?? new Int32Array(0);
      const linked: number[] = [];
      for (let at = 0; at < calls.length; at += 2) {
        const called = calledBy(calls[at + 1] as number);
        if (called !== undefined) linked.push(calls[at] as number, called);
      }
      return Int32Array.from(linked);
    });
    return { graph: new CallGraph(sites, [...pointed, ...choices]), kept };
  }

  /** What a target is in the end, past names for it. */
  #meant(to: number): { readonly kind: number; readonly of: number } | undefined {
    let at: number | undefined = to;
    // Aliases of one another mean nothing.
    for (let steps = 0; at !== undefined && steps <= mostAliases; steps++) {
      const [kind, of]: [number, number] = [at % targetKinds, Math.floor(at / targetKinds)];
      if (kind !== target.symbol) return { kind, of };
      at = this.#meanings[of]?.to;
    }
    return undefined;
  }

  #define({ name, linkage, place, to }: Definition, own: Map<string, number>): 'taken' | 'dropped' | 'own' {
    if (linkage === 'local') {
      own.set(name, to());
      return 'own';
    }
    const symbol = this.#symbol(name);
    const known = this.#meanings[symbol];
    const stands = standing({ linkage, place }, known);
    if (stands === 'own') own.set(name, to());
    if (stands !== 'taken') return stands;
    if (known !== undefined && known.to % targetKinds === target.function)
      this.#replaced.add(Math.floor(known.to / targetKinds));
    this.#meanings[symbol] = { linkage, place: { ...place, file: this.#file(place.file) }, to: to() };
    return stands;
  }

  #newFunction(fn: IrFunction, fresh: IrFunction[]): number {
    fresh.push(fn);
    return tagged(target.function, this.#shapeOf.push(numbered(this.#shapes, shapeOfFunction(fn))) - 1);
  }

  #refer(module: IrModule, own: ReadonlyMap<string, number>, name: string): number {
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
    return tagged(target.symbol, this.#symbol(meant));
  }

  #symbol(name: string): number {
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
  #called(instruction: Instruction, refer: Refer): readonly number[] {
    if (instruction.op === 'debug') return nothing;
    if (instruction.op === 'unknown') {
      const { names, isCall } = readUnknown(instruction.text);
      const named = names.map(refer);
      for (const one of named) this.#taken.add(one);
      return isCall ? named : nothing;
    }
    const isCall = instruction.op === 'call' || instruction.op === 'invoke' || instruction.op === 'callbr';
    for (const operand of isCall ? instruction.arguments : operandsOf(instruction))
      this.#take(operand, refer);
    if (!isCall || instruction.callee.kind === 'asm') return nothing;
    const name = calledName(instruction.callee);
    return [name === undefined ? this.#pointer(instruction.functionType) : refer(name)];
  }

  #pointer(type: FunctionType): number {
    const shapes = shapesOfCall(type);
    const id = numbered(this.#pointers, shapes.join('|'));
    this.#pointerShapes[id] ??= shapes.map((one) => numbered(this.#shapes, one));
    return tagged(target.pointer, id);
  }

  #take(value: Value, refer: Refer): void {
    if (value.kind === 'local' || value.kind === 'integer') return;
    for (const part of partsOf(value)) if (part.kind === 'global') this.#taken.add(refer(part.name));
  }
}

/** What a name means in a module. */
type Refer = (name: string) => number;

/** What a module says a name means. */
interface Definition {
  readonly name: string;
  readonly linkage: Linkage;
  readonly place: DefinitionPlace;
  /** Asked for only if it counts. */
  readonly to: () => number;
}

export interface ModuleCalls {
  readonly fresh: readonly IrFunction[];
  /** Names that another module defines as strongly: in this one they mean its own. */
  readonly clashing: readonly string[];
  readonly refer: Refer;
}

export interface LinkedCalls {
  readonly graph: CallGraph;
  /** Which of the functions that were noted are in the program; a function's number is its place here. */
  readonly kept: readonly number[];
}

const nothing: readonly number[] = [];

/** Names of names of names: more of them are a circle. */
const mostAliases = 16;

function tagged(kind: number, id: number): number {
  return id * targetKinds + kind;
}

function numbered(numbers: Map<string, number>, name: string): number {
  let number = numbers.get(name);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(detached(name), number);
  }
  return number;
}

/** Direct calls exactly; calls through pointers to every function of a like type whose address is taken. */
export class CallGraph {
  #directCallers: readonly (readonly number[])[] | undefined;
  #pointerCallers: readonly (readonly number[])[] | undefined;

  /**
   * @param calls for each function its calls, a block and what is called there each: a function, or the complement of
   * a type of pointer or of a choice
   * @param pointed for each type of pointer and each choice the functions that may be called through it
   */
  constructor(
    private readonly calls: readonly Int32Array[],
    private readonly pointed: readonly (readonly number[])[],
  ) {}

  sites(id: number): readonly CallSite[] {
    const calls = this.calls[id] ?? [];
    const found: CallSite[] = [];
    for (let at = 0; at < calls.length; at += 2) {
      const [block, called] = [calls[at] as number, calls[at + 1] as number];
      const isIndirect = called < 0;
      found.push({ block, callees: isIndirect ? (this.pointed[~called] ?? []) : [called], isIndirect });
    }
    return found;
  }

  /** Those a function may call, each once. */
  callees(id: number): readonly number[] {
    return [...new Set(this.sites(id).flatMap(({ callees }) => callees))];
  }

  /** Those that may call a function, each once. */
  callers(id: number): readonly number[] {
    this.#directCallers ??= this.#callersOf((called) => called);
    this.#pointerCallers ??= this.#callersOf((called) => ~called);
    const found = new Set(this.#directCallers[id]);
    for (const [pointer, callees] of this.pointed.entries())
      if (callees.includes(id)) for (const one of this.#pointerCallers[pointer] ?? []) found.add(one);
    return [...found].toSorted((a, b) => a - b);
  }

  /** For each number a call may hold, whose calls hold it. */
  #callersOf(numberOf: (called: number) => number): readonly (readonly number[])[] {
    const callers: number[][] = [];
    for (const [id, calls] of this.calls.entries())
      for (let at = 1; at < calls.length; at += 2) {
        const number = numberOf(calls[at] as number);
        if (number < 0) continue;
        callers[number] ??= [];
        const known = callers[number];
        if (known.at(-1) !== id) known.push(id);
      }
    return callers;
  }
}
