/*
 * Coverage runtime for programs compiled by gcc or clang with -fprofile-arcs, in place of libgcov or compiler-rt. The
 * counters are mapped from the file $CULPRIT_COUNTERS, so that they survive however the program ends. Concurrent processes
 * use further files next to it.
 * If $CULPRIT_COUNTERS_TABLE is set, a table of the counters of each function is written to that file. When the program
 * ends, its call stack is written next to its counters, in a file with the suffix ".stack".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The layout of gcc's structures since version 4.8. */
#if __GNUC__ >= 15
#define KINDS 10
#elif __GNUC__ >= 14
#define KINDS 9
#elif __GNUC__ >= 10
#define KINDS 8
#elif __GNUC__ >= 7
#define KINDS 9
#elif __GNUC__ >= 5
#define KINDS 10
#else
#define KINDS 9
#endif

struct counters {
  unsigned number;
  long long *values;
};

struct function {
  const struct unit *unit;
  unsigned ident;
  unsigned line_checksum;
  unsigned flow_checksum;
  struct counters counters[1];
};

struct unit {
  unsigned version;
  struct unit *next;
  unsigned stamp;
#if __GNUC__ >= 12
  unsigned checksum;
#endif
  const char *file;
  void (*merge[KINDS])(long long *, unsigned);
  unsigned number;
  const struct function *const *functions;
};

/* The page-aligned section with all counters; see counters.ld. */
extern char culprit_counters[], culprit_counters_end[];

static struct unit *units;

void __gcov_init(struct unit *unit) {
  unit->next = units;
  units = unit;
}

void __gcov_exit(void) {}

void __gcov_merge_add(long long *values, unsigned number) {
  (void)values;
  (void)number;
}

/* clang registers a function for each source that reports its counters through the llvm_gcda functions. */
struct writer {
  struct writer *next;
  void (*write)(void);
};

static struct writer *writers;
static FILE *table;
static unsigned current_function[3];

void llvm_gcov_init(void (*write)(void), void (*reset)(void)) {
  (void)reset;
  struct writer *writer = malloc(sizeof *writer);
  if (writer == NULL) return;
  writer->next = writers;
  writer->write = write;
  writers = writer;
}

void llvm_gcda_start_file(const char *file, unsigned version, unsigned stamp) {
  (void)version;
  fprintf(table, "%u %s\n", stamp, file);
}

void llvm_gcda_emit_function(unsigned ident, unsigned line_checksum, unsigned flow_checksum) {
  current_function[0] = ident;
  current_function[1] = line_checksum;
  current_function[2] = flow_checksum;
}

void llvm_gcda_emit_arcs(unsigned number, unsigned long long *values) {
  fprintf(table, " %u %u %u %td %u\n", current_function[0], current_function[1], current_function[2],
          (char *)values - culprit_counters, number);
}

void llvm_gcda_summary_info(void) {}

void llvm_gcda_end_file(void) {}

/*
 * Counters are not atomic, so concurrent processes use separate files: the first free one of $CULPRIT_COUNTERS and that name
 * with ".1", ".2" and so on. The reader adds them up. A process adds to the counts of earlier processes in its file.
 *
 * A file is free if nobody has locked it. The mapping holds the lock, so no descriptor stays open that the program could see
 * or close. The lock ends with the process or with exec.
 */
#define MOST_FILES 4096
static char counters_path[4096];

