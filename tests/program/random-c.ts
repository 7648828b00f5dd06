/**
 * Random programs in C that end and have no undefined behaviour when compiled with -fwrapv: every variable is
 * initialized, indices are masked, pointers always point to something that lives at least as long as they do, loops
 * count, and calls use up fuel.
 */

import type { Random } from '../../src/machine/index.js';

/** Parameters and result of a function. */
const kinds = [
  'plain',
  'pointer',
  'array',
  'struct',
  'by value',
  'returns struct',
  'returns pair',
  'two levels',
  'recursive',
  'returns pointer',
] as const;
type Kind = (typeof kinds)[number];

interface Signature {
  readonly name: string;
  readonly kind: Kind;
}

const heads: Readonly<Record<Kind, (name: string) => string>> = {
  plain: (name) => `int ${name}(int a, int b)`,
  pointer: (name) => `int ${name}(int *p, int a)`,
  array: (name) => `int ${name}(int *q, int a)`,
  struct: (name) => `int ${name}(struct S *sp, int a)`,
  'by value': (name) => `int ${name}(struct S s, int a)`,
  'returns struct': (name) => `struct S ${name}(struct S *sp, int a)`,
  'returns pair': (name) => `struct Pair ${name}(int a, int b)`,
  'two levels': (name) => `int ${name}(int **pp, int a)`,
  recursive: (name) => `int ${name}(int depth, int *p, int a)`,
  'returns pointer': (name) => `int *${name}(int *p, int a)`,
};

/** Result of a function without fuel, if it is not a number. */
const outOfFuel: Readonly<Partial<Record<Kind, string>>> = {
  'returns struct': 'gs0',
  'returns pair': 'lp',
  'returns pointer': 'p',
};

const prelude = `#include <stdlib.h>
#include <string.h>
struct Pair { int first; short second; };
struct In { char c; int u; short h; };
struct S { int x; struct In in; int *p; long y; int d[8]; char buf[8]; struct S *next; };
union U { int i; unsigned char b[4]; unsigned short h[2]; struct { short low, high; } s; };
static int fuel;
int g0 = 1, g1 = 2;
static int g2 = 3;
int ga0[8] = {1, 2, 3};
static int ga1[8];
struct S gs0 = {.x = 4, .p = &g0, .next = &gs0};
static struct S gs1 = {.x = 5, .p = &g1, .next = &gs0};
union U gu;
int *gp = &g0;
static int *gq = ga0;
int **gpp = &gp;
int matrix[3][4];
static int add(int a, int b) { return a + b + g2; }
static int mix(int a, int b) { g1 = a; return a ^ b; }
static int put(int a, int b) { ga0[a & 7] = b; return ga0[b & 7]; }
static int (*const table[4])(int, int) = {add, mix, put, add};
static int (*ops[4])(int, int) = {mix, add, add, put};
`;

/** Names that statements may use. */
interface Scope {
  readonly ints: readonly string[];
  /** Assignable expressions. */
  readonly places: readonly string[];
  readonly structs: readonly string[];
  readonly chars: readonly string[];
  /** Pointers to eight ints. */
  readonly rows: readonly string[];
  /** Pointers to ints that live as long as the program, and any pointers. */
  readonly lasting: readonly string[];
  readonly pointers: readonly string[];
  readonly structPointers: readonly string[];
  readonly unions: readonly string[];
}

/** @param functions number of functions besides `main` */
export function randomC(random: Random, functions: number): string {
  const signatures = Array.from(
    { length: functions },
    (_, at): Signature => ({ name: `f${at}`, kind: random.pick(kinds) }),
  );
  const recursive = signatures.filter(({ kind }) => kind === 'recursive');
  const bodies = signatures.map((signature, at) =>
    // Functions call earlier ones only, so that recursion always counts its depth.
    new FunctionWriter(random, signature, [
      ...signatures.slice(Math.max(0, at - 6), at),
      ...recursive,
    ]).write(),
  );
  return [
    prelude,
    ...recursive.map(({ name }) => `${heads.recursive(name)};`),
    ...bodies,
    mainOf(random, signatures),
    '',
  ].join('\n');
}

