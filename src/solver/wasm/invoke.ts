/**
 * C++ exceptions without the detour through JavaScript.
 *
 * Emscripten builds of Z3 call every function that may throw through a JavaScript function `invoke_…`, which holds a
 * `try`. Old releases do so several hundred thousand times for a small formula, and crossing from WASM to JavaScript
 * and back is most of what they do: 4.8.17 takes more than three times as long as it needs to. Here the same functions
 * are written in WASM, with its own `try`, and put in the place of the JavaScript ones when a module is instantiated.
 *
 * Only C++ exceptions and `longjmp` may end there. Both are thrown by imported functions, which are wrapped to raise a
 * flag first; whatever else comes by (a trap, the end of a thread) is thrown on.
 */

import {
  code,
  counterImport,
  functionExport,
  functionType,
  header,
  section,
  tableImport,
  unsigned,
  valueTypes,
  vector,
} from './wasm-binary.js';
import { type Counter, type Imports, type Instance, type Table, webAssembly } from './webassembly.js';

const throwers = [
  '__cxa_throw',
  '__cxa_rethrow',
  '__cxa_rethrow_primary_exception',
  '__resumeException',
  '_emscripten_throw_longjmp',
];

/** `invoke_vii` takes a place in the function table and two numbers, and returns nothing. */
const nativeName = /^invoke_([vifd])([ifd]*)$/;

/** Places in the table of the three functions the module itself gives for handling its stack. */
const place = { save: 0, restore: 1, threw: 2 } as const;

/** A module with one exported function for each name. */
function invokersModule(names: readonly string[]): Uint8Array {
  const types: number[][] = [];
  const typeOf = (parameters: string, result: string): number => {
    const type = functionType(parameters, result);
    const known = types.findIndex((one) => one.join() === type.join());
    return known >= 0 ? known : types.push(type) - 1;
  };
  const [saves, restores, threw] = [typeOf('', 'i'), typeOf('i', ''), typeOf('ii', '')];
  const functions: number[][] = [];
  const bodies: number[][] = [];
  for (const name of names) {
    const [, returned = 'v', parameters = ''] = nativeName.exec(name) ?? [];
    const result = returned === 'v' ? '' : returned;
    functions.push(unsigned(typeOf(`i${parameters}`, result)));
    bodies.push(code(invoker(parameters, result, typeOf(parameters, result), { saves, restores, threw })));
  }
  return new Uint8Array([
    ...header,
    ...section(1, vector(types)),
    ...section(
      2,
      vector([tableImport('e', 'functions', 0), tableImport('e', 'stack', 3), counterImport('e', 'flag')]),
    ),
    ...section(3, vector(functions)),
    ...section(7, vector(names.map(functionExport))),
    ...section(10, vector(bodies)),
  ]);
}

/** What an invoker gives back when the function it called has thrown. */
const zeros: Readonly<Record<string, readonly number[]>> = {
  i: [0x41, 0],
  f: [0x43, 0, 0, 0, 0],
  d: [0x44, 0, 0, 0, 0, 0, 0, 0, 0],
};

function invoker(
  parameters: string,
  result: string,
  type: number,
  stack: { readonly saves: number; readonly restores: number; readonly threw: number },
): number[] {
  const local = (at: number): number[] => [0x20, ...unsigned(at)];
  const number = (value: number): number[] => [0x41, ...unsigned(value)];
  const callStack = (which: number, at: number): number[] => [...number(at), 0x11, ...unsigned(which), 1];
  const saved = parameters.length + 1;
  return [
    ...[1, 1, 0x7f], // one more local: the stack as it was
    ...callStack(stack.saves, place.save),
    ...[0x21, ...unsigned(saved)],
    ...[0x06, result === '' ? 0x40 : (valueTypes[result] ?? 0x40)], // try
    ...[...parameters].flatMap((_, at) => local(at + 1)),
    ...[...local(0), 0x11, ...unsigned(type), 0], // call_indirect of the function at this place
    0x19, // catch_all
    ...[0x23, 0, 0x45, 0x04, 0x40, 0x09, 1, 0x0b], // if the flag is down, rethrow
    ...[...number(0), 0x24, 0], // take the flag down
    ...[...local(saved), ...callStack(stack.restores, place.restore)],
    ...[...number(1), ...number(0), ...callStack(stack.threw, place.threw)],
    ...(zeros[result] ?? []),
    0x0b,
    0x0b,
  ];
}

/** A module whose function `copy(n)` copies n places of one table to another: a hundred times faster than one by one. */
function copierModule(): Uint8Array {
  const body = [0, 0x41, 0, 0x41, 0, 0x20, 0, 0xfc, 14, 0, 1, 0x0b];
  return new Uint8Array([
    ...header,
    ...section(1, vector([functionType('i', '')])),
    ...section(2, vector([tableImport('e', 'to', 0), tableImport('e', 'from', 0)])),
    ...section(3, vector([[0]])),
    ...section(7, vector([functionExport('copy', 0)])),
    ...section(10, vector([code(body)])),
  ]);
}

type Functions = Record<string, (...args: readonly number[]) => number>;

/** Changes the imports of a module that is about to be instantiated; what is returned must see the instance. */
export function withNativeInvokes(imports: Imports | undefined): ((instance: Instance) => void) | undefined {
  const groups = Object.values(imports ?? {}) as Functions[];
  const environment = groups.find((group) => Object.keys(group).some((name) => name.startsWith('invoke_')));
  if (environment === undefined) return undefined;
  const names = Object.keys(environment).filter((name) => nativeName.test(name));
  const functions = new webAssembly.Table({ element: 'anyfunc', initial: 0 });
  const stack = new webAssembly.Table({ element: 'anyfunc', initial: 3 });
  const flag = new webAssembly.Global({ value: 'i32', mutable: true }, 0);
  const invokers = new webAssembly.Instance(new webAssembly.Module(invokersModule(names)), {
    e: { functions, stack, flag },
  });
  for (const [name, original] of Object.entries(environment)) {
    if (names.includes(name)) environment[name] = invokers.exports[name] as Functions[string];
    else if (name.startsWith('invoke_')) environment[name] = loweringFlag(original, flag);
    else if (throwers.includes(name)) environment[name] = raisingFlag(original, flag);
  }
  return (instance) => {
    const { exports } = instance;
    const table = Object.values(exports).find((one) => one instanceof webAssembly.Table) as Table | undefined;
    if (table === undefined) throw new TypeError('the module exports no function table');
    stack.set(place.save, exports.stackSave ?? exports.emscripten_stack_get_current);
    stack.set(place.restore, exports.stackRestore ?? exports._emscripten_stack_restore);
    stack.set(place.threw, exports.setThrew);
    functions.grow(table.length);
    const copier = new webAssembly.Instance(new webAssembly.Module(copierModule()), {
      e: { to: functions, from: table },
    });
    (copier.exports.copy as (count: number) => void)(table.length);
  };
}

function raisingFlag(original: Functions[string], flag: Counter): Functions[string] {
  return (...args) => {
    flag.value = 1;
    return original(...args);
  };
}

/** Invokers with 64-bit numbers stay in JavaScript and end an exception there. */
function loweringFlag(original: Functions[string], flag: Counter): Functions[string] {
  return (...args) => {
    try {
      return original(...args);
    } finally {
      flag.value = 0;
    }
  };
}
