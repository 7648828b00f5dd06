import {
  type Bytes,
  exportedFunction,
  functionType,
  importedMutableGlobal,
  importedTable,
  moduleOf,
  sized,
  unsigned,
  type ValueType,
  valueTypes,
} from './encoding.js';

/**
 * WASM code for Emscripten's `invoke_…` functions, through which a C++ program makes calls that may throw.
 *
 * Emscripten writes them in JavaScript. They save the stack pointer, call a function of the program's table inside a
 * `try`, and after a C++ exception they restore the pointer and record the exception. Z3 4.8.17 makes a hundred
 * thousand such calls to create one solver. Its builds verify the table against a copy at each call, which took most
 * of the time. The same steps in WASM make formulas run one and a half to four times as fast, and remove a cost that
 * has nothing to do with the search.
 */

export interface Invoke {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly result: ValueType | undefined;
}

/** `invoke_iid` calls a function of an integer and a double that returns an integer. */
export function parseInvoke(name: string): Invoke | undefined {
  const letters = /^invoke_([vijfd])([ijfd]*)$/.exec(name);
  if (letters === null) return undefined;
  const [, result, parameters] = letters;
  return {
    name,
    parameters: [...(parameters ?? '')] as ValueType[],
    result: result === 'v' ? undefined : (result as ValueType),
  };
}

/** Indices of the program's own functions in the table `stack`. */
export const stackFunctions = { save: 0, restore: 1, setThrew: 2 } as const;

export const namespace = 'program';

const opcodes = {
  end: 0x0b,
  if: 0x04,
  try: 0x06,
  rethrow: 0x09,
  catchAll: 0x19,
  callIndirect: 0x11,
  localGet: 0x20,
  localSet: 0x21,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  i32IsZero: 0x45,
} as const;

const emptyBlock = 0x40;
const tables = { functions: 0, stack: 1 } as const;
const thrown = 0;

/** Zero constants, for calls that return no result. */
const zeros: Readonly<Record<ValueType, Bytes>> = {
  i: [0x41, 0x00],
  j: [0x42, 0x00],
  f: [0x43, 0, 0, 0, 0],
  d: [0x44, 0, 0, 0, 0, 0, 0, 0, 0],
};

/**
 * Generates a module that exports one function for each of `invokes`. It imports the program's function table, the
 * table of `stackFunctions`, and a flag that is 1 while a C++ exception is in flight. Other exceptions, such as a
 * stack overflow in JavaScript, pass through.
 */
export function trampolines(invokes: readonly Invoke[]): Uint8Array<ArrayBuffer> {
  const types = new TypeList();
  const signatures = invokes.map(({ parameters, result }) => {
    const results = result === undefined ? [] : [result];
    return { called: types.index(parameters, results), own: types.index(['i', ...parameters], results) };
  });
  const bodies = invokes.map((invoke, at) => sized(body(invoke, signatures[at]?.called ?? 0, types)));
  return moduleOf([
    ['type', types.all],
    [
      'import',
      [
        importedTable(namespace, 'functions'),
        importedTable(namespace, 'stack'),
        importedMutableGlobal(namespace, 'thrown'),
      ],
    ],
    ['function', signatures.map(({ own }) => unsigned(own))],
    ['export', invokes.map(({ name }, at) => exportedFunction(name, at))],
    ['code', bodies],
  ]);
}

function body({ parameters, result }: Invoke, called: number, types: TypeList): Bytes {
  const stackPointer = parameters.length + 1;
  const call = (stackFunction: number, ...signature: Parameters<TypeList['index']>): Bytes => [
    ...[opcodes.i32Const, stackFunction],
    ...[opcodes.callIndirect, ...unsigned(types.index(...signature)), tables.stack],
  ];
  return [
    // One local variable: the saved stack pointer.
    ...[1, 1, valueTypes.i],
    ...call(stackFunctions.save, [], ['i']),
    ...[opcodes.localSet, ...unsigned(stackPointer)],
    ...[opcodes.try, result === undefined ? emptyBlock : valueTypes[result]],
    ...parameters.flatMap((_, at) => [opcodes.localGet, ...unsigned(at + 1)]),
    ...[opcodes.localGet, 0],
    ...[opcodes.callIndirect, ...unsigned(called), tables.functions],
    opcodes.catchAll,
    ...[opcodes.globalGet, thrown, opcodes.i32IsZero],
    ...[opcodes.if, emptyBlock, opcodes.rethrow, 1, opcodes.end],
    ...[opcodes.i32Const, 0, opcodes.globalSet, thrown],
    ...[opcodes.localGet, ...unsigned(stackPointer)],
    ...call(stackFunctions.restore, ['i'], []),
    ...[opcodes.i32Const, 1, opcodes.i32Const, 0],
    ...call(stackFunctions.setThrew, ['i', 'i'], []),
    ...(result === undefined ? [] : zeros[result]),
    ...[opcodes.end, opcodes.end],
  ];
}

/** Generates a module whose function `copy(count)` copies the first entries of one table to another. */
export function tableCopy(): Uint8Array<ArrayBuffer> {
  const tableCopyOpcode = [0xfc, 0x0e, 0, 1];
  const copy = [
    0,
    ...[opcodes.i32Const, 0, opcodes.i32Const, 0, opcodes.localGet, 0],
    ...tableCopyOpcode,
    opcodes.end,
  ];
  return moduleOf([
    ['type', [functionType(['i'], [])]],
    ['import', [importedTable(namespace, 'to'), importedTable(namespace, 'from')]],
    ['function', [unsigned(0)]],
    ['export', [exportedFunction('copy', 0)]],
    ['code', [sized(copy)]],
  ]);
}

class TypeList {
  readonly all: Bytes[] = [];
  readonly #indices = new Map<string, number>();

  index(parameters: readonly ValueType[], results: readonly ValueType[]): number {
    const key = `${parameters.join('')}:${results.join('')}`;
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    const index = this.all.push(functionType(parameters, results)) - 1;
    this.#indices.set(key, index);
    return index;
  }
}
