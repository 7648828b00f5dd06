/**
 * Memory effects of functions in the C and C++ libraries, a row for all functions with the same effects. A function
 * that is not in the table may read and write everything it can reach.
 *
 * Not modelled: the order of outputs, several streams for one file, signal handlers, other threads.
 */

/** Occasions at which a library calls functions it was given. */
export type Postponed = 'exit handlers' | 'exception destructors';

export type LibraryState = 'random numbers' | 'standard input' | 'tokens' | 'exceptions' | Postponed;

export interface LibraryFunction {
  /** Arguments whose memory it reads; 'others' are all that no other property mentions. */
  readonly reads?: readonly number[] | 'others';
  /** Arguments from which it reads all reachable memory. */
  readonly readsAll?: readonly number[];
  readonly writes?: readonly number[];
  /** It writes the memory of this and all later arguments. */
  readonly writesFrom?: number;
  /** It writes numbers through pointers in this argument's memory. */
  readonly writesBehind?: number;
  /** The argument with the number of bytes to read and write; without it, up to the end of the object. */
  readonly bytes?: number;
  readonly fills?: true;
  /** Copies memory from one argument to another, pointers included. */
  readonly copies?: { readonly from: number; readonly to: number };
  readonly returns?: number;
  /** It returns a pointer to this argument's target or behind it. */
  readonly returnsInside?: number;
  /** It returns a pointer anywhere into this argument's object. */
  readonly returnsNear?: number;
  /** The argument `of` is an array; callbacks and the result get any element, of size argument `bytes`. */
  readonly elements?: { readonly of: number; readonly bytes: number };
  readonly reorders?: true;
  /** It returns new memory: uninitialised, zero, or a copy of an argument's memory. */
  readonly returnsNew?: 'raw' | 'zeroed' | { readonly copyOf: number };
  readonly returnsEnvironment?: true;
  /** The pointer behind `at` is set to the object of `into`, or to new memory. */
  readonly pointsFirst?: { readonly at: number; readonly into: number | 'new' };
  /** The argument points to a pointer: it uses the target, advances the pointer and returns its old value. */
  readonly advances?: number;
  readonly stores?: number;
  /** It uses the stored argument and returns a pointer into it. */
  readonly usesStored?: true;
  /** It calls this argument, and passes these of its own arguments (-1: another value). */
  readonly calls?: { readonly function: number; readonly passes: readonly number[] };
  /** It lets this argument be called later, with these of its own arguments (-1: another value). */
  readonly postpones?: {
    readonly function: number;
    readonly passes: readonly number[];
    readonly until: Postponed;
  };
  readonly runs?: Postponed;
  /** It ends the program, unless this argument is 0. */
  readonly endsUnlessZero?: number;
  /** Global variables it reads and sets; pointers among them point into the strings of argument `from`. */
  readonly sets?: { readonly globals: readonly string[]; readonly from: number };
  readonly state?: LibraryState;
  readonly errno?: true;
  readonly readsErrno?: true;
  readonly returnsErrno?: true;
  /** Arguments that external code may use from then on. */
  readonly exposes?: readonly number[];
  readonly isOutput?: true;
  readonly mayThrow?: true;
  /** Its result is computed from its arguments and may be a pointer. */
  readonly computes?: true;
  /** It moves values between its arguments and the memory behind them, and returns that memory's content. */
  readonly exchanges?: true;
}

const noEffect: LibraryFunction = {};
const reader: LibraryFunction = { reads: 'others' };
const optionVariables = { globals: ['optarg', 'optind', 'opterr', 'optopt'], from: 1 };
const targetIntrinsic: LibraryFunction = { computes: true, exchanges: true };
const stream: LibraryFunction = { reads: [0], writes: [0], errno: true };
const environmentReader: LibraryFunction = { reads: 'others', returnsEnvironment: true };
const systemCall: LibraryFunction = { reads: 'others', errno: true };
const output: LibraryFunction = { reads: 'others', errno: true, isOutput: true };
const sorter: LibraryFunction = { reads: [0], writes: [0], elements: { of: 0, bytes: 2 }, reorders: true };
const exit: LibraryFunction = { ...output, runs: 'exit handlers' };

