import { describe, expect, it } from 'vitest';
import { Fault, Random } from '../../src/machine/index.js';
import {
  DependenceGraph,
  Program,
  ProgramFlowBuilder,
  readBody,
  readModule,
  readSource,
} from '../../src/program/index.js';
import {
  checkScript,
  checkText,
  mutate,
  parseScript,
  printScript,
  readScript,
} from '../../src/smtlib/index.js';

const many = 20_000;

const nested = (before: string, inside: string, after: string): string =>
  before.repeat(many) + inside + after.repeat(many);

const numbered = (line: (number: number) => string): string =>
  Array.from({ length: many }, (_, number) => line(number)).join('\n');

const withFunction = (instruction: string, before = '', after = ''): string =>
  `${before}\ndefine void @f(ptr %p) {\n  ${instruction}\n  ret void\n}\n${after}\n`;

/** Reads every part of a module and returns the faults found on the way. */
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

describe('handwritten IR', () => {
  it.each([
    ['structs', `%a = alloca ${nested('{ ', 'i32', ' }')}`],
    ['arrays', `%a = alloca ${nested('[1 x ', 'i32', ']')}`],
    ['vectors', `%a = alloca ${nested('<1 x ', 'i32', '>')}`],
    ['parameters', `%a = alloca i32${nested(' (i32', '', ')')}`],
    ['metadata', `call void @g(${nested('metadata ', 'i32 1', '')})`],
  ])('with deeply nested %s is reported as a fault', (_, instruction) => {
    expect(read(withFunction(instruction))[0]).toMatch(/less nesting is expected/);
  });

  it.each([
    ['structs', `%t = type ${nested('{ ', 'i32', ' }')}`],
    ['elements', `@g = global i32 ${nested('{ i32 ', '1', ' }')}`],
    ['packed elements', `@g = global i32 ${nested('<{ ', '1', ' }>')}`],
    ['expressions', `@g = global ptr ${nested('bitcast (ptr ', 'null', ' to ptr)')}`],
  ])('with deeply nested %s in a global is reported as a fault', (_, line) => {
    expect(read(withFunction('', line))[0]).toMatch(/less nesting is expected/);
  });

  it('is read further after a part that is nested too deeply', () => {
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

  it.each(['*', ' ()'])('with many “%s” after a type is reported as a fault', (around) => {
    expect(read(withFunction(`%a = alloca i32${around.repeat(many)}`))[0]).toMatch(
      /fewer stars and parameters/,
    );
  });

  it('with a long chain of types is read', () => {
    const types = numbered((number) => `%t${number} = type { %t${number + 1} }`);
    expect(read(withFunction('%a = alloca %t0', types))).toEqual([]);
  });

  it('with a long chain of inlined locations is read', () => {
    const locations = numbered(
      (number) => `!${number} = !DILocation(line: 3, column: 1, scope: !99999, inlinedAt: !${number + 1})`,
    );
    expect(read(withFunction('store i32 1, ptr %p, !dbg !0', '', locations))).toEqual([]);
  });

  it.each([
    'i9007199254740993',
    `i${'9'.repeat(400)}`,
  ])('with an integer type %s is reported as a fault', (type) => {
    expect(read(withFunction(`%a = add ${type} s0x1, 1`))[0]).toMatch(/a type is expected/);
  });
});

describe('contrived C++', () => {
  it('is read down to a limited depth of classes in functions', () => {
    const levels = 2000;
    const text = `int f() { ${'struct A { int g() { '.repeat(levels)}return 1;${' } };'.repeat(levels)} }`;
    const { functions, faults } = readSource(text, 'a.cc');
    // Each function is read together with the functions inside it, except for those nested too deeply.
    expect(functions).toHaveLength(17);
    expect(faults.map(({ message }) => message)).toEqual([
      'classes and functions are nested too deeply: inner methods are not read',
    ]);
  });
});

describe('contrived formulas', () => {
  const messageOf = (text: string): string | undefined => {
    const checked = checkText(text);
    return checked instanceof Fault ? checked.message : undefined;
  };

  it.each([
    [
      'doubles what it is made of',
      (number: number) => (number === 0 ? 'Int' : `(Array S${number - 1} S${number - 1})`),
    ],
    ['is one deeper', (number: number) => (number === 0 ? 'Int' : `(Seq S${number - 1})`)],
  ])('are rejected when a chain of sort definitions grows too large, where each %s', (_, body) => {
    const definitions = Array.from(
      { length: 2000 },
      (_, number) => `(define-sort S${number} () ${body(number)})`,
    );
    expect(messageOf(definitions.join('\n'))).toMatch(/nested too deeply|has more than 10000 parts/);
  });

  it('are rejected when nested uses of a sort definition exceed 10,000 parts', () => {
    const text = `(define-sort S (T) (Array T T))\n(declare-const x ${'(S '.repeat(60)}Int${')'.repeat(60)})`;
    expect(messageOf(text)).toBe('a sort has more than 10000 parts');
    expect(messageOf(text.replaceAll('(S '.repeat(50), '').replaceAll(')'.repeat(50), ''))).toBeUndefined();
  });

  it.each(['9007199254740993', '9'.repeat(400)])('are rejected if they contain the number %s', (number) => {
    for (const command of [`(push ${number})`, `(pop ${number})`, `(declare-sort S ${number})`])
      expect(messageOf(command)).toContain(`found ${number.slice(0, 10)}`);
    const script = readScript(`(push ${Number.MAX_SAFE_INTEGER})`);
    if (script instanceof Fault) throw new Error(script.message);
    expect(printScript(script)).toContain(`(push ${Number.MAX_SAFE_INTEGER})`);
  });

  it('are printed with escapes for characters outside the theory of strings', () => {
    const text = '(assert (= "\u{2ffff}\u{30000}\u{10ffff}\\u{10ffff}" "a"))\n';
    const once = readScript(text);
    if (once instanceof Fault) throw new Error(once.message);
    const printed = printScript(once);
    expect(printed).toBe('(assert (= "\\u{2ffff}\u{30000}\u{10ffff}\\u{5c}u{10ffff}" "a"))\n');
    const again = readScript(printed);
    expect(again instanceof Fault ? again.message : printScript(again)).toBe(printed);
  });

  it('have well-sorted mutants if an integer is declared before a logic of reals', () => {
    const text = '(declare-fun v () Int)(set-logic QF_LRA)(declare-const x Real)(assert (< x 2))(check-sat)';
    const script = parseScript(text);
    for (let seed = 0; seed < 200; seed++) {
      const mutant = mutate(script, Random.fromSeed(seed));
      expect(mutant === undefined ? undefined : checkScript(mutant.script), `seed ${seed}`).toBeUndefined();
    }
  });

  it.each([
    '(define-fun-rec down ((n Int)) Int (ite (< n 1) 0 (+ 1 (down 0))))',
    '(define-funs-rec ((down ((n Int)) Int) (up ((n Int)) Int)) ((ite (< n 1) 0 (up 0)) (+ 1 (down 0))))',
  ])('have well-sorted mutants if a function calls itself: %s', (definition) => {
    const before = '(define-fun twice ((x Int)) Int (+ (abs 5) (* 8 x)))';
    const script = parseScript(`${before}${definition}(assert (< (twice 1) (down 2)))(check-sat)`);
    for (let seed = 0; seed < 200; seed++) {
      const swapped = mutate(script, Random.fromSeed(seed), {}, ['swap-subterms']);
      expect(swapped === undefined ? undefined : checkScript(swapped.script), `seed ${seed}`).toBeUndefined();
    }
  });
});
