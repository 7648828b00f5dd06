import { expect, test } from 'vitest';
import { Locations, type MemoryObject, noOwner } from '../../../src/program/dependence/memory/objects.js';
import { anywhere, covers, single } from '../../../src/program/dependence/memory/offsets.js';
import { PointsTo } from '../../../src/program/dependence/memory/points-to.js';
import { programMemory } from '../../../src/program/dependence/memory/program-memory.js';
import { Program, readModule, sourceLine } from '../../../src/program/ir/index.js';
import { compileC } from './compile.js';

/** For each line that ends with a comment: the global variables, with offsets, that it reads and writes. */
const examples: Readonly<Record<string, string>> = {
  'constant offsets are exact': `
    struct S { int x; struct { short u, v; } in; int *p; } s, t[3];
    int a[4];
    int main(void) {
      int *p = a;
      *p = 1;             // a@0
      p[2] = 1;           // a@8
      *(p + 3) = 1;       // a@12
      s.in.v = 1;         // s@6
      struct S *q = &t[1], *r = q + 1;
      q->in.u = 1;        // t@20
      r->x = 1;           // t@32
      return 0;
    }`,
  'an unknown index stays in its array': `
    struct S { int x; int d[4]; int y; } s, t[3];
    int a[4];
    int main(int n, char **v) {
      a[n] = 1;           // a@0+4..12
      s.d[n] = 1;         // s@4+4..16
      t[n].y = 1;         // t@20+24..68
      t[n].d[n] = 1;      // t@4+4..64
      int *p = a;
      p[n] = 1;           // a@0+4..
      return 0;
    }`,
  'a pointer that steps back may start one past the last element': `
    int a[4];
    int main(int n, char **v) {
      int *p = &a[n];
      p[-1] = 1;          // a@-4+4..12
      *(p - 2) = 1;       // a@-8+4..8
      return 0;
    }`,
  'a pointer in a loop reaches the end of its object': `
    char text[100];
    int main(void) {
      char *p = text;
      while (*p)          // text@0+1..
        p++;
      return 0;
    }`,
  'integers may hold pointers': `
    int a[4], b;
    int main(void) {
      unsigned long m = (unsigned long)a, n = m + 8;
      *(int *)n = 1;      // a@8
      unsigned long tagged = (unsigned long)&b | 1;
      *(int *)(tagged & ~1ul) = 1; // b@0+1..
      char bytes[8];
      int *p = &b, *q;
      for (int i = 0; i < 8; i++) ((char *)&q)[i] = ((char *)&p)[i];
      *q = 2;             // b@0
      return 0;
    }`,
  'copies transfer pointers': `
    #include <string.h>
    int a, b, c;
    struct S { int *p; int *q; } s, t;
    int main(void) {
      s.p = &a;           // s@0
      s.q = &b;           // s@8
      struct S u;
      memcpy(&u, &s, sizeof u); // s@0
      *u.q = 1;           // b@0
      t = u;              // t@0
      *t.p = 1;           // a@0 b@0 t@0
      struct S *h = &t;
      memmove(&h->p, &h->q, sizeof(int *)); // t@0 t@8
      *t.p = 1;           // a@0 b@0 t@0
      return 0;
    }`,
  'calls bind arguments and results': `
    int a, b;
    int *same(int *p) { return p; }
    int *swapped(int **x, int **y) { int *z = *x; *x = *y; *y = z; return z; }
    int *(*fn)(int *) = same;
    int main(void) {
      int *p = same(&a), *q = &b;
      *p = 1;             // a@0 b@0
      swapped(&p, &q);
      *q = 1;             // a@0 b@0
      *fn(&b) = 1;        // a@0 b@0 fn@0
      return 0;
    }`,
  'an indirect call reaches only functions of a compatible type': `
    int a, b;
    void set(int *p) {
      *p = 1;             // a@0
    }
    void other(double d, int *p) {
      *p = 2;             // b@0
    }
    void *table[2] = {set, other};
    int main(int n, char **v) {
      ((void (*)(int *))table[n])(&a); // table@0+8..8
      ((void (*)(double, int *))table[n])(1.0, &b); // table@0+8..8
      return 0;
    }`,
  'library functions have their memory effects': `
    #include <stdlib.h>
    #include <string.h>
    char a[8], b[8];
    int x, y;
    int compare(const void *p, const void *q) {
      return *(int *)p - *(int *)q; // x@0+4..
    }
    int main(void) {
      *strcpy(a, b) = 1;  // a@0 b@0
      *strchr(b, 'c') = 1; // b@0 b@0+1..
      char *end;
      strtol(a, &end, 10); // a@0
      *end = 1;           // a@0+1..
      int **box = malloc(8), **more;
      *box = &y;
      more = realloc(box, 16);
      **more = 1;         // y@0
      qsort(&x, 1, 4, compare); // x@0
      return 0;
    }`,
  'qsort and bsearch pass any element, and qsort moves their contents': `
    #include <stdlib.h>
    struct Item { int key; int *value; } items[3];
    int x;
    int compare(const void *a, const void *b) {
      const struct Item *p = a, *q = b;
      return p->key - q->key; // items@0+16..
    }
    int main(void) {
      items[1].value = &x; // items@24
      qsort(items, 3, sizeof *items, compare); // items@0
      *items[0].value = 1; // items@8 x@0
      struct Item wanted, *found;
      found = bsearch(&wanted, items, 3, sizeof *items, compare); // items@0
      found->key = 1;     // items@0+16..
      return 0;
    }`,
  'a cast of an object may access any part of it': `
    void *__dynamic_cast(const void *, const void *, const void *, long);
    struct Both { int a; int b; } both;
    int main(void) {
      int *p = &both.b;
      int *q = __dynamic_cast(p, 0, 0, 0); // both@4
      *q = 1;             // both@0+1..
      return 0;
    }`,
};

