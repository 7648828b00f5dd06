/**
 * Every test, with the static checks next to them: neither keeps two processors busy alone. Builds first, unless the
 * build is newer than every source.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { run } from './run.mjs';

const inputs = [
  'src',
  'scripts/bundle.mjs',
  'scripts/clean-dist.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** `npm ci` has built already; a build ends by writing this file. */
function isBuilt() {
  const last = 'dist/bin/program.compiled';
  if (!existsSync(last)) return false;
  const sources = readdirSync('src', { recursive: true }).map((path) => `src/${path}`);
  const builtMs = statSync(last).mtimeMs;
  return [...inputs, ...sources].every((path) => statSync(path).mtimeMs < builtMs);
}

const checking = run('npm', ['run', '--silent', 'check']);
const built = isBuilt() ? 0 : (await run('npm', ['run', '--silent', 'build'])).code;
const tested = built === 0 ? (await run('vitest', ['run', ...process.argv.slice(2)])).code : built;
const checked = (await checking).code;
if (checked !== 0) console.error('npm run check failed: see above');
process.exitCode = tested === 0 ? checked : tested;
