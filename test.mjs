/**
 * Form, types and what nobody uses are looked through while the tests run: both keep a processor waiting now and then. What
 * is wrong there is said when it is found and once more at the end.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';

/** The programs are those of node_modules/.bin, which npm puts on the PATH of its scripts. */
function run(program, ...args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}: use npm test`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** `npm ci` has built it already: nothing was changed, added or taken away since. */
function isBuilt() {
  const last = 'dist/bin/program.compiled';
  if (!existsSync(last)) return false;
  const sources = readdirSync('src', { recursive: true }).map((path) => `src/${path}`);
  const others = [
    'src',
    'bundle.mjs',
    'package.json',
    'package-lock.json',
    'sweep.mjs',
    'tsconfig.json',
    'tsconfig.build.json',
  ];
  const builtMs = statSync(last).mtimeMs;
  return [...sources, ...others].every((path) => statSync(path).mtimeMs < builtMs);
}

const checked = run('npm', 'run', '--silent', 'check');
const built = isBuilt() ? 0 : await run('npm', 'run', '--silent', 'build');
const tested = built === 0 ? await run('vitest', 'run', ...process.argv.slice(2)) : built;
if ((await checked) !== 0) console.error('npm run check finds fault, see above');
process.exitCode = (await checked) === 0 ? tested : 1;
