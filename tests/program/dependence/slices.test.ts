import { describe, expect, test } from 'vitest';
import { DependenceGraph } from '../../../src/program/dependence/dependence-graph.js';
import { type FunctionId, idOf, idsBelow, type NodeId } from '../../../src/program/graph/index.js';
import { Program, readModule } from '../../../src/program/ir/index.js';
import { expectSlice, graphOf } from './marked-slices.js';

const backward: Readonly<Record<string, string>> = {
  'excludes overwritten values': `
    int main(void) {
      int x = 1;
      x = 2;          // *
      int y = 3;
      return x;       // <
    }`,
  'distinguishes the fields of a struct': `
    struct Point { int x, y; };
    int main(void) {
      struct Point p;
      p.x = 1;        // *
      p.y = 2;
      return p.x;     // <
    }`,
  'distinguishes the fields behind a pointer': `
    #include <stdlib.h>
    struct Point { int x; struct { int u, v; } in; };
    int main(void) {
      struct Point *p = malloc(sizeof *p); // *
      p->in.u = 1;
      p->in.v = 2;    // *
      p->x = 3;
      return p->in.v; // <
    }`,
  'distinguishes elements with constant indices': `
    int main(void) {
      int a[4];
      a[0] = 1;
      a[1] = 2;       // *
      return a[1];    // <
    }`,
  'includes all elements for an unknown index': `
    int main(int n, char **v) {
      int a[4];
      int b = 7;
      a[0] = 1;       // *
      a[1] = 2;       // *
      return a[n];    // <
    }`,
  'excludes writes to an array for its neighbouring fields': `
    struct Line { int length; char text[8]; int next; };
    int main(int n, char **v) {
      struct Line l;
      l.length = 1;   // *
      l.text[n] = 2;
      l.next = 3;
      return l.length; // <
    }`,
  'excludes values overwritten through a pointer with one target': `
    int main(void) {
      int x = 1;
      int *p = &x;    // *
      *p = 2;         // *
      return x;       // <
    }`,
  'includes values possibly overwritten through a pointer with two targets': `
    int main(int n, char **v) {
      int x = 1;      // *
      int y = 2;
      int *p;
      if (n)          // *
        p = &x;       // *
      else
        p = &y;       // *
      *p = 3;         // *
      return x;       // <
    }`,
  // The points-to analysis is flow-insensitive: the pointer may still point to y.
  'follows a pointer to a pointer': `
    int main(void) {
      int x = 1;      // *
      int y = 2;      // *
      int *p = &y;
      int **q = &p;   // *
      *q = &x;        // *
      return *p;      // <
    }`,
  'includes the branch around a write': `
    int main(int n, char **v) {
      int x = 1;      // *
      int y = 2;
      if (n > 3)      // *
        x = 5;        // *
      if (n > 4)
        y = 6;
      return x;       // <
    }`,
  'includes the branch that selects a value': `
    int main(int n, char **v) {
      int a = 1;      // *
      int b = 2;
      int c = n > 3;  // *
      int *p = c ? &a : &b; // *
      *p = 3;         // *
      return a;       // <
    }`,
  'includes both sides of a logical and': `
    int main(int n, char **v) {
      int a = n > 3;  // *
      int b = n < 9;  // *
      int c = a && b; // *
      return c;       // <
    }`,
  'includes the last element for a pointer that steps back from one past it': `
    int a[4];
    int main(int n, char **v) {
      a[3] = 0;       // *
      int *p = &a[n]; // *
      int *q = p - 1; // *
      *q = 7;         // *
      return a[3];    // <
    }`,
  'includes the condition of a loop': `
    int main(int n, char **v) {
      int sum = 0;    // *
      int product = 1;
      int i = 0;      // *
      while (i < n) { // *
        sum += i;     // *
        product *= i;
        i++;          // *
      }
      return sum;     // <
    }`,
  'distinguishes the calls of a function': `
    int twice(int x) {
      return 2 * x;   // *
    }
    int main(void) {
      int a = 1;
      int b = 2;      // *
      int c = twice(a);
      int d = twice(b); // *
      return d;       // <
    }`,
  'excludes arguments that do not influence the result': `
    int first(int x, int y) {
      return x;       // *
    }
    int main(void) {
      int a = 1;      // *
      int b = 2;
      return first(a, b); // <
    }`,
  // A write through a pointer with several targets overwrites none of them for certain.
  "includes a callee's write through a pointer": `
    void set(int *p, int v) {
      *p = v;         // *
    }
    int main(void) {
      int x = 1;      // *
      int y = 2;
      set(&y, 4);
      set(&x, 3);     // *
      return x;       // <
    }`,
  'excludes values overwritten through a pointer that is the same in all calls': `
    void set(int *p, int v) {
      *p = v;         // *
    }
    int main(void) {
      int x = 1;
      set(&x, 3);     // *
      return x;       // <
    }`,
  'follows a global variable from one function to another': `
    int limit, other;
    void start(int n) {
      limit = n;      // *
      other = 2;
    }
    int check(void) {
      return limit;   // *
    }
    int main(int n, char **v) {
      limit = 9;
      start(n);       // *
      other = 5;
      return check(); // <
    }`,
  'includes the old value if a callee may not overwrite it': `
    int level;
    void raise(int n) {
      if (n)          // *
        level = 2;    // *
    }
    int main(int n, char **v) {
      level = 1;      // *
      raise(n);       // *
      return level;   // <
    }`,
  'follows a call through a pointer': `
    int up(int x) {
      return x + 1;   // *
    }
    int down(int x) {
      return x - 1;
    }
    int (*table[2])(int);
    int main(void) {
      int unused = down(4);
      table[0] = up;  // *
      return table[0](3); // <
    }`,
  // A copy is a single value that depends on the whole source.
  'includes all fields for a copy of a struct': `
    struct Pair { int a, b; };
    int main(void) {
      struct Pair p, q;
      p.a = 1;        // *
      p.b = 2;        // *
      q.a = 3;
      q.b = 4;
      q = p;          // *
      return q.b;     // <
    }`,
  "excludes a callee's writes to its copy of a struct": `
    struct Big { long a[6]; long b; };
    long last(struct Big s) {
      s.a[0] = 5;
      return s.b;     // *
    }
    int main(void) {
      struct Big s;
      s.a[0] = 1;
      s.b = 2;        // *
      return last(s); // <
    }`,
  strings: `
    #include <stdio.h>
    #include <string.h>
    int main(void) {
      char a[8], b[8], c[8];
      strcpy(a, "x");  // *
      strcpy(c, "z");
      strcpy(b, a);    // *
      puts(b);         // <
      return 0;
    }`,
  'follows unnamed arguments': `
    #include <stdarg.h>
    int second(int n, ...) {
      va_list list;
      va_start(list, n);        // *
      int found = va_arg(list, int); // *
      va_end(list);
      return found;             // *
    }
    int main(void) {
      int a = 1;                // *
      int b = 2;
      return second(b, a);      // <
    }`,
  'follows a struct as an unnamed argument': `
    #include <stdarg.h>
    struct Big { long a, b, c; };
    long middle(int n, ...) {
      va_list list;
      va_start(list, n);        // *
      struct Big s = va_arg(list, struct Big); // *
      return s.b;               // *
    }
    int main(void) {
      struct Big s, t;
      s.b = 2;                  // *
      t.b = 3;
      return middle(1, s);      // <
    }`,
  'includes the comparison function of qsort': `
    #include <stdlib.h>
    int rising;
    int compare(const void *a, const void *b) {
      if (rising)               // *
        return *(int *)a - *(int *)b; // *
      return *(int *)b - *(int *)a;   // *
    }                           // *
    int main(int n, char **v) {
      int a[3] = {3, 1, 2};     // *
      int other[2] = {1, 2};
      rising = n;               // *
      qsort(a, 3, sizeof *a, compare); // *
      return a[0];              // <
    }`,
  'includes values that one call of a callback leaves for the next': `
    #include <stdlib.h>
    static int last;
    int compare(const void *a, const void *b) {
      int before = last;        // *
      last = *(int *)a;         // *
      return before;            // *
    }
    int main(int n, char **v) {
      int a[3] = {3, 1, 2};     // *
      qsort(a, 3, sizeof *a, compare); // *
      return a[0];              // <
    }`,
  'includes all memory that unknown code can access': `
    void unknown(int *);
    static int hidden;
    int known;
    int main(void) {
      int x = 1;       // *
      int y = 2;
      hidden = 3;
      known = 4;       // *
      unknown(&x);     // *
      return x;        // <
    }`,
  'follows a recursive function': `
    int depth;
    int down(int n, int *p) {
      if (n == 0)               // *
        return *p;              // *
      depth++;
      int x = n;                // *
      return down(n - 1, &x);   // *
    }                           // *
    int main(int n, char **v) {
      int y = 5;                // *
      int z = 6;
      return down(n, &y);       // <
    }`,
  'includes a local variable that the next activation accesses through a struct by value': `
    struct Context { int *found; long a, b; };
    int walk(struct Context c, int n) {
      int found = 0;            // *
      if (n == 0) {             // *
        *c.found = 1;           // *
        return 0;               // *
      }
      c.found = &found;         // *
      walk(c, n - 1);           // *
      return found;             // *
    }                           // *
    int main(int n, char **v) {
      int first;
      struct Context c;
      c.found = &first;
      return walk(c, n);        // <
    }`,
  'includes a local variable that the next activation accesses through unnamed arguments': `
    #include <stdarg.h>
    int walk(int n, ...) {
      va_list list;
      va_start(list, n);        // *
      int found = 0;            // *
      if (n == 0) {             // *
        *va_arg(list, int *) = 1; // *
        return 0;               // *
      }
      walk(n - 1, &found);      // *
      return found;             // *
    }                           // *
    int main(int n, char **v) {
      int first;
      return walk(n, &first);   // <
    }`,
};

