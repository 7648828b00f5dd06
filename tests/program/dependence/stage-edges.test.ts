import { describe, expect, test } from 'vitest';
import { idsBelow, type NodeId } from '../../../src/program/graph/index.js';
import { expectSlice, graphOf } from './marked-slices.js';

const backward: Readonly<Record<string, string>> = {
  'includes constructors that run before main': `
    static int limit, other;
    __attribute__((constructor)) static void start(void) {
      limit = 3;          // *
      other = 4;
    }
    int main(void) {
      return limit;       // <
    }`,
  'includes values that main leaves for an exit handler': `
    #include <stdio.h>
    #include <stdlib.h>
    static int count;
    static void report(void) {
      printf("%d", count); // <
    }
    int main(int n, char **v) {
      int other = 3;
      count = 1;
      atexit(report);     // *
      count = 2;          // *
      return 0;
    }`,
  'includes values that an exit handler reads at each end of the program': `
    #include <stdio.h>
    #include <stdlib.h>
    static int count;
    static void report(void) {
      printf("%d", count); // <
    }                     // *
    int main(int n, char **v) {
      atexit(report);     // *
      count = 1;          // *
      if (n > 3)          // *
        exit(1);          // *
      count = 2;          // *
      return 0;
    }`,
  'includes the argument of an exit handler': `
    #include <stdio.h>
    #include <stdlib.h>
    int on_exit(void (*)(int, void *), void *);
    static int first, second;
    static void report(int status, void *number) {
      printf("%d", *(int *)number); // <
    }
    int main(int n, char **v) {
      first = 1;          // *
      second = 2;
      on_exit(report, &first); // *
      return 0;
    }`,
  'includes values that main leaves for a destructor': `
    #include <stdio.h>
    static int count, other;
    __attribute__((destructor)) static void report(void) {
      printf("%d", count); // <
    }
    int main(void) {
      other = 1;
      count = 2;          // *
      return 0;
    }`,
  'includes values that one exit handler leaves for another at each end of the program': `
    #include <stdio.h>
    #include <stdlib.h>
    static int count, total, other;
    static void report(void) {
      printf("%d", total); // <
    }                     // *
    static void add(void) {
      total = count;      // *
      other = 1;
    }                     // *
    static void fail(int code) {
      if (code > 1)       // *
        exit(code);       // *
    }
    int main(int n, char **v) {
      atexit(report);     // *
      atexit(add);        // *
      count = n;          // *
      fail(n);            // *
      count = 3;          // *
      return 0;
    }`,
  'excludes exit handlers that run only after a callee ended the program': `
    #include <stdlib.h>
    static int level;
    static void clean(void) {
      level = 9;
    }
    static void check(int n) {
      if (n > 3)
        exit(1);
    }
    int main(int n, char **v) {
      atexit(clean);
      level = 2;          // *
      check(n);
      return level;       // <
    }`,
  'includes values that functions of a library leave for one another': `
    static int count, other;
    void add(int by) {
      count += by;        // *
      other = by;
    }
    void change(void) {
      other = 1;
    }
    int get(void) {
      return count;       // <
    }`,
};

const forward: Readonly<Record<string, string>> = {
  'includes exit handlers that read a value': `
    #include <stdio.h>
    #include <stdlib.h>
    static int count;
    static void report(void) {
      printf("%d", count); // *
    }
    int main(int n, char **v) {
      atexit(report);
      count = 2;          // <
      return 0;
    }`,
  'includes an exit handler for its registration': `
    #include <stdio.h>
    #include <stdlib.h>
    static int count;
    static void report(void) {
      printf("%d", count); // *
    }                     // *
    int main(int n, char **v) {
      atexit(report);     // <
      count = 2;
      return 0;
    }`,
  'includes exit handlers that run after a callee ended the program': `
    #include <stdio.h>
    #include <stdlib.h>
    static int count;
    static void report(void) {
      printf("%d", count); // *
    }                     // *
    static void add(void) {
      count++;            // *
    }                     // *
    static void check(int code) {
      if (code > 3)       // *
        exit(1);          // *
    }                     // *
    int main(int n, char **v) {
      int code = n + 1;   // <
      atexit(report);
      atexit(add);
      check(code);        // *
      return 0;
    }`,
};

describe('a backward slice', () => {
  test.each(Object.entries(backward))('%s', (_, source) => expectSlice(source, 'backwardSlice'));
});

describe('a forward slice', () => {
  test.each(Object.entries(forward))('%s', (_, source) => expectSlice(source, 'forwardSlice'));
});

test('dependsOn and dependents agree on dependences across the end of main', () => {
  const graph = graphOf(
    backward['includes values that an exit handler reads at each end of the program'] ?? '',
  );
  const { nodes } = graph.complete();
  for (const node of idsBelow<NodeId>(nodes))
    for (const { node: other, kind } of graph.dependsOn(node))
      expect([...graph.dependents(other)]).toContainEqual({ node, kind });
});
