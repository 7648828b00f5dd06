import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/machine/index.js';
import { readModule, type Type } from '../../../src/program/ir/index.js';
import { Layout } from '../../../src/program/ir/layout.js';
import { compileC } from '../dependence/compile.js';

const scalars = [
  'char',
  'short',
  'int',
  'long',
  'float',
  'double',
  'long double',
  '__int128',
  'void *',
  'v4',
  'v2',
];

/** Structs with all kinds of fields; later structs contain earlier ones. */
function randomStructs(random: Random, count: number): string {
  const lines = [
    'typedef float v4 __attribute__((vector_size(16)));',
    'typedef short v2 __attribute__((vector_size(4)));',
  ];
  for (let at = 0; at < count; at++) {
    const fields = Array.from({ length: random.between(1, 6) }, (_, field) => {
      const inner = at > 0 && random.chance(0.25);
      const type = inner ? `struct S${random.below(at)}` : random.pick(scalars);
      return `  ${type} f${field}${random.chance(0.25) ? `[${random.between(1, 5)}]` : ''};`;
    });
    const packed = random.chance(0.2) ? ' __attribute__((packed))' : '';
    const offsets = fields.map((_, field) => `__builtin_offsetof(struct S${at}, f${field})`);
    lines.push(`struct${packed} S${at} {`, ...fields, `}; struct S${at} g${at};`);
    lines.push(
      `unsigned long m${at}[] = {sizeof(struct S${at}), _Alignof(struct S${at}), ${offsets.join(', ')}};`,
    );
  }
  return lines.join('\n');
}

describe.each(['x86_64-linux-gnu', 'aarch64-linux-gnu'])('Layout on %s', (target) => {
  const source = randomStructs(Random.fromSeed(3), 60);
  const module = readModule(compileC(source, undefined, [`--target=${target}`]));
  // In the IR, a struct is packed and aligned only as far as its field offsets require it.
  const packed = new Set(Array.from(source.matchAll(/packed\)\) S(\d+)/g), ([, at]) => Number(at)));
  const layout = new Layout(module.dataLayout, module.types);

  test('places struct fields as the compiler does', () => {
    for (let at = 0; at < 60; at++) {
      const type = module.globals.get(`g${at}`)?.type as Type;
      const measured = module.globals.get(`m${at}`)?.initializer;
      const numbers =
        measured?.kind === 'aggregate'
          ? measured.elements.map((element) => (element.kind === 'integer' ? Number(element.value) : 0))
          : [];
      const struct = layout.resolved(type);
      expect([at, layout.strideBytes(type)]).toEqual([at, numbers[0]]);
      // If the compiler inserted padding fields, the source's field numbers differ.
      if (struct.kind !== 'struct' || struct.fields.length !== numbers.length - 2) continue;
      const offsets = struct.fields.map((_, field) => layout.fieldOffset(type, field));
      expect([at, ...offsets]).toEqual([at, ...numbers.slice(2)]);
      if (!packed.has(at)) expect(layout.alignment(type)).toBeLessThanOrEqual(numbers[1] ?? 0);
    }
  });
});

test('storedBytes counts the bytes of a value, strideBytes those of an array element', () => {
  const layout = new Layout('e-m:e-i64:64-f80:128-n8:16:32:64-S128', new Map());
  const longDouble: Type = { kind: 'float', format: 'x86_fp80' };
  expect(layout.storedBytes(longDouble)).toBe(10);
  expect(layout.strideBytes(longDouble)).toBe(16);
  expect(layout.strideBytes({ kind: 'integer', bits: 24 })).toBe(4);
  expect(layout.storedBytes({ kind: 'integer', bits: 24 })).toBe(3);
  expect(
    layout.strideBytes({ kind: 'vector', length: 3, isScalable: false, of: { kind: 'integer', bits: 32 } }),
  ).toBe(16);
});
