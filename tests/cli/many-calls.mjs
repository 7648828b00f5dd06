/**
 * Runs many calls of the built command in one process: starting Node.js and loading the command takes far longer than
 * most calls. Calls that change more than the streams and the exit code need their own process.
 *
 * node many-calls.mjs MAIN < calls.json: a list of argument lists; prints a list of results.
 */
import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const [node, , main] = process.argv;
const { program } = createRequire(import.meta.url)(main).load();
const ended = [];
for (const args of JSON.parse(readFileSync(0, 'utf8'))) {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    process[name].write = (text) => {
      said[name] += text;
      return true;
    };
  process.argv = [node, main, ...args];
  process.exitCode = undefined;
  await program.main();
  // Listeners of one call must not hear the next one.
  process.removeAllListeners('uncaughtException');
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  ended.push({ ...said, exitCode: process.exitCode ?? 0 });
}
process.exitCode = 0;
writeSync(1, JSON.stringify(ended));
