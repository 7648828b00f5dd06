/**
 * What `culprit-cc --trace` does, in this process: to start Node for it takes longer than all else.
 * `tests/program/compile/traced-build.test.ts` calls the command itself.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { thisMachine } from '../../src/machine/index.js';
import { newestOf } from '../../src/program/compile/clang.js';
import { readCall } from '../../src/program/compile/compiler-call.js';
import { compileTraced } from '../../src/program/compile/trace/compile-traced.js';
import { withoutFault } from '../without-fault.js';

/** Throws unless it succeeds. Paths of the call are those of the folder. */
export async function compileWithTrace(
  plain: 'clang' | 'clang++',
  words: readonly string[],
  folder: string,
): Promise<void> {
  const machine = thisMachine();
  const compiler = await newestOf(plain, machine);
  if (compiler === undefined) throw new Error(`there is no ${plain}`);
  const said: string[] = [];
  const run = async ([program = '', ...args]: readonly string[]): Promise<number> => {
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    const [text, [code]] = await Promise.all([buffer(child.stderr), once(child, 'close')]);
    said.push(text.toString());
    return typeof code === 'number' ? code : 1;
  };
  const code = await compileTraced(readCall(words), [compiler, ...words], compiler, machine, run);
  if (withoutFault(code) !== 0) throw new Error(`${plain} ${words.join(' ')}: ${said.join('')}`);
}
