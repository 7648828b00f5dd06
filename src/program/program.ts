/** A whole program: the modules that were linked together, and who calls whom. */

import type { Instruction } from './ir/instruction.js';
import { operandsOf } from './ir/instruction.js';
import type { IrFunction, IrModule } from './ir/module.js';
import { type Body, readBody } from './ir/read-body.js';
import type { FunctionType, Type } from './ir/type.js';
import { partsOf, type Value } from './ir/value.js';

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

/** Who calls whom, by the functions' numbers. */
export interface CallGraph {
  /** For each function those it may call. */
  readonly callees: readonly (readonly number[])[];
  readonly callers: readonly (readonly number[])[];
  /** For each function the calls in each of its blocks: functions of the program, each once. */
  readonly ofBlock: readonly (readonly (readonly number[])[])[];
}

/**
 * Direct calls exactly; calls through pointers go to every function of a like type whose address is taken.
 * Bodies are read one after another and not kept.
 */
export function callGraph(program: Program): CallGraph {
  const taken = new Set<number>();
  const direct: number[][][] = [];
  const indirect: { readonly caller: number; readonly block: number; readonly type: FunctionType }[] = [];
  for (const module of program.modules) takeFromGlobals(program, module, taken);
  for (const fn of program.functions) {
    const { blocks } = program.body(fn);
    direct.push(
      blocks.map(({ instructions, terminator }, block) => {
        const called: number[] = [];
        for (const instruction of [...instructions, terminator]) {
          const type = noteCalls(program, fn.module, instruction, called, taken);
          if (type !== undefined) indirect.push({ caller: fn.id, block, type });
        }
        return called;
      }),
    );
  }
  const byShape = new Map<string, number[]>();
  for (const id of taken) {
    const fn = program.functions[id] as ProgramFunction;
    for (const shape of shapesOf(fn.declared)) push(byShape, shape, id);
  }
  for (const { caller, block, type } of indirect)
    direct[caller]?.[block]?.push(...(byShape.get(shapeOfCall(type)) ?? []), ...(byShape.get('...') ?? []));
  const ofBlock = direct.map((blocks) => blocks.map((called) => [...new Set(called)]));
  const callees = ofBlock.map((blocks) => [...new Set(blocks.flat())]);
  const callers: number[][] = callees.map(() => []);
  for (const [caller, all] of callees.entries()) for (const callee of all) callers[callee]?.push(caller);
  return { callees, callers, ofBlock };
}

/** Notes what it calls and whose address it takes; the type of a call through a pointer. */
function noteCalls(
  program: Program,
  module: IrModule,
  instruction: Instruction,
  called: number[],
  taken: Set<number>,
): FunctionType | undefined {
  if (instruction.op === 'debug' || instruction.op === 'unknown') return undefined;
  const isCall = instruction.op === 'call' || instruction.op === 'invoke' || instruction.op === 'callbr';
  if (!isCall) {
    for (const operand of operandsOf(instruction)) take(program, module, operand, taken);
    return undefined;
  }
  for (const argument of instruction.arguments) take(program, module, argument, taken);
  const callee = calledName(instruction.callee);
  if (callee === undefined) return instruction.callee.kind === 'asm' ? undefined : instruction.functionType;
  const fn = program.find(module, callee);
  if (fn !== undefined) called.push(fn.id);
  return undefined;
}

/** Old C casts functions before it calls them. */
export function calledName(callee: Value): string | undefined {
  if (callee.kind === 'global') return callee.name;
  if (callee.kind === 'expression' && callee.operator === 'bitcast' && callee.operands[0] !== undefined)
    return calledName(callee.operands[0]);
  return undefined;
}

function takeFromGlobals(program: Program, module: IrModule, taken: Set<number>): void {
  for (const { initializer } of module.globals.values())
    if (initializer !== undefined) take(program, module, initializer, taken);
}

function take(program: Program, module: IrModule, value: Value, taken: Set<number>): void {
  if (value.kind === 'local' || value.kind === 'integer') return;
  for (const part of partsOf(value)) {
    if (part.kind !== 'global') continue;
    const fn = program.find(module, part.name);
    if (fn !== undefined) taken.add(fn.id);
  }
}

/** Types that a call through a pointer cannot tell apart are one. */
function shape(type: Type): string {
  switch (type.kind) {
    case 'pointer':
      return 'p';
    case 'integer':
      return `i${type.bits}`;
    case 'float':
      return type.format;
    default:
      return type.kind;
  }
}

function shapeOfCall({ parameters, isVariadic }: FunctionType): string {
  // A call without a prototype says nothing about what is called.
  if (isVariadic && parameters.length === 0) return '...';
  return parameters.map(shape).join(' ');
}

function shapesOf({ parameters, isVariadic }: IrFunction): readonly string[] {
  const own = parameters.map(({ type }) => shape(type)).join(' ');
  return isVariadic && parameters.length === 0 ? ['...', own] : [own];
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
