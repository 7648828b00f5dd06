import { describe, expect, it } from 'vitest';
import { namespace, parseInvoke, stackFunctions, trampolines } from '../../../src/solver/wasm/trampolines.js';
import { webAssembly } from '../../../src/solver/wasm/webassembly.js';

describe('the name of an invoke function', () => {
  it('gives its parameter and result types', () => {
    expect(parseInvoke('invoke_vid')).toEqual({
      name: 'invoke_vid',
      parameters: ['i', 'd'],
      result: undefined,
    });
    expect(parseInvoke('invoke_j')).toEqual({ name: 'invoke_j', parameters: [], result: 'j' });
  });

  it('is rejected if it has another form', () => {
    for (const name of ['invoke_', 'invoke_xi', 'invoke_iv', 'invoker_ii', '__cxa_throw']) {
      expect(parseInvoke(name)).toBeUndefined();
    }
  });
});

type Anything = (...words: readonly unknown[]) => unknown;

/** Makes JavaScript functions fit for a table, through a module that imports and exports them. */
const throughWasm = (functions: Readonly<Record<'call' | 'save' | 'restore' | 'setThrew', Anything>>) => {
  const names = Object.keys(functions);
  // (type (func (param i32) (result i32))) (func (result i32)) (func (param i32)) (func (param i32 i32))
  const types = [
    ...[0x60, 1, 0x7f, 1, 0x7f],
    ...[0x60, 0, 1, 0x7f],
    ...[0x60, 1, 0x7f, 0],
    ...[0x60, 2, 0x7f, 0x7f, 0],
  ];
  const text = (name: string) => [name.length, ...Buffer.from(name)];
  const section = (id: number, items: readonly number[]) => [id, items.length + 1, names.length, ...items];
  const bytes = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(
      2,
      names.flatMap((name, type) => [...text('e'), ...text(name), 0, type]),
    ),
    ...section(
      7,
      names.flatMap((name, at) => [...text(name), 0, at]),
    ),
  ]);
  return new webAssembly.Instance(new webAssembly.Module(bytes), { e: { ...functions } }).exports;
};

function invoking(call: Anything) {
  const seen: unknown[][] = [];
  const functions = new webAssembly.Table({ element: 'anyfunc', initial: 8 });
  const stack = new webAssembly.Table({ element: 'anyfunc', initial: 3 });
  const thrown = new webAssembly.Global({ value: 'i32', mutable: true }, 0);
  const exported = throughWasm({
    call: (...words) => call(thrown, ...words),
    save: () => 64,
    restore: (...words) => seen.push(['restore', ...words]),
    setThrew: (...words) => seen.push(['setThrew', ...words]),
  });
  functions.set(5, exported.call);
  for (const name of ['save', 'restore', 'setThrew'] as const)
    stack.set(stackFunctions[name], exported[name]);
  const module = new webAssembly.Module(
    trampolines([parseInvoke('invoke_ii')].flatMap((invoke) => invoke ?? [])),
  );
  const { invoke_ii } = new webAssembly.Instance(module, { [namespace]: { functions, stack, thrown } })
    .exports;
  return { invoke: invoke_ii as (at: number, word: number) => number, seen, thrown };
}

describe('a trampoline', () => {
  it('calls the function in the table and returns its result', () => {
    const { invoke, seen } = invoking((_, word) => Number(word) * 2);
    expect(invoke(5, 21)).toBe(42);
    expect(seen).toEqual([]);
  });

  it('catches a C++ exception, restores the stack and records the exception', () => {
    const { invoke, seen, thrown } = invoking((flag) => {
      (flag as { value: number }).value = 1;
      throw 12_345;
    });
    expect(invoke(5, 0)).toBe(0);
    expect(seen).toEqual([
      ['restore', 64],
      ['setThrew', 1, 0],
    ]);
    expect(thrown.value).toBe(0);
  });

  it('lets other exceptions pass', () => {
    const full = new RangeError('the stack is full');
    const { invoke, seen } = invoking(() => {
      throw full;
    });
    expect(() => invoke(5, 0)).toThrow(full);
    expect(seen).toEqual([]);
  });

  it('is valid code for every type', () => {
    const names = ['invoke_v', 'invoke_i', 'invoke_j', 'invoke_f', 'invoke_d', 'invoke_vijfd', 'invoke_jjjj'];
    const bytes = trampolines(
      [...names, `invoke_i${'i'.repeat(200)}`].flatMap((name) => parseInvoke(name) ?? []),
    );
    expect(webAssembly.validate(bytes)).toBe(true);
  });
});