const rows: readonly (readonly [names: string, effects: LibraryFunction])[] = [
  // Memory
  [
    'memcpy memmove llvm.memcpy.* llvm.memmove.* __memcpy_chk __memmove_chk',
    { copies: { from: 1, to: 0 }, bytes: 2, fills: true, returns: 0 },
  ],
  ['mempcpy __mempcpy_chk', { copies: { from: 1, to: 0 }, bytes: 2, fills: true, returnsInside: 0 }],
  ['memccpy', { copies: { from: 1, to: 0 }, returnsInside: 0 }],
  ['bcopy', { copies: { from: 0, to: 1 }, bytes: 2, fills: true }],
  ['memset llvm.memset.* __memset_chk', { writes: [0], bytes: 2, fills: true, returns: 0 }],
  ['bzero explicit_bzero', { writes: [0], bytes: 1, fills: true }],
  ['memcmp bcmp', { reads: [0, 1], bytes: 2 }],
  ['memchr', { reads: [0], bytes: 2, returnsInside: 0 }],
  ['memrchr rawmemchr memmem', { reads: 'others', returnsInside: 0 }],
  // Allocation
  ['malloc valloc pvalloc aligned_alloc memalign', { returnsNew: 'raw', errno: true }],
  ['calloc', { returnsNew: 'zeroed', errno: true }],
  ['realloc reallocarray reallocf', { returnsNew: { copyOf: 0 }, errno: true }],
  ['_Znwm _Znam _ZnwmSt11align_val_t _ZnamSt11align_val_t', { returnsNew: 'raw', mayThrow: true }],
  ['_ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t _Znwj _Znaj', { returnsNew: 'raw' }],
  ['posix_memalign', { pointsFirst: { at: 0, into: 'new' } }],
  ['free cfree _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvSt11align_val_t _ZdlPvmSt11align_val_t', noEffect],
  ['malloc_usable_size', noEffect],
  // Strings
  ['strlen strnlen strcmp strncmp strcasecmp strncasecmp strcoll strspn strcspn strverscmp', reader],
  ['atoi atol atoll atof wcslen wcscmp fnmatch a64l', reader],
  ['strchr strrchr strstr strpbrk index rindex strchrnul strcasestr', { reads: 'others', returnsInside: 0 }],
  ['strcpy strncpy __strcpy_chk __strncpy_chk strlcpy', { copies: { from: 1, to: 0 }, returns: 0 }],
  [
    'strcat strncat __strcat_chk __strncat_chk strlcat',
    { copies: { from: 1, to: 0 }, reads: [0], returns: 0 },
  ],
  ['stpcpy stpncpy __stpcpy_chk', { copies: { from: 1, to: 0 }, returnsInside: 0 }],
  ['strxfrm', { copies: { from: 1, to: 0 } }],
  ['strdup strndup __strdup __strndup', { returnsNew: { copyOf: 0 }, errno: true }],
  [
    'strtol strtoul strtoll strtoull strtod strtof strtold strtoimax strtoumax __strtol_internal',
    { reads: [0], pointsFirst: { at: 1, into: 0 }, errno: true },
  ],
  ['strtok', { reads: [1], stores: 0, usesStored: true, state: 'tokens' }],
  [
    'strtok_r __strtok_r',
    { reads: [0, 1], writes: [0], pointsFirst: { at: 2, into: 0 }, advances: 2, returnsInside: 0 },
  ],
  ['strsep', { reads: 'others', advances: 0 }],
  ['basename __xpg_basename dirname', { reads: [0], writes: [0], returnsInside: 0 }],
  ['sprintf snprintf __sprintf_chk __snprintf_chk strftime', { writes: [0], reads: 'others', errno: true }],
  ['vsprintf', { writes: [0], reads: [1], readsAll: [2], errno: true }],
  ['vsnprintf', { writes: [0], reads: [2], readsAll: [3], errno: true }],
  ['__vsprintf_chk __vsnprintf_chk', { writes: [0], reads: 'others', readsAll: [2, 3, 4, 5], errno: true }],
  ['asprintf __asprintf_chk', { pointsFirst: { at: 0, into: 'new' }, reads: 'others', errno: true }],
  ['vasprintf', { pointsFirst: { at: 0, into: 'new' }, reads: [1], readsAll: [2], errno: true }],
  ['sscanf', { reads: [0, 1], writesFrom: 2, errno: true }],
  ['strerror strsignal gettext dgettext dcgettext ngettext', environmentReader],
  ['textdomain bindtextdomain', environmentReader],
  // Characters and numbers
  ['isalnum isalpha iscntrl isdigit isgraph islower isprint ispunct isspace', noEffect],
  ['isupper isxdigit isblank', noEffect],
  ['toupper tolower isascii toascii abs labs llabs div ldiv lldiv ffs ffsl ffsll', noEffect],
  ['__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc', { returnsEnvironment: true }],
  ['sin cos tan asin acos sinh cosh exp exp2 log log2 log10 pow sqrt hypot', { errno: true }],
  ['fmod ldexp expm1 log1p sinf cosf tanf expf logf powf sqrtf fmodf sqrtl powl', { errno: true }],
  ['atan atan2 tanh cbrt floor ceil round trunc rint nearbyint lround lrint fabs fmin fmax fma', noEffect],
  ['copysign floorf ceilf roundf fabsf fminf fmaxf atan2f fabsl', noEffect],
  ['modf frexp modff frexpf', { writes: [1] }],
  ['rand random lrand48 drand48 mrand48', { state: 'random numbers' }],
  ['srand srandom srand48', { state: 'random numbers' }],
  ['rand_r', { reads: [0], writes: [0] }],
  // Output
  ['printf puts putchar putchar_unlocked psignal __printf_chk', output],
  ['vprintf', { ...output, readsAll: [1] }],
  ['fprintf __fprintf_chk', { ...output, writes: [0] }],
  ['vfprintf', { ...output, readsAll: [2], writes: [0] }],
  ['__vfprintf_chk', { ...output, readsAll: [3], writes: [0] }],
  ['__vprintf_chk', { ...output, readsAll: [2] }],
  ['dprintf', output],
  ['vdprintf', { ...output, readsAll: [2] }],
  ['fputs fputc putc _IO_putc putc_unlocked fputs_unlocked putw', { ...output, writes: [1] }],
  ['fwrite fwrite_unlocked', { ...output, writes: [3] }],
  ['write pwrite send sendto ftruncate', output],
  ['writev sendmsg', { ...output, readsAll: [1] }],
  ['warnx', output],
  ['perror warn syslog', { ...output, readsErrno: true }],
  ['vwarnx', { ...output, readsAll: [1] }],
  ['vwarn', { ...output, readsAll: [1], readsErrno: true }],
  ['vsyslog', { ...output, readsAll: [2], readsErrno: true }],
  ['error error_at_line', { ...exit, endsUnlessZero: 0 }],
  ['errx', exit],
  ['err', { ...exit, readsErrno: true }],
  ['verrx', { ...exit, readsAll: [2] }],
  ['verr', { ...exit, readsAll: [2], readsErrno: true }],
  ['fflush fclose pclose fsync setbuf setvbuf setlinebuf setbuffer', stream],
  ['exit quick_exit', exit],
  ['_exit _Exit abort __assert_fail __assert raise kill system', output],
  ['execv execve execvp execvpe execl execlp execle', { ...output, readsAll: [1, 2, 3, 4, 5] }],
  ['posix_spawn posix_spawnp', { ...output, writes: [0], readsAll: [1, 2, 3, 4, 5] }],
  ['_ZSt9terminatev __cxa_pure_virtual __stack_chk_fail llvm.trap llvm.debugtrap', { isOutput: true }],
  [
    '_ZNSolsE* _ZStlsI* _ZNSo3putEc _ZNSo5writeEPKcl _ZNSo9_M_insertI* _ZNSo5flushEv',
    { ...output, writes: [0], returns: 0 },
  ],
  ['_ZSt4endlI* _ZSt5flushI* _ZSt16__ostream_insertI*', { ...output, writes: [0], returns: 0 }],
  // Input
  ['getchar getchar_unlocked', { state: 'standard input', errno: true }],
  ['scanf', { state: 'standard input', reads: [0], writesFrom: 1, errno: true }],
  ['gets', { state: 'standard input', writes: [0], returns: 0, errno: true }],
  ['fgets fgets_unlocked', { reads: [2], writes: [0, 2], returns: 0, errno: true }],
  ['fgetc getc _IO_getc getc_unlocked getw', stream],
  ['ungetc', { reads: [1], writes: [1], errno: true }],
  ['fread fread_unlocked', { reads: [3], writes: [0, 3], errno: true }],
  ['fscanf', { reads: [0, 1], writes: [0], writesFrom: 2, errno: true }],
  ['getline', { reads: [0, 1, 2], writes: [1, 2], pointsFirst: { at: 0, into: 'new' }, errno: true }],
  ['getdelim', { reads: [0, 1, 3], writes: [1, 3], pointsFirst: { at: 0, into: 'new' }, errno: true }],
  ['read pread recv recvfrom', { state: 'standard input', writes: [1], errno: true }],
  ['fopen fopen64 fdopen popen tmpfile opendir fdopendir freopen', { ...systemCall, returnsNew: 'raw' }],
  ['fseek fseeko fsetpos rewind clearerr', stream],
  ['ftell ftello feof ferror fileno fgetpos', { reads: [0], writes: [1], errno: true }],
  ['readdir', { reads: [0], writes: [0], returnsInside: 0, errno: true }],
  ['closedir rewinddir', stream],
  // The system
  ['open open64 openat creat close dup dup2 dup3 lseek lseek64 access faccessat unlink', systemCall],
  ['remove rename link symlink mkdir rmdir chdir fchdir chmod fchmod chown umask isatty', systemCall],
  ['fcntl ioctl sync mkfifo utime utimes fork vfork sleep usleep alarm getpid getppid', systemCall],
  ['getuid geteuid getgid getegid setuid setgid setpgid', systemCall],
  ['sysconf pathconf getpagesize getdtablesize nice sched_yield sigismember', systemCall],
  ['sigemptyset sigfillset sigaddset sigdelset', { reads: [0], writes: [0] }],
  ['stat lstat fstat stat64 lstat64 fstat64', { ...systemCall, writes: [1] }],
  ['__xstat __lxstat __fxstat __xstat64 __lxstat64 __fxstat64', { ...systemCall, writes: [2] }],
  ['fstatat fstatat64', { ...systemCall, writes: [2] }],
  ['__fxstatat __fxstatat64', { ...systemCall, writes: [3] }],
  ['pipe pipe2 uname sysinfo times getloadavg', { writes: [0], errno: true }],
  ['wait', { writes: [0], errno: true }],
  ['waitpid wait3 wait4', { writes: [1, 3], errno: true }],
  ['nanosleep gettimeofday clock_gettime getrusage', { ...systemCall, writes: [0, 1] }],
  ['getrlimit setrlimit getitimer', { ...systemCall, writes: [0, 1] }],
  ['sigprocmask pthread_sigmask setitimer', { reads: [1], writes: [2], errno: true }],
  ['time', { writes: [0] }],
  ['clock difftime', reader],
  ['mktime timegm', { reads: [0], writes: [0] }],
  ['localtime gmtime ctime asctime', { reads: [0], returnsEnvironment: true }],
  ['localtime_r gmtime_r ctime_r asctime_r', { reads: [0], writes: [1], returns: 1 }],
  ['getenv secure_getenv setlocale nl_langinfo localeconv ttyname getlogin', environmentReader],
  ['getpwnam getpwuid getgrnam getgrgid', { ...systemCall, returnsEnvironment: true }],
  ['gethostbyname getservbyname', { ...systemCall, returnsEnvironment: true }],
  ['putenv', { reads: [0], exposes: [0] }],
  ['setenv unsetenv clearenv', systemCall],
  ['getcwd getwd', { writes: [0], returns: 0, returnsNew: 'raw', errno: true }],
  ['realpath', { reads: [0], writes: [1], returns: 1, returnsNew: 'raw', errno: true }],
  ['readlink', { reads: [0], writes: [1], errno: true }],
  ['gethostname', { writes: [0], errno: true }],
  ['mkstemp mkdtemp mktemp tmpnam', { reads: [0], writes: [0], returns: 0, returnsNew: 'raw', errno: true }],
  ['getopt', { readsAll: [1], reads: [2], sets: optionVariables }],
  [
    'getopt_long getopt_long_only',
    { readsAll: [1, 3], reads: [2], writes: [4], writesBehind: 3, sets: optionVariables },
  ],
  ['__errno_location __error ___errno', { returnsErrno: true }],
  // Callbacks
  ['qsort', { ...sorter, calls: { function: 3, passes: [0, 0] } }],
  ['qsort_r', { ...sorter, calls: { function: 3, passes: [0, 0, 4] } }],
  [
    'bsearch',
    {
      reads: [0, 1],
      returnsInside: 1,
      elements: { of: 1, bytes: 3 },
      calls: { function: 4, passes: [0, 1] },
    },
  ],
  ['atexit at_quick_exit', { postpones: { function: 0, passes: [], until: 'exit handlers' } }],
  ['on_exit', { postpones: { function: 0, passes: [-1, 1], until: 'exit handlers' } }],
  ['__cxa_atexit', { postpones: { function: 0, passes: [1], until: 'exit handlers' } }],
  [
    'signal bsd_signal sysv_signal __sysv_signal',
    { calls: { function: 1, passes: [-1] }, returns: 1, errno: true },
  ],
  ['sigaction', { reads: [1], writes: [2], exposes: [1] }],
  ['pthread_create', { writes: [0], calls: { function: 2, passes: [3] } }],
  ['pthread_join', { writes: [1] }],
  ['pthread_mutex_* pthread_cond_* pthread_self pthread_attr_* pthread_rwlock_* sem_*', noEffect],
  ['pthread_once', { calls: { function: 1, passes: [] } }],
  // Jumps and exceptions
  ['setjmp _setjmp sigsetjmp __sigsetjmp', { writes: [0] }],
  ['longjmp siglongjmp _longjmp', { reads: [0] }],
  ['__cxa_allocate_exception', { returnsNew: 'raw' }],
  [
    '__cxa_throw',
    {
      stores: 0,
      state: 'exceptions',
      postpones: { function: 2, passes: [0], until: 'exception destructors' },
      mayThrow: true,
    },
  ],
  ['__cxa_rethrow _Unwind_Resume', { state: 'exceptions', mayThrow: true }],
  ['__cxa_begin_catch __cxa_get_exception_ptr', { state: 'exceptions', returnsInside: 0 }],
  ['__cxa_end_catch', { runs: 'exception destructors' }],
  ['__cxa_free_exception __cxa_call_unexpected __gxx_personality_v0', noEffect],
  ['_ZSt17__throw_bad_allocv _ZSt20__throw_length_errorPKc _ZSt19__throw_logic_errorPKc', { mayThrow: true }],
  ['_ZSt24__throw_out_of_range_fmtPKcz _ZSt16__throw_bad_castv', { mayThrow: true }],
  ['_ZSt28__throw_bad_array_new_lengthv', { mayThrow: true }],
  ['__cxa_guard_acquire __cxa_guard_release __cxa_guard_abort', { reads: [0], writes: [0] }],
  ['__dynamic_cast', { reads: [0], returnsNear: 0 }],
  ['_ZNSt8ios_base4InitC1Ev _ZNSt8ios_base4InitD1Ev', noEffect],
  // Intrinsics with memory effects
  ['llvm.masked.*', { exchanges: true }],
  ['llvm.vp.* llvm.matrix.*', targetIntrinsic],
  ['llvm.x86.* llvm.aarch64.* llvm.arm.* llvm.ppc.* llvm.riscv.* llvm.s390.*', targetIntrinsic],
  ['llvm.mips.* llvm.loongarch.* llvm.hexagon.* llvm.wasm.* llvm.ve.* llvm.bpf.*', targetIntrinsic],
  ['llvm.nvvm.* llvm.amdgcn.*', targetIntrinsic],
];

const exact = new Map<string, LibraryFunction>();
const prefixes: [prefix: string, effects: LibraryFunction][] = [];
for (const [names, effects] of rows)
  for (const name of names.split(' '))
    if (name.endsWith('*')) prefixes.push([name.slice(0, -1), effects]);
    else exact.set(name, effects);

/** The effects of a library function; undefined for an unknown function. */
export function libraryFunction(name: string): LibraryFunction | undefined {
  // This mark begins a name in the linker's spelling.
  const linked = name.startsWith('\u0001') ? name.slice(1).replace(/^_/, '') : name;
  const plain = linked.replace(/^__isoc\d\d_/, '');
  const effects = exact.get(plain);
  if (effects !== undefined) return effects;
  for (const [prefix, effects] of prefixes) if (plain.startsWith(prefix)) return effects;
  // Other intrinsics of all targets only compute.
  return plain.startsWith('llvm.') ? intrinsic : undefined;
}

const intrinsic: LibraryFunction = { computes: true };
