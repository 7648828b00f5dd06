/*
 * Runtime of programs built with `culprit-cc --trace`. It records a run in the folder $CULPRIT_TRACE_DIR: one file per
 * thread, and one per process with the addresses of its modules. Without that variable nothing is recorded.
 *
 * Every object contains it as weak definitions, of which the linker keeps one. It calls only the kernel and no library, so
 * that it works before constructors, in signal handlers and with any functions of the program, and leaves `errno`
 * unchanged. Files are mapped, so that the recording survives any end of the program. record.ts and stream.ts of
 * src/symbolic read the files.
 */
typedef unsigned char byte;
typedef unsigned long word;
/* Unaligned numbers in a stream. */
typedef unsigned short __attribute__((aligned(1), may_alias)) two;
typedef unsigned int __attribute__((aligned(1), may_alias)) four;
typedef unsigned long __attribute__((aligned(1), may_alias)) eight;

#define WEAK __attribute__((weak))
#define FAST __attribute__((weak, always_inline))
#define RARE __attribute__((weak, noinline, cold))

/* Bytes of a stream. 0 is unwritten space: the end. */
enum {
  FIRST = 0x01,    /* to 0xb0: the numbers 0 to 0xaf */
  NEGATIVE = 0xc0, /* down to 0xb1: -1 to -16 */
  PLUS_1 = 0xc1, PLUS_2, PLUS_4, PLUS_6, PLUS_8, /* a number of that many bytes */
  MINUS_1, MINUS_2, MINUS_4,                     /* the complement of a negative number */
  ENTERED = 0xd0, /* untraced code calls a function: its address, its arguments */
  RETURNED,       /* untraced code returns without a result */
  JUMPED,         /* setjmp returns: frame, call, result */
  CAUGHT,         /* an exception arrives: frame, landing pad, its values */
  SIGNALED,       /* the program dies: signal, address */
  STOPPED,        /* no space left */
};

enum { HEADER = 4096, SLACK = 64, MOST_BYTES_SHIFT = 32, FIRST_CHUNK = 1 << 16, LARGEST_CHUNK = 1 << 23 };

struct culprit_trace_thread {
  byte *cursor, *end;
  /* The function being called, until it reports that it is traced. */
  word target;
  /* Stack addresses are recorded as distances below this address. */
  word reference;
  /* Entered functions that setjmp or exceptions return to. */
  word frames;
  byte *file;
  word number;
};

struct culprit_trace_process {
  word is_recording;
  word first; /* the number of its first stream */
  word next;  /* the number to try for the next stream */
  word parent_pid, parent_number, parent_position, has_parent, has_modules;
  word *alive; /* 0 in a new forked process */
  char folder[3072];
};

struct culprit_trace_module {
  word id, functions, symbols;
  word address[];
};

WEAK __thread struct culprit_trace_thread culprit_trace_thread __attribute__((tls_model("initial-exec")));
WEAK struct culprit_trace_process culprit_trace_process;
WEAK word culprit_trace_state; /* 0 unknown, 1 known */
WEAK byte culprit_trace_scratch[4096];

#define here culprit_trace_thread
#define process culprit_trace_process

/* The kernel. */

#if defined(__x86_64__)
enum { READ = 0, WRITE = 1, CLOSE = 3, MMAP = 9, SIGACTION = 13, GETPID = 39, GETCWD = 79, GETTID = 186, TGKILL = 234,
       CLOCK = 228, OPENAT = 257, READLINKAT = 267, FALLOCATE = 285, FTRUNCATE = 77, GETPPID = 110, MADVISE = 28 };