const forward: Readonly<Record<string, string>> = {
  'includes everything a value influences': `
    int main(int n, char **v) {
      int x = 1;      // <
      int y = x + n;  // *
      int z = n;
      if (y)          // *
        z = 2;        // *
      return z;       // *
    }`,
  'stops at overwritten values': `
    int main(void) {
      int x = 1;      // <
      int y = x;      // *
      x = 2;
      return x;
    }`,
  'returns from a callee to the same call only': `
    int twice(int x) {
      return 2 * x;   // *
    }
    int main(void) {
      int a = 1;      // <
      int b = 2;
      int c = twice(a); // *
      int d = twice(b);
      return d;
    }`,
  'continues to all callers if it starts inside a function': `
    int state;
    void set(int v) {
      state = v;      // <
    }
    int get(void) {
      return state;   // *
    }
    int main(void) {
      int other = 3;
      set(1);
      return get();   // *
    }`,
  'excludes neighbouring fields': `
    struct Point { int x, y; };
    void move(struct Point *p, int by) {
      p->x += by;     // *
    }
    int main(void) {
      struct Point p;
      int far = 3;    // <
      p.x = 1;
      p.y = 2;
      move(&p, far);  // *
      int a = p.x;    // *
      int b = p.y;
      return a;       // *
    }`,
};

