/** Who calls whom in a whole program, small enough for programs of a hundred thousand functions. */

import { shapeOfFunction, shapesOfCall } from './call-shape.js';
import { detached } from './detached.js';
import { type Instruction, operandsOf } from './ir/instruction.js';
import type { Block, IrFunction, IrModule } from './ir/module.js';
import type { FunctionType } from './ir/type.js';
import { partsOf, type Value } from './ir/value.js';
import { calledName } from './program.js';

/** A call and the functions of the program it may go to. */
export interface CallSite {
  readonly block: number;
  readonly callees: readonly number[];
  /** Through a pointer: to every function of a like type whose address is taken. */
  readonly isIndirect: boolean;
}

/** What a call goes to, as long as not all modules are known. */
const target = { function: 0, symbol: 1, pointer: 2 } as const;
const targetKinds = 3;

/**
 * Takes in module after module and keeps no text of any. Names mean what they mean in their module first and what other
 * modules export then, as for a linker.
 */
export class CallGraphBuilder {
  readonly #symbols = new Map<string, number>();
  /** For each symbol what it means, a target; undefined while no module has said so. */
  readonly #meanings: (number | undefined)[] = [];
  readonly #shapes = new Map<string, number>();
  /** For each function its shape. */
  readonly #shapeOf: number[] = [];
  /** Types of calls through pointers: the shapes they may go to. */
  readonly #pointers = new Map<string, number>();
  readonly #pointerShapes: (readonly number[])[] = [];
  /** For each function its calls: a block and a target each. */
  readonly #calls: Int32Array[] = [];
  /** Targets whose addresses are taken. */
  readonly #taken = new Set<number>();

  /**
   * The functions of a module that are not known yet; each is to be noted next, in this order. An inline function of C++
   * is in many modules and the same in all.
   */
  enter(module: IrModule): ModuleCalls {
    const own = new Map<string, number>();
    const fresh: IrFunction[] = [];
    for (const fn of module.functions.values()) {
      if (fn.body === undefined) continue;
      const symbol = fn.isLocal ? undefined : this.#symbol(fn.name);
      if (symbol !== undefined && this.#meanings[symbol] !== undefined) continue;
      const id = this.#shapeOf.length;
      this.#shapeOf.push(numbered(this.#shapes, shapeOfFunction(fn)));
      if (symbol === undefined) own.set(fn.name, id);
      else this.#meanings[symbol] = tagged(target.function, id);
      fresh.push(fn);
    }
    const refer = (name: string): number => this.#refer(module, own, name);
    for (const { name } of module.aliases.values()) {
      const symbol = this.#symbol(name);
      const meaning = refer(name);
      if (meaning !== tagged(target.symbol, symbol)) this.#meanings[symbol] ??= meaning;
    }
    for (const { initializer } of module.globals.values())
      if (initializer !== undefined) this.#take(initializer, refer);
    return { fresh, refer };
  }

  /** The calls of the next function. */
  note(blocks: readonly Block[], { refer }: ModuleCalls): void {
    const calls: number[] = [];
    for (const [block, { instructions, terminator }] of blocks.entries())
      for (const instruction of [...instructions, terminator]) {
        const to = this.#called(instruction, refer);
        if (to !== undefined) calls.push(block, to);
      }
    this.#calls.push(Int32Array.from(calls));
  }

  /** When all modules are known. */
  link(): CallGraph {
    const byShape: number[][] = Array.from(this.#shapes, () => []);
    const taken = new Set(Array.from(this.#taken, (one) => this.#functionOf(one)));
    for (const id of taken) if (id !== undefined) byShape[this.#shapeOf[id] as number]?.push(id);
    const pointed = this.#pointerShapes.map((shapes) => shapes.flatMap((one) => byShape[one] as number[]));
    const sites = this.#calls.map((calls) => {
      const linked: number[] = [];
      for (let at = 0; at < calls.length; at += 2) {
        const [block, to] = [calls[at] as number, calls[at + 1] as number];
        const isPointer = to % targetKinds === target.pointer;
        const called = isPointer ? ~Math.floor(to / targetKinds) : this.#functionOf(to);
        if (called !== undefined) linked.push(block, called);
      }
      return Int32Array.from(linked);
    });
    return new CallGraph(sites, pointed);
  }

  #functionOf(to: number): number | undefined {
    let at: number | undefined = to;
    // Aliases of one another mean nothing.
    for (let steps = 0; at !== undefined && steps <= mostAliases; steps++) {
      const of = Math.floor(at / targetKinds);
      if (at % targetKinds === target.function) return of;
      at = this.#meanings[of];
    }
    return undefined;
  }

  #refer(module: IrModule, own: ReadonlyMap<string, number>, name: string): number {
    let meant = name;
    for (let steps = 0; steps <= mostAliases; steps++) {
      const of = module.aliases.get(meant)?.of;
      const next = of === undefined ? undefined : calledName(of);
      if (next === undefined) break;
      meant = next;
    }
    const id = own.get(meant);
    return id === undefined ? tagged(target.symbol, this.#symbol(meant)) : tagged(target.function, id);
  }

  #symbol(name: string): number {
    return numbered(this.#symbols, name);
  }

  /** Notes whose addresses an instruction takes. @returns what it calls */
  #called(instruction: Instruction, refer: Refer): number | undefined {
    if (instruction.op === 'debug' || instruction.op === 'unknown') return undefined;
    const isCall = instruction.op === 'call' || instruction.op === 'invoke' || instruction.op === 'callbr';
    for (const operand of isCall ? instruction.arguments : operandsOf(instruction))
      this.#take(operand, refer);
    if (!isCall) return undefined;
    const name = calledName(instruction.callee);
    if (name !== undefined) return refer(name);
    return instruction.callee.kind === 'asm' ? undefined : this.#pointer(instruction.functionType);
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

export interface ModuleCalls {
  readonly fresh: readonly IrFunction[];
  readonly refer: Refer;
}

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
   * a type of pointer
   * @param pointed for each type of pointer the functions that may be called through it
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
