/**
 * Performs `culprit-cc --trace` in this process, because starting Node takes longer than the rest.
 * `tests/program/compile/traced-build.test.ts` runs the command itself.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { thisMachine } from '../../src/machine/index.js';
import { findNewest } from '../../src/program/compile/clang.js';
import { readCall } from '../../src/program/compile/compiler-call.js';
import { compileTraced } from '../../src/program/compile/trace/compile-traced.js';
import { needsTools } from '../needs.js';
import { withoutFault } from '../without-fault.js';

needsTools('compilers');

/** Throws unless it succeeds. Paths in the call are relative to the folder. */
export async function compileWithTrace(
  plain: 'clang' | 'clang++',
  words: readonly string[],
  folder: string,
): Promise<void> {
  const machine = thisMachine();
  const compiler = await findNewest(plain, machine);
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
