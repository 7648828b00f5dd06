/* Linked to a program that counts what it executes: one that crashes writes down its counts, too. */

#include <signal.h>
#include <stdlib.h>

extern void __gcov_dump(void) __attribute__((weak));

static void write_down(int number)
{
  signal(number, SIG_DFL);
  if (__gcov_dump)
    __gcov_dump();
  raise(number);
}

/* Before main: handlers of the program's own come after, and stay. */
__attribute__((constructor)) static void listen(void)
{
  static const int ends[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM };
  for (size_t at = 0; at < sizeof ends / sizeof *ends; at++)
    if (signal(ends[at], write_down) == SIG_IGN)
      signal(ends[at], SIG_IGN);
}