describe('a backward slice', () => {
  test.each(Object.entries(backward))('%s', (_, source) => expectSlice(source, 'backwardSlice'));
});

describe('a forward slice', () => {
  test.each(Object.entries(forward))('%s', (_, source) => expectSlice(source, 'forwardSlice'));
});

test('outputs print, end the program or return from main', () => {
  const source = `#include <stdio.h>
    #include <stdlib.h>
    int quiet(void) { return 1; }
    int main(void) {
      printf("a");
      if (quiet()) exit(1);
      fputs("b", stderr);
      return 0;
    }`;
  const graph = graphOf(source);
  expect(graph.linesOf(graph.outputs()).map(({ line }) => line)).toEqual([5, 6, 7, 8]);
  expect(graph.outputs().every((node) => graph.isOutput(node))).toBe(true);
});

test('nodes are numbered through all functions in the order of their instructions', () => {
  const graph = graphOf('int f(int x) { return x; } int main(void) { return f(1); }');
  const positions = Array.from(idsBelow<NodeId>(graph.instructionCount), (node) => {
    const position = graph.positionOf(node);
    expect(position && graph.nodeOf(position.functionId, position.block, position.at)).toBe(node);
    expect(graph.roleOf(node)).toBe('instruction');
    return position;
  });
  expect(positions.filter((position) => position?.functionId === 1).length).toBeGreaterThan(1);
  expect(graph.instructionOf(idOf(graph.instructionCount - 1))?.op).toBe('ret');
});

test('the entry of a function depends on its calls, and unconditional code depends on the entry', () => {
  const graph = graphOf('int f(void) { return 1; } int main(void) { return f() + f(); }');
  const first = idOf<FunctionId>(0);
  const calls = [...graph.dependsOn(graph.entryOf(first))];
  expect(calls.map(({ node, kind }) => [graph.instructionOf(node)?.op, kind])).toEqual([
    ['call', 'control'],
    ['call', 'control'],
  ]);
  const decided = Array.from(
    graph.dependents(graph.entryOf(first)),
    ({ node }) => graph.instructionOf(node)?.op,
  );
  expect(decided).toEqual(['ret']);
});

test('dependsOn and dependents agree', () => {
  const graph = graphOf(Object.values(backward)[15] ?? '');
  const { nodes } = graph.complete();
  const ways = (
    connected: (node: NodeId) => Iterable<{ node: NodeId; kind: string }>,
    isBack: boolean,
  ): string[] =>
    Array.from(idsBelow<NodeId>(nodes), (node) =>
      Array.from(connected(node), ({ node: other, kind }) =>
        isBack ? `${node} on ${other} ${kind}` : `${other} on ${node} ${kind}`,
      ),
    )
      .flat()
      .toSorted();
  expect(ways((node) => graph.dependents(node), false)).toEqual(ways((node) => graph.dependsOn(node), true));
});

test('a call of an ifunc may reach each of its choices', () => {
  const source = `
    static int one (int x) { return x + 1; }
    static int two (int x) { return x * 2; }
    static int flag;
    static int (*choose (void)) (int) { return flag ? one : two; }
    int either (int x) __attribute__ ((ifunc ("choose")));
    int main (int n, char **v) { return either (n); }`;
  const graph = graphOf(source);
  const returned = graph.outputs().slice(-1);
  const names = new Set(
    [...graph.backwardSlice(returned)].map(
      (node) => graph.program.functions[graph.functionOf(node)]?.declared.name,
    ),
  );
  expect([...names]).toEqual(expect.arrayContaining(['main', 'one', 'two']));
});

test('an unreadable instruction may do anything to the globals it names', () => {
  const ir = `@kept = internal global i32 1
define i32 @main() {
  store i32 2, ptr @kept
  conjure ptr @kept
  %1 = load i32, ptr @kept
  ret i32 %1
}
`;
  const graph = new DependenceGraph(new Program([readModule(ir)]));
  expect([...graph.backwardSlice([graph.nodeOf(idOf(0), 0, 3)])].toSorted()).toEqual([0, 1, 2, 3]);
});