function mainOf(random: Random, signatures: readonly Signature[]): string {
  const writer = new FunctionWriter(random, { name: 'main', kind: 'plain' }, []);
  const calls = signatures.flatMap((signature) =>
    [0, 1].map(() => `  fuel = 40; sum += ${writer.callOf(signature, false)};`),
  );
  return [
    'int main(void) {',
    '  int sum = 0, a = 3, b = 5, depth = 2;',
    ...locals.map((line) => `  ${line}`),
    ...calls,
    '  return sum & 63;',
    '}',
  ].join('\n');
}

const locals = [
  'int x0 = 1, x1 = 2, x2 = 3;',
  'int la0[8] = {1, 2, 3, 4, 5, 6, 7, 8}; int la1[8] = {0};',
  'struct S ls0 = {.x = 1, .p = &x2, .next = &gs0}; struct S ls1 = gs1;',
  'struct Pair lp = {1, 2}; union U lu = {7}; char lc[8] = {1, 2, 3};',
  'int *p0 = &x2, *p1 = &g1, *q0 = la0, *q1 = ga1; struct S *sp0 = &ls0, *sp1 = &gs1;',
  'int **pp0 = &p0; int (*fp0)(int, int) = add;',
  '(void)lp; (void)lu; (void)lc; (void)p1; (void)q0; (void)q1; (void)sp1; (void)pp0; (void)fp0; (void)la1;',
] as const;

const commonScope: Scope = {
  ints: [
    'x0',
    'x1',
    'x2',
    'g0',
    'g1',
    'g2',
    'lp.first',
    'lp.second',
    '*p0',
    '*p1',
    '**pp0',
    '*gp',
    '**gpp',
    'a',
  ],
  places: [
    'x0',
    'x1',
    'x2',
    'g0',
    'g1',
    'g2',
    'lp.first',
    'lp.second',
    '*p0',
    '*p1',
    '**pp0',
    '*gp',
    '**gpp',
  ],
  structs: ['ls0', 'ls1', 'gs0', 'gs1', '*sp0', '*sp1', '*sp0->next', '*gs0.next'],
  chars: ['lc', 'ls0.buf', 'sp0->buf', 'gs1.buf'],
  rows: ['la0', 'la1', 'ga0', 'ga1', 'q0', 'q1', 'gq', 'ls0.d', 'sp1->d', 'gs0.d'],
  lasting: [
    '&g0',
    '&g1',
    '&g2',
    '&ga0[3]',
    '&gs0.x',
    '&gs1.in.u',
    '&gs0.d[2]',
    'gp',
    '*gpp',
    '&matrix[1][2]',
  ],
  pointers: [
    '&x0',
    '&x2',
    'p0',
    'p1',
    '&la0[5]',
    '&ls0.x',
    '&ls1.in.u',
    '&sp0->d[1]',
    '*pp0',
    'sp1->p',
    '&lu.i',
  ],
  structPointers: ['&ls0', '&ls1', '&gs0', '&gs1', 'sp0', 'sp1', 'sp0->next', 'gs1.next'],
  unions: ['lu', 'gu'],
};

const parameterScopes: Readonly<Record<Kind, Partial<Scope>>> = {
  plain: { ints: ['b'], places: ['b'] },
  pointer: { ints: ['*p'], places: ['*p', 'a'], pointers: ['p'] },
  array: { rows: ['q'], ints: ['q[2]'], places: ['q[3]'] },
  struct: {
    structs: ['*sp'],
    structPointers: ['sp'],
    ints: ['sp->x', '*sp->p'],
    places: ['sp->x', '*sp->p'],
  },
  'by value': { structs: ['s'], structPointers: ['&s'], ints: ['s.x', 's.in.u'], places: ['s.x', 's.y'] },
  'returns struct': { structs: ['*sp'], structPointers: ['sp'], rows: ['sp->d'] },
  'returns pair': { ints: ['b'], pointers: ['&b'] },
  'two levels': { ints: ['**pp'], places: ['**pp'], pointers: ['*pp'] },
  recursive: { ints: ['*p', 'depth'], places: ['*p'], pointers: ['p'] },
  'returns pointer': { ints: ['*p'], places: ['*p'], pointers: ['p'] },
};

