import { afterAll, describe, expect, it } from 'vitest';
import { onlyReplay, printed, replays, TracedPrograms } from './traced-program.js';

const programs = new TracedPrograms();
afterAll(() => programs.remove());

describe('records of processes', () => {
  it('a forked process continues in its own record', async () => {
    const program = await programs.build(`#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int shared = 5;
int main(void) {
  shared *= 2;
  pid_t child = fork();
  if (child == 0) { shared += 3; printf("%d\\n", shared); fflush(stdout); _exit(shared); }
  int status;
  waitpid(child, &status, 0);
  printf("%d %d\\n", shared, WEXITSTATUS(status));
  return 0;
}
`);
    const end = programs.run(program);
    expect(end.stdout).toBe('13\n10 13\n');
    const [parent, child] = await replays(end);
    expect(parent?.record.origin).toBeUndefined();
    expect(child?.record.origin?.name).toBe(parent?.record.name);
    expect([parent, child].map((each) => each?.run.end)).toEqual([{ kind: 'end' }, { kind: 'end' }]);
    expect(parent && printed(parent.run)).toEqual([[10, 13]]);
    expect(child && printed(child.run)).toEqual([[13]]);
  });

  it('a program that replaces another one in its process begins a new record', async () => {
    const program = await programs.build(`#include <stdio.h>
#include <unistd.h>
int main(int count, char **words) {
  printf("%d\\n", count);
  fflush(stdout);
  if (count == 1) execl(words[0], words[0], "again", (char *)0);
  return 0;
}
`);
    const end = programs.run(program);
    expect(end.stdout).toBe('1\n2\n');
    const [before, after] = await replays(end);
    expect(before?.record.pid).toBe(after?.record.pid);
    expect([before?.record.number, after?.record.number]).toEqual([0, 1]);
    expect(after?.record.arguments).toEqual([program, 'again']);
    expect(before && printed(before.run)).toEqual([[1]]);
    expect(after && printed(after.run)).toEqual([[2]]);
  });

  it('a record follows a vforked child and then its parent', async () => {
    const program = await programs.build(`#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  volatile int borrowed = 1;
  pid_t child = vfork();
  if (child == 0) { borrowed = 7; execl("/bin/true", "true", (char *)0); _exit(1); }
  wait(0);
  printf("%d\\n", borrowed);
  return 0;
}
`);
    const end = programs.run(program);
    expect(end.stdout).toBe('7\n');
    const run = await onlyReplay(end);
    expect(run.end).toEqual({ kind: 'end' });
    expect(printed(run)).toEqual([[7]]);
  });

  it('shownBy gives path and arguments of started programs without their environment', async () => {
    const program = await programs.build(`#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void start(int way, char **words, char **around) {
  pid_t child;
  if (way == 0) { if (posix_spawn(&child, "/bin/true", 0, 0, words, around) != 0) abort(); }
  else {
    child = vfork();
    if (child == 0) {
      if (way == 1) execve("/bin/true", words, around);
      if (way == 2) execvp("true", words);
      if (way == 3) execlp("true", words[0], words[1], (char *)0);
      _exit(1);
    }
  }
  waitpid(child, 0, 0);
}
int main(void) {
  char said[16];
  strcpy(said, "a b");
  char *words[] = { "it", said, 0 };
  char *around[] = { "A=1", 0 };
  for (int way = 0; way < 4; way++) start(way, words, around);
  return system("true a b");
}
`);
    const run = await onlyReplay(programs.run(program));
    const told = run.outputs.map((at) => [
      run.calledOutside(at),
      ...run.shownBy(at).map(({ word }) => JSON.parse(word)),
    ]);
    expect(told).toEqual([
      ['posix_spawn', '/bin/true', 'it', 'a b'],
      ['execve', '/bin/true', 'it', 'a b'],
      ['execvp', 'true', 'it', 'a b'],
      ['execlp', 'true', 'it', 'a b'],
      ['system', 'true a b'],
    ]);
  });

  it('each thread has its own record', async () => {
    const program = await programs.build(
      `#include <pthread.h>
#include <stdio.h>
static __thread int own;
static int sums[4];
static int grow(int by) { own += by; return own; }
static void *work(void *given) {
  long me = (long)given;
  for (int i = 0; i < 1000; i++) sums[me] += grow(me);
  return given;
}
int main(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  printf("%d %d %d %d\\n", sums[0], sums[1], sums[2], sums[3]);
  return 0;
}
`,
      { options: ['-pthread'] },
    );
    const end = programs.run(program);
    expect(end.stdout).toBe('0 500500 1001000 1501500\n');
    const all = await replays(end);
    expect(all.map(({ run }) => run.end)).toEqual(Array.from({ length: 5 }, () => ({ kind: 'end' })));
    expect(all[0] && printed(all[0].run)).toEqual([[0, 500500, 1001000, 1501500]]);
    expect(all.slice(1).every(({ run }) => run.instances > 10_000)).toBe(true);
  });
});
