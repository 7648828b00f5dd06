/* Linked to instrumented programs, so that a program that crashes also writes its coverage counts. */

#include <signal.h>
#include <stdlib.h>

extern void __gcov_dump(void) __attribute__((weak));

static void dump_counts(int number)
{
  signal(number, SIG_DFL);
  if (__gcov_dump)
    __gcov_dump();
  raise(number);
}

/* Runs before main, so that the program's own handlers replace these. */
__attribute__((constructor)) static void install_handlers(void)
{
  static const int signals[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM };
  for (size_t at = 0; at < sizeof signals / sizeof *signals; at++)
    if (signal(signals[at], dump_counts) == SIG_IGN)
      signal(signals[at], SIG_IGN);
}