static inline long kernel(long call, word a, word b, word c, word d, word e, word f) {
  long result;
  register word r10 __asm__("r10") = d;
  register word r8 __asm__("r8") = e;
  register word r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "a"(call), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
/* A single instruction, so that a signal cannot interrupt it. */
static inline byte *reserve(word bytes) {
  word before = bytes;
  __asm__ volatile("xaddq %0, %1" : "+r"(before), "+m"(here.cursor));
  return (byte *)before;
}
#elif defined(__aarch64__)
enum { READ = 63, WRITE = 64, CLOSE = 57, MMAP = 222, SIGACTION = 134, GETPID = 172, GETCWD = 17, GETTID = 178,
       TGKILL = 131, CLOCK = 113, OPENAT = 56, READLINKAT = 78, FALLOCATE = 47, FTRUNCATE = 46, GETPPID = 173,
       MADVISE = 233 };
static inline long kernel(long call, word a, word b, word c, word d, word e, word f) {
  register word x8 __asm__("x8") = call;
  register word x0 __asm__("x0") = a;
  register word x1 __asm__("x1") = b;
  register word x2 __asm__("x2") = c;
  register word x3 __asm__("x3") = d;
  register word x4 __asm__("x4") = e;
  register word x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return (long)x0;
}
static inline byte *reserve(word bytes) {
  byte *before = here.cursor;
  here.cursor = before + bytes;
  return before;
}
#else
#error "culprit-cc --trace is for x86-64 and arm64"
#endif

#define KERNEL(call, a, b, c) kernel(call, (word)(a), (word)(b), (word)(c), 0, 0, 0)
enum { AT_CWD = -100, READ_WRITE = 2, CREATE = 0100, EXCLUSIVE = 0200, APPEND = 02000, CLOSE_ON_EXEC = 02000000 };

/* Names of files. */

static char *put_text(char *to, const char *text) {
  while (*text) *to++ = *text++;
  return to;
}

static char *put_number(char *to, word number) {
  char digits[20];
  int count = 0;
  do digits[count++] = '0' + number % 10;
  while ((number /= 10) != 0);
  while (count > 0) *to++ = digits[--count];
  return to;
}

/* Returns an open file, or a negative number. */
static long open_own(word number, const char *ending, int flags) {
  char path[sizeof process.folder + 64], *at = put_text(path, process.folder);
  *at++ = '/';
  at = put_number(at, kernel(GETPID, 0, 0, 0, 0, 0, 0));
  *at++ = '-';
  at = put_number(at, number);
  *put_text(at, ending) = 0;
  return kernel(OPENAT, AT_CWD, (word)path, flags | READ_WRITE | CLOSE_ON_EXEC, 0666, 0, 0);
}

void culprit_trace_watch_signals(void);

/* Reads from the initial environment whether and where to record. */
RARE void culprit_trace_begin(void) {
  static const char name[] = "CULPRIT_TRACE_DIR=";
  char buffer[1024], *to = process.folder;
  word matched = 0, length = 0;
  culprit_trace_state = 1;
  long file = kernel(OPENAT, AT_CWD, (word) "/proc/self/environ", CLOSE_ON_EXEC, 0, 0, 0);
  if (file < 0) return;
  /* `matched` counts the characters of the name matched so far; -1 for another variable. */
  for (long got; (got = KERNEL(READ, file, buffer, sizeof buffer)) > 0;)
    for (long at = 0; at < got; at++) {
      char letter = buffer[at];
      if (matched == sizeof name - 1) {
        if (letter == 0) matched = sizeof name;
        else if (length < sizeof process.folder - 1) to[length++] = letter;
      } else if (letter == 0) matched = matched == sizeof name ? matched : 0;
      else if (matched < sizeof name - 1) matched = letter == name[matched] ? matched + 1 : -1ul;
    }
  kernel(CLOSE, file, 0, 0, 0, 0, 0);
  to[length] = 0;
  if (length == 0) return;
  if (to[0] != '/') {
    char relative[sizeof process.folder];
    *put_text(relative, to) = 0;
    long size = KERNEL(GETCWD, to, sizeof process.folder, 0);
    if (size <= 0 || size + length + 1 > sizeof process.folder) return;
    to[size - 1] = '/';
    *put_text(to + size, relative) = 0;
  }
  word *page = (word *)kernel(MMAP, 0, 4096, 3, 0x22, -1, 0);
  if ((word)page > -4096ul) return;
  KERNEL(MADVISE, page, 4096, 18 /* all zero in a child */);
  *page = 1;
  process.alive = page;
  process.first = -1;
  process.is_recording = 1;
  culprit_trace_watch_signals();
}

/* Streams. */

struct header {
  char magic[16];
  word header_bytes, pid, parent_pid, number, first, reference, started_ns;
  word has_parent, origin_pid, origin_number, origin_position;
  word program_bytes, arguments_bytes;
  char text[];
};

static void to_scratch(void) {
  here.cursor = culprit_trace_scratch;
  here.end = culprit_trace_scratch + sizeof culprit_trace_scratch - SLACK;
  here.file = 0;
}

/* Extends the file; returns its size, or 0. */
static word lengthen(long file, word from, word bytes) {
  long result = kernel(FALLOCATE, file, 0, from, bytes, 0, 0);
  if (result < 0 && result != -28 /* full */) result = KERNEL(FTRUNCATE, file, from + bytes, 0);
  return result < 0 ? 0 : from + bytes;
}

static void write_header(struct header *header) {
  static const char magic[16] = "culprit trace 1\n";
  word time[2] = {0, 0};
  word room = HEADER - sizeof *header;
  for (word at = 0; at < sizeof magic; at++) header->magic[at] = magic[at];
  header->header_bytes = HEADER;
  header->pid = kernel(GETPID, 0, 0, 0, 0, 0, 0);
  header->parent_pid = kernel(GETPPID, 0, 0, 0, 0, 0, 0);
  header->number = here.number;
  header->first = process.first;
  header->reference = here.reference;
  KERNEL(CLOCK, 0, time, 0);
  header->started_ns = time[0] * 1000000000 + time[1];
  long length = kernel(READLINKAT, AT_CWD, (word) "/proc/self/exe", (word)header->text, room / 2, 0, 0);
  header->program_bytes = length < 0 ? 0 : length;
  long file = kernel(OPENAT, AT_CWD, (word) "/proc/self/cmdline", CLOSE_ON_EXEC, 0, 0, 0);
  if (file < 0) return;
  char *arguments = header->text + header->program_bytes;
  length = KERNEL(READ, file, arguments, room - header->program_bytes);
  header->arguments_bytes = length < 0 ? 0 : length;
  kernel(CLOSE, file, 0, 0, 0, 0, 0);
}

/* Starts the stream of a thread at its first event. A forked process continues its parent's stream. */
RARE void culprit_trace_start(_Bool is_forked) {
  word origin_number = here.number, origin_position = here.file == 0 ? 0 : (word)(here.cursor - here.file);
  to_scratch();
  if (culprit_trace_state == 0) culprit_trace_begin();
  if (!process.is_recording) return;
  long file;
  word number;
  do {
    number = __atomic_fetch_add(&process.next, 1, __ATOMIC_RELAXED);
    file = open_own(number, ".trace", CREATE | EXCLUSIVE);
  } while (file == -17 /* it exists */);
  if (file < 0) return;
  word size = lengthen(file, 0, HEADER + FIRST_CHUNK);
  byte *map = size == 0 ? (byte *)-1
                        : (byte *)kernel(MMAP, 0, 1ul << MOST_BYTES_SHIFT, 3, 0x4001 /* shared, not reserved */, file, 0);
  kernel(CLOSE, file, 0, 0, 0, 0, 0);
  if ((word)map > -4096ul) return;
  if (is_forked || process.first == -1ul) process.first = number;
  if (here.reference == 0) here.reference = (word)&file;
  here.number = number;
  here.file = map;
  struct header *header = (struct header *)map;
  if (is_forked) {
    header->has_parent = 1;
    header->origin_pid = process.parent_pid;
    header->origin_number = origin_number;
    header->origin_position = origin_position;
  }
  write_header(header);
  here.cursor = map + HEADER;
  here.end = map + size - SLACK;
}

/* Called in a new forked process. */
RARE void culprit_trace_forked(void) {
  *process.alive = 1;
  process.parent_pid = kernel(GETPPID, 0, 0, 0, 0, 0, 0);
  process.next = process.has_modules = 0;
  culprit_trace_start(1);
}

/* Makes space for bytes that were reserved beyond the end. */
RARE byte *culprit_trace_more(byte *at, word bytes) {
  if (here.file != 0) {
    word size = here.end + SLACK - here.file;
    word chunk = size < LARGEST_CHUNK ? size : LARGEST_CHUNK;
    long file = size + chunk > 1ul << MOST_BYTES_SHIFT ? -1 : open_own(here.number, ".trace", 0);
    word longer = file < 0 ? 0 : lengthen(file, size, chunk);
    if (file >= 0) kernel(CLOSE, file, 0, 0, 0, 0, 0);
    if (longer != 0) {
      here.end = here.file + longer - SLACK;
      return at;
    }
    if (at < here.end + SLACK) *at = STOPPED;
  }
  to_scratch();
  return reserve(bytes);
}

static inline byte *room_for(word bytes) {
  byte *at = reserve(bytes);
  return __builtin_expect(at + bytes > here.end, 0) ? culprit_trace_more(at, bytes) : at;
}

/* Events. */

__attribute__((weak, noinline)) void culprit_trace_wide(long number) {
#define PUT(code, type, n)             \
  {                                    \
    byte *at = room_for(1 + sizeof(type)); \
    *at = code;                        \
    *(type *)(at + 1) = (type)(n);     \
    return;                            \
  }
  if (number >= 0) {
    word rest = number;
    if (rest < 1ul << 8) PUT(PLUS_1, byte, rest)
    if (rest < 1ul << 16) PUT(PLUS_2, two, rest)
    if (rest < 1ul << 32) PUT(PLUS_4, four, rest)
    if (rest < 1ul << 48) {
      byte *at = room_for(7);
      *at = PLUS_6;
      *(four *)(at + 1) = (four)rest;
      *(two *)(at + 5) = (two)(rest >> 32);
      return;
    }
  } else {
    word rest = ~number;
    if (rest < 16) {
      *room_for(1) = NEGATIVE - rest;
      return;
    }
    if (rest < 1ul << 8) PUT(MINUS_1, byte, rest)
    if (rest < 1ul << 16) PUT(MINUS_2, two, rest)
    if (rest < 1ul << 32) PUT(MINUS_4, four, rest)
  }
  PUT(PLUS_8, eight, number)
}

FAST void culprit_trace_value(long number) {
  if (__builtin_expect((word)number < 0xb0, 1)) *room_for(1) = FIRST + number;
  else culprit_trace_wide(number);
}

/* Not inlined: as a rare case it would otherwise dominate the program's size. */
RARE void culprit_trace_rare(long number) { culprit_trace_value(number); }

FAST void culprit_trace_value_if(_Bool is_recorded, long number) {
  if (is_recorded) culprit_trace_rare(number);
}

__attribute__((weak, noinline)) void culprit_trace_stack(word address) {
  culprit_trace_value(here.reference - address);
}

FAST void culprit_trace_calling(word function) { here.target = function; }

RARE void culprit_trace_outside(void) {
  here.target = 0;
  if (process.alive != 0 && *process.alive == 0) culprit_trace_forked();
}

/* After a call: whether it called untraced code. */
FAST _Bool culprit_trace_returned(void) {
  if (here.target == 0) return 0;
  culprit_trace_outside();
  return 1;
}

RARE void culprit_trace_outside_void(void) {
  culprit_trace_outside();
  *room_for(1) = RETURNED;
}

FAST void culprit_trace_returned_void(void) {
  if (here.target != 0) culprit_trace_outside_void();
}

RARE void culprit_trace_enter(word function) {
  if (here.cursor == 0) culprit_trace_start(0);
  culprit_trace_outside();
  *room_for(1) = ENTERED;
  culprit_trace_value(function);
}

FAST word culprit_trace_target(void) { return here.target; }

/* At function entry: whether untraced code called it. */
FAST _Bool culprit_trace_entered(word function) {
  if (__builtin_expect(here.target == function, 1)) {
    here.target = 0;
    return 0;
  }
  culprit_trace_enter(function);
  return 1;
}

FAST void culprit_trace_left(_Bool was_outside, word target) {
  if (was_outside) here.target = target;
}

FAST word culprit_trace_frame(void) { return ++here.frames; }

RARE void culprit_trace_jumped(word frame, word call, long result) {
  culprit_trace_outside();
  *room_for(1) = JUMPED;
  culprit_trace_value(frame);
  culprit_trace_value(call);
  culprit_trace_value(result);
}

RARE void culprit_trace_caught(word frame, word pad) {
  culprit_trace_outside();
  *room_for(1) = CAUGHT;
  culprit_trace_value(frame);
  culprit_trace_value(pad);
}

/* Records signals before they end the program. */

struct culprit_trace_action {
  void (*handler)(int, int *, void *);
  word flags;
  void (*restorer)(void);
  word mask;
};

#if defined(__x86_64__)
__attribute__((weak, naked)) void culprit_trace_restore(void) { __asm__("movl $15, %eax\n\tsyscall"); }
enum { RESTORER = 0x04000000 };
#else
WEAK void culprit_trace_restore(void) {}
enum { RESTORER = 0 };
#endif

RARE void culprit_trace_signal(int signal, int *info, void *context) {
  (void)context;
  struct culprit_trace_action usual = {0, RESTORER, culprit_trace_restore, 0};
  kernel(SIGACTION, signal, (word)&usual, 0, 8, 0, 0);
  if (here.cursor != 0) {
    *room_for(1) = SIGNALED;
    culprit_trace_value(signal);
    culprit_trace_value(*(long *)(info + 4));
  }
  /* A sent signal is sent again; a fault occurs again when the instruction is repeated. */
  if (info[2] <= 0)
    KERNEL(TGKILL, kernel(GETPID, 0, 0, 0, 0, 0, 0), kernel(GETTID, 0, 0, 0, 0, 0, 0), signal);
}

RARE void culprit_trace_watch_signals(void) {
  static const byte deadly[] = {4, 6, 7, 8, 11};
  for (word at = 0; at < sizeof deadly; at++) {
    struct culprit_trace_action there = {0, 0, 0, 0};
    struct culprit_trace_action ours = {culprit_trace_signal, RESTORER | 4 | 0x08000000, culprit_trace_restore, 0};
    if (kernel(SIGACTION, deadly[at], 0, (word)&there, 8, 0, 0) == 0 && there.handler == 0)
      kernel(SIGACTION, deadly[at], (word)&ours, 0, 8, 0, 0);
  }
}

/*
 * Called for every module before its other constructors. If the linker chose another definition of one of its
 * functions, the prefix before the function names another module.
 */
RARE void culprit_trace_module(const struct culprit_trace_module *module) {
  if (culprit_trace_state == 0) culprit_trace_begin();
  if (!process.is_recording) return;
  if (here.cursor == 0) culprit_trace_start(0);
  if (here.file == 0) return;
  long file = open_own(process.first, ".modules", CREATE | APPEND);
  if (file < 0) return;
  word buffer[64];
  buffer[0] = module->id;
  buffer[1] = module->symbols;
  word used = 2;
  for (word at = 0; at < module->symbols; at++) {
    word address = module->address[at];
    if (at < module->functions) {
      const word *before = (const word *)address - 2;
      if (address != 0 && before[0] == module->id && before[1] == at) address |= 1ul << 63;
    }
    buffer[used++] = address;
    if (used == 64 || at + 1 == module->symbols) {
      KERNEL(WRITE, file, buffer, used * 8);
      used = 0;
    }
  }
  if (used != 0) KERNEL(WRITE, file, buffer, used * 8);
  kernel(CLOSE, file, 0, 0, 0, 0, 0);
}
