/**
 * What is looked through before the tests: form, types and what nobody uses. All at once, since each keeps to one core; what
 * they say comes in one piece each.
 */
import { spawn } from 'node:child_process';

const checks = [
  ['biome', 'check', '.'],
  ['tsc', '-p', 'tsconfig.json'],
  ['knip', '--no-config-hints'],
];

/** The programs are those of node_modules/.bin, which npm puts on the PATH of its scripts. */
function run([program, ...args]) {
  return new Promise((resolve) => {
    const said = [];
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (data) => said.push(data));
    child.stderr.on('data', (data) => said.push(data));
    child.on('error', (error) =>
      resolve({ code: 1, said: `${program}: ${error.message}: use npm run check\n` }),
    );
    child.on('close', (code) => resolve({ code: code ?? 1, said: Buffer.concat(said).toString() }));
  });
}

const ends = await Promise.all(checks.map(run));
for (const { said } of ends) process.stderr.write(said);
process.exitCode = ends.find(({ code }) => code !== 0)?.code ?? 0;
