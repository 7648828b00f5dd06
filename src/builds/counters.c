/*
 * Linked to a program that gcc or clang has compiled with -fprofile-arcs, in place of libgcov or compiler-rt: its counters
 * are kept in the file that $CULPRIT_COUNTERS names, mapped into memory, so that they are there however the program ends.
 * Processes beside each other have files of their own beside it.
 * Where $CULPRIT_COUNTERS_TABLE names a file, it says in it which counters belong to which function. Where it ended, the
 * calls that had not returned are beside its counters, in a file of the same name with ".stack".
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

/* How gcc lays out what it hands over; from its version 4.8 on. */
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

/* Where the linker has put all counters, from page to page. */
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

/* clang hands over a function for each source that tells of its counters, as it would for writing them to a file. */
struct teller {
  struct teller *next;
  void (*tell)(void);
};

static struct teller *tellers;
static FILE *table;
static unsigned told[3];

void llvm_gcov_init(void (*tell)(void), void (*reset)(void)) {
  (void)reset;
  struct teller *teller = malloc(sizeof *teller);
  if (teller == NULL) return;
  teller->next = tellers;
  teller->tell = tell;
  tellers = teller;
}

void llvm_gcda_start_file(const char *file, unsigned version, unsigned stamp) {
  (void)version;
  fprintf(table, "%u %s\n", stamp, file);
}

void llvm_gcda_emit_function(unsigned ident, unsigned line_checksum, unsigned flow_checksum) {
  told[0] = ident;
  told[1] = line_checksum;
  told[2] = flow_checksum;
}

void llvm_gcda_emit_arcs(unsigned number, unsigned long long *values) {
  fprintf(table, " %u %u %u %td %u\n", told[0], told[1], told[2], (char *)values - culprit_counters, number);
}

void llvm_gcda_summary_info(void) {}

void llvm_gcda_end_file(void) {}

/*
 * Processes that count at the same time count each into a file of its own, since nothing makes them take turns: the first
 * that is free of $CULPRIT_COUNTERS and that name with ".1", ".2" and so on. Who reads them adds them up, and what is in one
 * from a process before is added to.
 *
 * A file is free where nobody has locked it. The lock belongs to whoever maps the file: it needs no descriptor, which a
 * program could close and would see, and goes when the process does, however it ends, or when it runs another program.
 */
#define MOST_FILES 4096
static char counters_path[4096];

/* A file of the size of the counters that nobody else counts into; -1 where there is none. */
static int free_file(size_t size) {
  char path[sizeof counters_path + 16];
  size_t length = strlen(counters_path);
  memcpy(path, counters_path, length + 1);
  for (unsigned number = 0; number < MOST_FILES; number++) {
    if (number > 0) {
      /* Not by printf, which a process that has just been forked may not call. */
      char digits[16];
      char *digit = digits + sizeof digits;
      *--digit = 0;
      for (unsigned left = number; left > 0; left /= 10) *--digit = (char)('0' + left % 10);
      *--digit = '.';
      strcpy(path + length, digit);
    }
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    /* Where files cannot be locked at all, they are shared. One of another size is another program's. */
    struct stat is;
    if ((flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && fstat(file, &is) == 0 &&
        (is.st_size == 0 || (size_t)is.st_size == size)) {
      /* Room is made at once: where there is none, it would be told by a signal when the first page is written. */
      int error = posix_fallocate(file, 0, size);
      /* Not every file system can do that. */
      if (error == 0 || (error != ENOSPC && error != EDQUOT && ftruncate(file, size) == 0)) return file;
      if (ftruncate(file, 0) != 0) unlink(path);
      close(file);
      return -1;
    }
    close(file);
  }
  return -1;
}

/* In the place of the parent's, which goes on counting into its own. */
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

/* What pthread_atfork is made of, without a library of its own; there wherever a program can fork. */
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

/* clang has these called around what forks and what runs another program; nothing is to be written or forgotten here. */
pid_t __gcov_fork(void) { return fork(); }

void llvm_writeout_files(void) {}

void llvm_reset_counters(void) {}

/* Where the linker has put the program; addresses are told from there on, since it is loaded somewhere else every time. */
extern char __executable_start[];

/* Not there in a program that is linked statically. */
extern char _DYNAMIC[] __attribute__((weak));

/* As many as are told of a recursion without end, those that were called last. */
#define FRAMES 256
static char stack_path[4096];
static char signal_stack[1 << 16];

/* The calls that have not returned, the last first, each as where it goes on. */
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
  /* Nothing is in its way any more: it ends as if nobody had looked. */
  raise(number);
}

/* After the counters are in place, and before anything of the program itself; what it does about signals goes before. */
__attribute__((constructor(102))) static void keep_stack(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  const char *path = getenv("CULPRIT_COUNTERS");
  if (path == NULL || *path == '\0' || strlen(path) + sizeof ".stack" > sizeof stack_path) return;
  strcpy(stack_path, path);
  strcat(stack_path, ".stack");
  /*
   * The first call of it loads a library, for which it is too late afterwards. Where everything is linked into the program
   * there is none to load, and it could not be called yet.
   */
  void *frame;
  if (_DYNAMIC != NULL) backtrace(&frame, 1);
  stack_t own = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
  sigaltstack(&own, NULL);
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER};
  for (size_t at = 0; at < sizeof signals / sizeof *signals; at++) sigaction(signals[at], &action, NULL);
  /* A program that finds something wrong with itself may end in the midst of things. */
  atexit(write_stack);
}

/* Of functions that are in several units, the linker has kept one, which knows its unit. */
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
  for (const struct teller *teller = tellers; teller != NULL; teller = teller->next) teller->tell();
  fclose(table);
}
