import { describe, expect, it } from 'vitest';
import {
  DependenceGraph,
  Program,
  ProgramFlowBuilder,
  readBody,
  readModule,
  readSource,
} from '../../src/program/index.js';

const many = 20_000;

const nested = (before: string, inside: string, after: string): string =>
  before.repeat(many) + inside + after.repeat(many);

const numbered = (line: (number: number) => string): string =>
  Array.from({ length: many }, (_, number) => line(number)).join('\n');

const withFunction = (instruction: string, before = '', after = ''): string =>
  `${before}\ndefine void @f(ptr %p) {\n  ${instruction}\n  ret void\n}\n${after}\n`;

/** Everything there is to do with a module; faults are as good as an answer. */
function read(text: string): readonly string[] {
  const module = readModule(text);
  const bodies = [...module.functions.values()].map((fn) => readBody(module, fn));
  const builder = new ProgramFlowBuilder('/');
  builder.add(module);
  builder.link();
  const graph = new DependenceGraph(new Program([module]));
  graph.linesOf(graph.backwardSlice(graph.nodesAt({ file: 'a.c', line: 3 })));
  return [...module.faults, ...bodies.flatMap(({ faults }) => faults)].map(({ message }) => message);
}

describe('IR that no compiler wrote', () => {
  it.each([
    ['structs', `%a = alloca ${nested('{ ', 'i32', ' }')}`],
    ['arrays', `%a = alloca ${nested('[1 x ', 'i32', ']')}`],
    ['vectors', `%a = alloca ${nested('<1 x ', 'i32', '>')}`],
    ['parameters', `%a = alloca i32${nested(' (i32', '', ')')}`],
    ['metadata', `call void @g(${nested('metadata ', 'i32 1', '')})`],
  ])('may nest %s as deeply as it likes', (_, instruction) => {
    expect(read(withFunction(instruction))[0]).toMatch(/nested less deeply is expected/);
  });

  it.each([
    ['structs', `%t = type ${nested('{ ', 'i32', ' }')}`],
    ['elements', `@g = global i32 ${nested('{ i32 ', '1', ' }')}`],
    ['packed elements', `@g = global i32 ${nested('<{ ', '1', ' }>')}`],
    ['expressions', `@g = global ptr ${nested('bitcast (ptr ', 'null', ' to ptr)')}`],
  ])('may nest %s of what is global as deeply as it likes', (_, line) => {
    expect(read(withFunction('', line))[0]).toMatch(/nested less deeply is expected/);
  });

  it('goes on behind what is nested too deeply', () => {
    const deep = nested('{ ', 'i32', ' }');
    const text = `%t = type ${deep}\n%u = type { i32, [2 x { ptr }] }\n${withFunction(`%a = alloca ${deep}\n  %b = alloca %u`)}`;
    const module = readModule(text);
    expect(module.types.get('u')).toMatchObject({
      kind: 'struct',
      fields: [{ kind: 'integer' }, { kind: 'array' }],
    });
    const [fn] = module.functions.values();
    const [block] = fn === undefined ? [] : readBody(module, fn).blocks;
    expect(block?.instructions.map(({ op }) => op)).toEqual(['unknown', 'alloca']);
  });

  it.each(['*', ' ()'])('may follow a type by as many “%s” as it likes', (around) => {
    expect(read(withFunction(`%a = alloca i32${around.repeat(many)}`))[0]).toMatch(
      /fewer stars and parameters/,
    );
  });

  it('may define types by types by types', () => {
    const types = numbered((number) => `%t${number} = type { %t${number + 1} }`);
    expect(read(withFunction('%a = alloca %t0', types))).toEqual([]);
  });

  it('may inline what was inlined into what was inlined', () => {
    const locations = numbered(
      (number) => `!${number} = !DILocation(line: 3, column: 1, scope: !99999, inlinedAt: !${number + 1})`,
    );
    expect(read(withFunction('store i32 1, ptr %p, !dbg !0', '', locations))).toEqual([]);
  });

  it.each(['i9007199254740993', `i${'9'.repeat(400)}`])('may have integers as wide as %s', (type) => {
    expect(read(withFunction(`%a = add ${type} s0x1, 1`))[0]).toMatch(/a type is expected/);
  });
});

describe('C++ that nobody wrote', () => {
  it('may put classes into functions into classes', () => {
    const levels = 2000;
    const text = `int f() { ${'struct A { int g() { '.repeat(levels)}return 1;${' } };'.repeat(levels)} }`;
    const { functions, faults } = readSource(text, 'a.cc');
    // Each is read for itself, and with it all that is inside: those further in are left out.
    expect(functions).toHaveLength(17);
    expect(faults.map(({ message }) => message)).toEqual([
      'classes and functions lie too deep in each other',
    ]);
  });
});