class FunctionWriter {
  readonly #scope: Scope;
  #counters = 0;
  #labels = 0;

  constructor(
    private readonly random: Random,
    private readonly signature: Signature,
    private readonly callable: readonly Signature[],
  ) {
    const own = parameterScopes[signature.kind];
    this.#scope = Object.fromEntries(
      Object.entries(commonScope).map(([name, items]) => [
        name,
        [...items, ...(own[name as keyof Scope] ?? [])],
      ]),
    ) as unknown as Scope;
  }

  write(): string {
    const { name, kind } = this.signature;
    const statements = this.#statements(3, this.random.between(4, 8), false);
    const counters = Array.from({ length: this.#counters }, (_, at) => `int i${at} = 0; (void)i${at};`);
    return [
      `${heads[kind](name)} {`,
      ...[...locals, ...counters].map((line) => `  ${line}`),
      `  if (fuel-- <= 0) return ${outOfFuel[kind] ?? 'a'};`,
      ...statements.map((line) => `  ${line}`),
      `  ${this.#return()}`,
      '}',
    ].join('\n');
  }

  #pick(list: keyof Scope): string {
    return this.random.pick(this.#scope[list]);
  }

  #return(): string {
    const { kind } = this.signature;
    if (kind === 'returns struct')
      return `{ ls1 = *sp; ls1.x = ${this.#int(1)}; ls1.p = &g0; ls1.next = &gs0; return ls1; }`;
    if (kind === 'returns pair') return `{ lp.first = ${this.#int(1)}; return lp; }`;
    if (kind === 'returns pointer') return `return ${this.random.pick(['p', 'p', ...this.#scope.lasting])};`;
    return `return ${this.#int(2)};`;
  }

  /** A call as an int expression. @param isDeeper decreases the depth of a recursive call */
  callOf({ name, kind }: Signature, isDeeper = true): string {
    const a = this.#int(1);
    switch (kind) {
      case 'plain':
        return `${name}(${a}, ${this.#int(1)})`;
      case 'pointer':
        return `${name}(${this.#pointer()}, ${a})`;
      case 'array':
        return `${name}(${this.#pick('rows')}, ${a})`;
      case 'struct':
        return `${name}(${this.#pick('structPointers')}, ${a})`;
      case 'by value':
        return `${name}(${this.#pick('structs')}, ${a})`;
      case 'returns struct':
        return `${name}(${this.#pick('structPointers')}, ${a}).${this.random.pick(['x', 'in.u', 'y'])}`;
      case 'returns pair':
        return `${name}(${a}, ${this.#int(0)}).${this.random.pick(['first', 'second'])}`;
      case 'two levels':
        return `${name}(${this.random.pick(['&p0', '&p1', 'pp0', '&gp', 'gpp', '&ls0.p', '&gs1.p'])}, ${a})`;
      case 'recursive': {
        const depth = !isDeeper ? '3' : this.signature.kind === 'recursive' ? 'depth - 1' : '2';
        const call = `${name}(${depth}, ${this.#pointer()}, ${a})`;
        return this.signature.kind === 'recursive' ? `(depth > 0 ? ${call} : ${this.#int(0)})` : call;
      }
      case 'returns pointer':
        return `*${name}(${this.#pointer()}, ${a})`;
    }
  }

  #pointer(): string {
    return this.random.chance(0.3) ? this.#pick('lasting') : this.#pick('pointers');
  }

  #place(): string {
    const { random } = this;
    const way = random.below(9);
    if (way < 3) return this.#pick('places');
    if (way === 3) return `${this.#pick('rows')}[${this.#index()}]`;
    if (way === 4)
      return `(${this.#pick('structs')}).${random.pick(['x', 'in.u', 'in.h', 'y', 'd[1]', 'in.c'])}`;
    if (way === 5)
      return `(${this.#pick('structPointers')})->${random.pick(['x', 'in.u', 'y', `d[${this.#index()}]`])}`;
    if (way === 6)
      return `${this.#pick('unions')}.${random.pick(['i', 'b[1]', `b[${this.#int(0)} & 3]`, 'h[0]', 's.high'])}`;
    if (way === 7) return `${this.#pick('chars')}[${this.#index()}]`;
    return `matrix[${random.below(3)}][${this.#int(0)} & 3]`;
  }

  #index(): string {
    return this.random.chance(0.5) ? String(this.random.below(8)) : `${this.#int(0)} & 7`;
  }

  #int(depth: number): string {
    const { random } = this;
    if (depth === 0 || random.chance(0.2))
      return random.chance(0.3) ? String(random.between(-9, 99)) : this.#pick('ints');
    const way = random.below(12);
    const [left, right] = [this.#int(depth - 1), this.#int(depth - 1)];
    if (way < 3) return `(${left} ${random.pick(['+', '-', '*', '&', '|', '^'])} ${right})`;
    if (way === 3) return `(${left} ${random.pick(['%', '/'])} (1 + (7 & ${right})))`;
    if (way === 4) return `(${left} ${random.pick(['&&', '||'])} ${right})`;
    if (way === 5) return `(${left} ${random.pick(['<', '==', '!=', '>='])} ${right})`;
    if (way === 6) return `(${left} ? ${right} : ${this.#int(0)})`;
    if (way === 7) return `(${left} << (${right} & 7))`;
    if (way === 8 && this.callable.length > 0) return this.callOf(random.pick(this.callable));
    if (way === 9) return `${random.pick(['fp0', 'table[x1 & 3]', 'ops[g0 & 3]', 'add'])}(${left}, ${right})`;
    if (way === 10) return `*(${this.#pick('rows')} + (${left} & 7))`;
    return `(int)${this.#place()}`;
  }

  /** @param isLooped `break` and `continue` are allowed */
  #statements(depth: number, count: number, isLooped: boolean): string[] {
    const lines: string[] = [];
    for (let left = count; left > 0; left--) {
      if (left > 2 && this.random.chance(0.08)) {
        // Jumps over some of the following statements.
        const label = `L${this.#labels++}`;
        const skipped = this.random.between(1, left - 1);
        lines.push(`if (${this.#int(1)}) goto ${label};`);
        lines.push(...this.#statements(depth, skipped, isLooped), `${label}:;`);
        left -= skipped;
      } else lines.push(...this.#statement(depth, isLooped));
    }
    return lines;
  }

  #statement(depth: number, isLooped: boolean): string[] {
    const { random } = this;
    const way = random.below(depth === 0 ? 8 : 13);
    if (way < 3) return [`${this.#place()} ${random.pick(['=', '=', '+=', '^='])} ${this.#int(2)};`];
    if (way === 3) return [this.#pointerAssignment()];
    if (way === 4) return this.#structAssignment();
    if (way === 5) return [this.#memoryCall()];
    if (way === 6)
      return isLooped
        ? [`if (${this.#int(1)}) ${random.pick(['break', 'continue'])};`]
        : [`x0 = ${this.#int(2)};`];
    if (way === 7)
      return random.chance(0.2) ? [`if (${this.#int(1)}) ${this.#return()}`] : [`x1 += ${this.#int(2)};`];
    if (way < 10) return this.#branch(depth, isLooped);
    if (way === 12) return this.#switch(depth);
    return this.#loop(depth);
  }

  #branch(depth: number, isLooped: boolean): string[] {
    const then = indented(this.#statements(depth - 1, this.random.between(1, 3), isLooped));
    const head = `if (${this.#int(2)}) {`;
    if (this.random.chance(0.4)) return [head, ...then, '}'];
    return [head, ...then, '} else {', ...indented(this.#statements(depth - 1, 2, isLooped)), '}'];
  }

  #loop(depth: number): string[] {
    const counter = `i${this.#counters++}`;
    const times = this.random.between(1, 4);
    const body = indented(this.#statements(depth - 1, this.random.between(1, 3), true));
    const way = this.random.below(4);
    if (way === 0) return [`for (${counter} = 0; ${counter} < ${times}; ${counter}++) {`, ...body, '}'];
    if (way === 1)
      return [`${counter} = ${times};`, `while (${counter}-- > 0 && ${this.#int(1)}) {`, ...body, '}'];
    if (way === 2) return [`${counter} = ${times};`, 'do {', ...body, `} while (--${counter} > 0);`];
    return [`${counter} = ${times};`, 'for (;;) {', `  if (${counter}-- == 0) break;`, ...body, '}'];
  }

  #switch(depth: number): string[] {
    const cases = Array.from({ length: this.random.between(1, 4) }, (_, at) => [
      `case ${at}:`,
      ...indented(this.#statements(depth - 1, 1, false)),
      ...(this.random.chance(0.6) ? ['  break;'] : []),
    ]);
    const fallback = this.random.chance(0.5)
      ? ['default:', ...indented(this.#statements(depth - 1, 1, false))]
      : [];
    return [`switch (${this.#int(1)} & 7) {`, ...cases.flat(), ...fallback, '}'];
  }

  #pointerAssignment(): string {
    const { random } = this;
    const way = random.below(10);
    if (way === 0) return `${random.pick(['p0', 'p1'])} = ${this.#pointer()};`;
    if (way === 1) return `${random.pick(['q0', 'q1'])} = ${this.#pick('rows')};`;
    if (way === 2) return `${random.pick(['sp0', 'sp1'])} = ${this.#pick('structPointers')};`;
    // Memory that may outlive this activation gets only pointers that do so too.
    if (way === 3)
      return `${random.pick(['gp', '*gpp', '*pp0', 'sp0->p', 'gs1.p'])} = ${this.#lastingPointer()};`;
    if (way === 4) return `ls0.p = ${this.#pointer()};`;
    if (way === 5)
      return `${random.pick(['sp1->next', 'gs0.next', 'ls1.next'])} = ${random.pick(['&gs0', '&gs1', 'gs0.next'])};`;
    if (way === 6) return `pp0 = ${random.pick(['&p0', '&p1', '&gp', '&ls0.p', '&gs0.p'])};`;
    if (way === 7) return `${random.pick(['q1', 'gq'])} = (int *)calloc(8, sizeof(int));`;
    if (way === 8)
      return `{ sp1 = (struct S *)malloc(sizeof(struct S)); *sp1 = gs0; sp1->x = ${this.#int(1)}; }`;
    const called = random.pick(['add', 'mix', 'put', 'table[x2 & 3]']);
    return `${random.pick(['fp0', `ops[${random.below(4)}]`, `ops[${this.#int(0)} & 3]`])} = ${called};`;
  }

  /** Pointers in memory of a caller may not live long enough. */
  #lastingPointer(): string {
    return this.random.pick(this.#scope.lasting.filter((pointer) => pointer.startsWith('&')));
  }

  #structAssignment(): string[] {
    const [to, from] = [this.#pick('structs'), this.#pick('structs')];
    const copied = this.random.chance(0.5)
      ? `${to} = ${from};`
      : `memmove(&(${to}), &(${from}), sizeof(struct S));`;
    return [copied, `(${to}).p = ${this.#lastingPointer()};`, `(${to}).next = &gs1;`];
  }

  #memoryCall(): string {
    const { random } = this;
    const way = random.below(4);
    const bytes = random.pick([4, 8, 12, 32]);
    if (way === 0) return `memmove(${this.#pick('rows')}, ${this.#pick('rows')}, ${bytes});`;
    if (way === 1) return `memset(${this.#pick('rows')}, ${this.#int(0)}, ${bytes});`;
    if (way === 2)
      return `memcpy(la1, ${random.pick(['la0', 'ga0', 'ga1'])} + 2, ${random.pick([4, 16, 24])});`;
    return `memmove(${this.#pick('chars')}, ${this.#pick('chars')}, (${this.#int(0)}) & 7);`;
  }
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
