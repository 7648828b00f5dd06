/** The environment variables that culprit reads. A test compares them with the code. */
export const environment: Readonly<Record<string, string>> = {
  CULPRIT_CACHE: 'the folder of the cache, instead of culprit in XDG_CACHE_HOME',
  XDG_CACHE_HOME: 'the folder that caches of all programs are in; ~/.cache where it is not set',
  CULPRIT_OFFLINE: 'where it is set, nothing is fetched',
  CULPRIT_CC:
    'the clang for culprit-cc and for all that is compiled; otherwise the newest on PATH, 14 or later',
  CULPRIT_CXX: 'the same for culprit-c++',
  CULPRIT_TRACE: 'where it is 1, culprit-cc compiles programs that record their runs, as with --trace',
  CULPRIT_TRACE_DIR: 'where such a program, when it runs, leaves its record; without it nothing is recorded',
  CULPRIT_TRACE_OPT: 'how such a program is optimised, such as 0; otherwise 1',
  CULPRIT_DEBIAN_MIRROR: "the address of Debian's archive: the folder with dists/ and pool/ in it",
  CULPRIT_DEBIAN_KEYRING: 'the keys that archive is signed with; none switches the check off',
  CULPRIT_WRITABLE: 'folders that solvers may write to besides their own, with colons between',
  'http_proxy, https_proxy, all_proxy, no_proxy': 'proxies, as other programs take them; also in capitals',
  PATH: 'where solvers, clang, git and other tools are looked for',
  TMPDIR: 'where temporary files go',
  MAKEFLAGS: 'options for make, which explain besides tells to go on after a complaint (-k)',
  CULPRIT_PROGRESS:
    'how often a line tells how far a command is where standard error is no terminal, such as 30s; never for none',
  NO_COLOR: 'where it is set, nothing is coloured',
  FORCE_COLOR: 'where it is set, and not 0, colours also where nobody watches',
  TERM: 'dumb is a terminal without colours',
  GIT_CONFIG_GLOBAL:
    "the user's own git configuration, asked which repositories are safe; no other variable of git counts",
};

/** The variables that build commands can use. */
export const buildEnvironment: Readonly<Record<string, string>> = {
  CULPRIT_BUILD: 'a folder that stays from one commit to the next',
  CULPRIT_JOBS: 'how many compilers may run at once',
  CULPRIT_COMPILE:
    "a program that, put before a compiler's call, compiles quickly and optimises nothing; for quick builds",
  CULPRIT_LINK:
    "what, among the compiler's words for linking, links quickly, and stands in for what was not compiled; for quick builds",
  CULPRIT_COVERAGE: 'a program that is run before a build that counts what it executes',
  CULPRIT_COVERAGE_FLAGS: 'what the compiler must be given in such a build',
  CULPRIT_COVERAGE_LINK: 'what the linker must be given in such a build',
};