/* Opens and locks a free file of the size of the counters; -1 if there is none. */
static int free_file(size_t size) {
  char path[sizeof counters_path + 16];
  size_t length = strlen(counters_path);
  memcpy(path, counters_path, length + 1);
  for (unsigned number = 0; number < MOST_FILES; number++) {
    if (number > 0) {
      /* printf is not allowed after fork. */
      char digits[16];
      char *digit = digits + sizeof digits;
      *--digit = 0;
      for (unsigned left = number; left > 0; left /= 10) *--digit = (char)('0' + left % 10);
      *--digit = '.';
      strcpy(path + length, digit);
    }
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    /* Without file locks, processes share a file. A file of another size belongs to another program. */
    struct stat is;
    if ((flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && fstat(file, &is) == 0 &&
        (is.st_size == 0 || (size_t)is.st_size == size)) {
      /* Allocates the space now; on a full disk, writing a page would raise a signal later. */
      int error = posix_fallocate(file, 0, size);
      /* Some file systems cannot allocate. */
      if (error == 0 || (error != ENOSPC && error != EDQUOT && ftruncate(file, size) == 0)) return file;
      if (ftruncate(file, 0) != 0) unlink(path);
      close(file);
      return -1;
    }
    close(file);
  }
  return -1;
}

/* Maps another file in a child, because the parent continues to use its own. */
static void keep_own_counters(void) {
  int error = errno;
  size_t size = culprit_counters_end - culprit_counters;
  int file = free_file(size);
  if (file >= 0) {
    mmap(culprit_counters, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    close(file);
  }
  errno = error;
}

/* The basis of pthread_atfork in libc; present in every program that can fork. */
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *) __attribute__((weak));

__attribute__((constructor(101))) static void keep_counters(void) {
  const char *path = getenv("CULPRIT_COUNTERS");
  if (path == NULL || *path == '\0' || strlen(path) >= sizeof counters_path) return;
  strcpy(counters_path, path);
  size_t size = culprit_counters_end - culprit_counters;
  int file = free_file(size);
  if (file < 0) return;
  long long *kept = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (kept == MAP_FAILED) return;
  const long long *own = (const long long *)culprit_counters;
  for (size_t at = 0; at < size / sizeof *own; at++)
    if (own[at] != 0) kept[at] += own[at];
  mremap(kept, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, culprit_counters);
  if (__register_atfork != NULL) __register_atfork(NULL, NULL, keep_own_counters, NULL);
}

/* clang calls these around fork and exec; nothing is to be done. */
pid_t __gcov_fork(void) { return fork(); }

void llvm_writeout_files(void) {}

void llvm_reset_counters(void) {}

/* The start of the program; addresses are relative to it because the load address varies. */
extern char __executable_start[];

/* Missing in statically linked programs. */
extern char _DYNAMIC[] __attribute__((weak));

/* Maximum number of frames; of an endless recursion, the last calls. */
#define FRAMES 256
static char stack_path[4096];
static char signal_stack[1 << 16];

/* Writes the return addresses of the call stack, innermost first. */
static void write_stack(void) {
  void *frames[FRAMES];
  long long places[FRAMES];
  int number = backtrace(frames, FRAMES);
  int file = open(stack_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  for (int at = 0; at < number; at++) places[at] = (char *)frames[at] - __executable_start;
  ssize_t written = write(file, places, number * sizeof *places);
  (void)written;
  close(file);
}

static void crashed(int number) {
  write_stack();
  /* SA_RESETHAND has restored the default action. */
  raise(number);
}

/* Runs after the counters are mapped and before the program, whose own signal handlers take precedence. */
__attribute__((constructor(102))) static void keep_stack(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  const char *path = getenv("CULPRIT_COUNTERS");
  if (path == NULL || *path == '\0' || strlen(path) + sizeof ".stack" > sizeof stack_path) return;
  strcpy(stack_path, path);
  strcat(stack_path, ".stack");
  /*
   * The first call of backtrace loads a library, which is impossible in a signal handler. A statically linked program loads
   * none, and could not call it yet.
   */
  void *frame;
  if (_DYNAMIC != NULL) backtrace(&frame, 1);
  stack_t own = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
  sigaltstack(&own, NULL);
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER};
  for (size_t at = 0; at < sizeof signals / sizeof *signals; at++) sigaction(signals[at], &action, NULL);
  /* A program may exit on an internal error. */
  atexit(write_stack);
}

/* For functions in several units, the linker keeps one copy, which points to its unit. */
__attribute__((constructor)) static void write_table(void) {
  const char *path = getenv("CULPRIT_COUNTERS_TABLE");
  table = path == NULL || *path == '\0' ? NULL : fopen(path, "we");
  if (table == NULL) return;
  fprintf(table, "%zu\n", (size_t)(culprit_counters_end - culprit_counters));
  for (const struct unit *unit = units; unit != NULL; unit = unit->next) {
    fprintf(table, "%u %s\n", unit->stamp, unit->file);
    for (unsigned at = 0; at < unit->number; at++) {
      const struct function *function = unit->functions[at];
      if (function == NULL || function->unit != unit) continue;
      const struct counters *counters = &function->counters[0];
      fprintf(table, " %u %u %u %td %u\n", function->ident, function->line_checksum, function->flow_checksum,
              (char *)counters->values - culprit_counters, counters->number);
    }
  }
  for (const struct writer *writer = writers; writer != NULL; writer = writer->next) writer->write();
  fclose(table);
}
