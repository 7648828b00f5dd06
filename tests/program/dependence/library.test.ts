import { describe, expect, test } from 'vitest';
import { compileC } from './compile.js';
import { expectSlice, graphOf } from './marked-slices.js';

const backward: Readonly<Record<string, string>> = {
  'includes an unknown function that may set errno': `
    #include <errno.h>
    int outside(void);
    int main(void) {
      int x = 1;
      errno = 0;               // *
      int r = outside();       // *
      return errno;            // <
    }`,
  'includes a math function that may set errno': `
    #include <errno.h>
    #include <math.h>
    int main(int n, char **v) {
      errno = 0;               // *
      double r = pow(n, 0.5);  // *
      double s = floor(r);
      return errno;            // <
    }`,
  'includes errno for perror': `
    #include <errno.h>
    #include <stdio.h>
    int main(int n, char **v) {
      int other = 2;
      errno = n;               // *
      perror("failed");        // <
      return 0;
    }`,
  'includes the path that fstatat reads': `
    #include <fcntl.h>
    #include <string.h>
    #include <sys/stat.h>
    int main(void) {
      char path[8], other[8];
      struct stat found;
      strcpy(path, "x");       // *
      strcpy(other, "y");
      fstatat(3, path, &found, 0); // *
      return found.st_size;    // <
    }`,
  'includes the buffers of writev': `
    #include <sys/uio.h>
    int main(int n, char **v) {
      char text[4], other[4];
      struct iovec part;
      text[0] = n;             // *
      other[0] = n;
      part.iov_base = text;    // *
      part.iov_len = 1;        // *
      writev(1, &part, 1);     // <
      return 0;
    }`,
  'includes posix_spawn for the process id it stores': `
    #include <spawn.h>
    int main(int n, char **v) {
      pid_t pid = 0, other = 1; // *
      posix_spawn(&pid, "x", 0, 0, v, v); // *
      return pid;              // <
    }`,
  'includes getopt_long for a flag that an option sets': `
    #include <getopt.h>
    static int verbose, other;
    static struct option options[] = {{"verbose", 0, &verbose, 1}, {0}};
    int main(int n, char **v) {
      other = 1;
      verbose = 0;             // *
      getopt_long(n, v, "", options, 0); // *
      return verbose;          // <
    }`,
  'includes writes to a C++ stream': `
    void *put(void *, int) __asm__("_ZNSolsEi");
    int main(int n, char **v) {
      char stream[64], other[64];
      put(other, 3);
      put(stream, n);          // *
      return stream[8];        // <
    }`,
  'includes optind for getopt': `
    #include <getopt.h>
    int main(int n, char **v) {
      int other = 1;
      optind = 0;              // *
      getopt(n, v, "a");       // <
      return 0;
    }`,
};

function compileForAvx2(source: string, passes?: string): string {
  return compileC(source, passes, ['--target=x86_64-linux-gnu', '-mavx2']);
}

describe('a backward slice', () => {
  test.each(Object.entries(backward))('%s', (_, source) => expectSlice(source, 'backwardSlice'));

  test('includes the memory that a target-specific intrinsic writes', () => {
    const source = `
    typedef int v4 __attribute__((vector_size(16)));
    int main(int n, char **v) {
      int a[4], b[4];
      a[0] = n;                // *
      b[0] = n;
      v4 mask = {-1, 0, 0, 0}; // *
      v4 value = {7, 8, 9, 1}; // *
      __builtin_ia32_maskstored((v4 *)a, mask, value); // *
      return a[0];             // <
    }`;
    expectSlice(source, 'backwardSlice', compileForAvx2);
  });
});

test('a call through a pointer that external code may have set counts as output', () => {
  const graph = graphOf(`#include <stdio.h>
    void outside(int (*)(const char *));
    int (*print)(const char *) = puts;
    int main(void) {
      outside(puts);
      print("x");
      return 0;
    }`);
  expect(graph.linesOf(graph.outputs()).map(({ line }) => line)).toEqual([6, 7]);
});
