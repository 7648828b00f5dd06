import { afterAll, describe, expect, it } from 'vitest';
import { onlyReplay, printed, TracedPrograms } from './traced-program.js';

const programs = new TracedPrograms();
afterAll(() => programs.remove());

/** Replays a program that prints numbers, and compares the output with the replay's. */
async function same(source: string, language: 'c' | 'c++' = 'c', options: readonly string[] = []) {
  const end = programs.run(await programs.build(source, { language, options }));
  expect(end.stderr).toBe('');
  const run = await onlyReplay(end);
  expect(run.end).toEqual({ kind: 'end' });
  const lines = printed(run).map((numbers) => numbers.join(' '));
  expect(lines).toEqual(end.stdout.split('\n').slice(0, -1));
  return run;
}

describe('replay of indirect control flow', () => {
  it('a replay follows callbacks from the library', async () => {
    await same(`#include <stdio.h>
#include <stdlib.h>
static int calls;
static int order(const void *a, const void *b) { calls++; return *(const int *)a - *(const int *)b; }
static void last(void) { printf("%d\\n", calls); }
int main(void) {
  int list[] = {5, 3, 9, -1, 7};
  atexit(last);
  qsort(list, 5, sizeof *list, order);
  for (int i = 0; i < 5; i++) printf("%d\\n", list[i]);
  return 0;
}
`);
  });

  it('a replay follows longjmp across several calls', async () => {
    await same(`#include <setjmp.h>
#include <stdio.h>
static jmp_buf place;
static int depth;
static void down(int n) { depth = n; if (n == 4) longjmp(place, n + 1); down(n + 1); }
int main(void) {
  int before = 1;
  int came = setjmp(place);
  printf("%d %d %d\\n", came, before, depth);
  before += 10;
  if (came < 5) down(came);
  if (came < 6) longjmp(place, came + 1);
  return 0;
}
`);
  });

  it('a replay follows signal handlers and jumps out of them', async () => {
    await same(`#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static sigjmp_buf place;
static volatile sig_atomic_t seen;
static int weight(int n) { return n * 3; }
static void note(int number) { seen += weight(number); }
static void leave(int number) { siglongjmp(place, number); }
int main(void) {
  signal(SIGUSR1, note);
  signal(SIGUSR2, leave);
  for (int i = 0; i < 3; i++) raise(SIGUSR1);
  printf("%d\\n", seen);
  int came = sigsetjmp(place, 1);
  if (came == 0) raise(SIGUSR2);
  printf("%d\\n", came);
  return 0;
}
`);
  });

  it('a replay follows a signal at any time', async () => {
    await same(`#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
static volatile int ticks;
static int list[64];
static void tick(int number) { ticks++; list[ticks & 63] += number; }
int main(void) {
  struct itimerval often = {{0, 500}, {0, 500}};
  signal(SIGALRM, tick);
  setitimer(ITIMER_REAL, &often, 0);
  long turns = 0;
  while (ticks < 4) { list[turns & 63] ^= turns; turns++; }
  struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, 0);
  int sum = 0;
  for (int i = 0; i < 64; i++) sum = sum * 31 + list[i];
  printf("%d %d\\n", sum, ticks);
  return 0;
}
`);
  });

  it('a replay follows labels whose addresses are taken', async () => {
    await same(`#include <stdio.h>
int main(void) {
  static void *const table[] = {&&add, &&twice, &&stop};
  static const char code[] = {0, 1, 0, 1, 1, 2};
  int at = 0, value = 3;
next:
  goto *table[code[at++]];
add: value += 5; goto next;
twice: value *= 2; goto next;
stop: printf("%d %d\\n", value, at);
  return 0;
}
`);
  });

  it('a replay follows variable arguments', async () => {
    await same(`#include <stdarg.h>
#include <stdio.h>
static int sum(int count, ...) {
  va_list list;
  int total = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) total = total * 2 + va_arg(list, int);
  va_end(list);
  return total;
}
int main(void) { printf("%d\\n", sum(8, 1, 2, 3, 4, 5, 6, 7, 8)); return 0; }
`);
  });

  it('a replay follows C++ exceptions, caught and rethrown, with destructors', async () => {
    await same(
      `#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
#include <algorithm>
struct Guard { int number; explicit Guard(int n) : number(n) {} ~Guard() { std::printf("%d\\n", number); } };
static int depth(int n) {
  Guard guard(n);
  if (n == 3) throw std::runtime_error("deep");
  return depth(n + 1) + 1;
}
static int passed(int n) { try { return depth(n); } catch (int) { return -1; } catch (...) { throw; } }
int main() {
  try { passed(0); } catch (const std::exception &error) { std::printf("%d\\n", (int)std::string(error.what()).size()); }
  std::vector<int> list{4, 1, 3};
  try { std::for_each(list.begin(), list.end(), [](int each) { if (each == 3) throw each; std::printf("%d\\n", each); }); }
  catch (int thrown) { std::printf("%d\\n", thrown * 100); }
  std::sort(list.begin(), list.end());
  for (int each : list) std::printf("%d\\n", each);
  return 0;
}
`,
      'c++',
    );
  });

  it('a replay follows library functions that only exist inlined', async () => {
    await same(
      `#include <cstdio>
#include <string>
int main() {
  std::string text("ab");
  for (int i = 0; i < 5; i++) text += std::string(text.begin(), text.end()).substr(1) + "c";
  std::printf("%d %d\\n", (int)text.size(), (int)text.find("cc"));
  return 0;
}
`,
      'c++',
      ['-O2'],
    );
  });
});
