/** Before every test file: the environment does not depend on the user's terminal, locale, time zone or CI system. */

const set = {
  TZ: 'UTC',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TERM: 'dumb',
  // When commands print progress depends on the clock.
  CULPRIT_PROGRESS: 'never',
};

const unset =
  /^(LANGUAGE|LC_(?!ALL).*|COLUMNS|LINES|(NO|FORCE)_COLOR|COLORTERM|CLICOLOR.*|CI|GITHUB_.*|GIT_.*|MAKEFLAGS|CC|CXX|(C|CPP|CXX|LD)FLAGS)$/;

for (const name of Object.keys(process.env)) if (unset.test(name)) delete process.env[name];
Object.assign(process.env, set);