test.each(Object.entries(examples))('%s', (_, source) => {
  const program = new Program([readModule(compileC(source))]);
  const { outlines, pointsTo } = programMemory(program);
  const { locations } = pointsTo;
  const found = new Map<number, Set<string>>();
  for (const { accesses, calls, locations: lines, fn } of outlines) {
    const all = [
      ...accesses,
      ...calls.flatMap(({ at, accesses: own }) => own.map(({ pointer }) => ({ at, pointer }))),
    ];
    for (const { at, pointer } of all) {
      const line = sourceLine(fn.module.debug, lines.get(at), '')?.line ?? 0;
      for (const location of pointsTo.targets(pointer)) {
        const { kind, name, isConstant } = locations.object(locations.objectOf(location));
        const { first, step, last } = locations.offsetsOf(location);
        if (kind !== 'global' || isConstant) continue;
        const row = step === 0 ? '' : `+${step}..${Number.isFinite(last) ? last : ''}`;
        found.set(line, (found.get(line) ?? new Set()).add(`${name}@${first}${row}`));
      }
    }
  }
  const lines = source.split('\n');
  const expected = lines.flatMap((line, at) => {
    const comment = /\/\/ (.*)$/.exec(line)?.[1];
    return comment === undefined ? [] : [[at + 1, comment]];
  });
  const shown = expected.map(([line]) => [line, [...(found.get(Number(line)) ?? [])].toSorted().join(' ')]);
  expect(shown).toEqual(expected);
});

test('a pointer to many offsets of an object points to all of them after they are merged', () => {
  const locations = new Locations();
  const object: MemoryObject = {
    kind: 'global',
    name: 'text',
    size: 64,
    owner: noOwner,
    isSingle: true,
    isConstant: false,
  };
  const pointsTo = new PointsTo(locations, locations.add({ ...object, kind: 'unknown' }));
  const text = locations.add(object);
  const node = pointsTo.newNode();
  const apart = Array.from({ length: 31 }, (_, at) => single(at));
  // The result of strchr(text - 1, c).
  const from = { first: -1, step: 1, last: Number.POSITIVE_INFINITY };
  for (const offsets of [...apart, from]) pointsTo.point(node, locations.at(text, offsets));
  const found = Array.from(pointsTo.targets(node), (location) => locations.offsetsOf(location));
  for (const offsets of apart) expect(found.some((row) => covers(row, offsets))).toBe(true);
  expect(locations.at(text, from)).toBe(locations.at(text, anywhere));
});
