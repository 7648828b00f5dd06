import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Bytes,
  exportedFunction,
  functionType,
  moduleOf,
  sized,
} from '../../../src/solver/wasm/encoding.js';
import { withFunctionCounters } from '../../../src/solver/wasm/function-counters.js';
import { functionNames } from '../../../src/solver/wasm/function-names.js';
import { webAssembly } from '../../../src/solver/wasm/webassembly.js';
import { packageDirOf } from './embedded.js';

/** Two functions after an imported one; the second calls the first as often as its argument says. */
const letter = (text: string): Bytes => [1, text.charCodeAt(0)];
const named = (index: number, name: string): Bytes => [index, name.length, ...Buffer.from(name)];
const names: Bytes = [3, ...named(0, 'f'), ...named(1, 'first'), ...named(2, 'second')];
const bytes = Uint8Array.from([
  ...moduleOf([
    ['type', [functionType([], []), functionType(['i'], [])]],
    [
      'import',
      [
        [...letter('e'), ...letter('f'), 0x00, 0x00],
        [...letter('e'), ...letter('m'), 0x02, 0x00, 0x01],
      ],
    ],
    ['function', [[0x00], [0x01]]],
    ['export', [exportedFunction('g', 2)]],
    [
      'code',
      [
        // call 0
        sized([0x00, 0x10, 0x00, 0x0b]),
        // (local i64) loop: local.get 0; if: call 1; local.get 0; i32.const 1; i32.sub; local.set 0; br 1
        sized([
          ...[0x01, 0x01, 0x7e, 0x03, 0x40, 0x20, 0x00, 0x04, 0x40, 0x10, 0x01, 0x20, 0x00],
          ...[0x41, 0x01, 0x6b, 0x21, 0x00, 0x0c, 0x01, 0x0b, 0x0b, 0x0b],
        ]),
      ],
    ],
  ]),
  ...[0x00, ...sized([4, ...Buffer.from('name'), 0x01, ...sized(names)])],
]);

describe('a module with call counters', () => {
  it('computes the same and counts calls', () => {
    expect(webAssembly.validate(bytes)).toBe(true);
    const base = 65536 - 16;
    const counting = withFunctionCounters(bytes, base);
    expect(webAssembly.validate(counting)).toBe(true);
    const memory = new (
      globalThis as unknown as {
        WebAssembly: { Memory: new (size: { initial: number }) => { buffer: ArrayBuffer } };
      }
    ).WebAssembly.Memory({ initial: 1 });
    let called = 0;
    const { exports } = new webAssembly.Instance(new webAssembly.Module(counting), {
      e: { f: () => called++, m: memory },
    });
    (exports.g as (times: number) => void)(7);
    expect(called).toBe(7);
    expect([...new BigUint64Array(memory.buffer, base, 2)]).toEqual([7n, 1n]);
  });

  it('reports the names of its own functions', () => {
    expect(functionNames(bytes)).toEqual(['first', 'second']);
    expect(functionNames(withFunctionCounters(bytes, 0))).toEqual(['first', 'second']);
  });

  it('can be made from a real solver', () => {
    const solver = readFileSync(join(packageDirOf('5.2.0'), 'build', 'z3-built.wasm'));
    const found = functionNames(solver);
    expect(found.filter((name) => name?.includes('seq_rewriter')).length).toBeGreaterThan(50);
    expect(withFunctionCounters(solver, 1 << 30).length).toBeGreaterThan(solver.length + 20 * found.length);
  });
});
