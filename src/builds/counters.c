/*
 * Linked to a program that gcc or clang has compiled with -fprofile-arcs, in place of libgcov or compiler-rt: its counters
 * are kept in the file that $CULPRIT_COUNTERS names, mapped into memory, so that they are there however the program ends.
 * Where $CULPRIT_COUNTERS_TABLE names a file, it says in it which counters belong to which function.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Counters of a process before this one, or beside it, are added to. */
__attribute__((constructor(101))) static void keep_counters(void) {
  const char *path = getenv("CULPRIT_COUNTERS");
  if (path == NULL || *path == '\0') return;
  size_t size = culprit_counters_end - culprit_counters;
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  struct stat is;
  if (file < 0 || fstat(file, &is) != 0 || (is.st_size != 0 && (size_t)is.st_size != size) ||
      ftruncate(file, size) != 0)
    return;
  long long *kept = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (kept == MAP_FAILED) return;
  const long long *own = (const long long *)culprit_counters;
  for (size_t at = 0; at < size / sizeof *own; at++)
    if (own[at] != 0) kept[at] += own[at];
  mremap(kept, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, culprit_counters);
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
