/**
 * Runs the calls of culprit-cc and culprit-c++ that the shell script cc.sh leaves to Node: calls with options in files,
 * calls whose objects cannot hold IR (the IR then goes into sidecar files), and calls that build programs which record
 * their runs. Takes the compiler, the clang that emits IR (may be empty), and the words of the call.
 */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type ArgumentList,
  argumentList,
  Fault,
  runInForeground,
  thisMachine,
  userCommand,
  visibleLine,
} from '../../machine/index.js';
import { compilePlan, makesElf } from './compile-plan.js';
import { readCall } from './compiler-call.js';
import { hideBitcode, hideBitcodeInAssembly } from './hide-bitcode.js';
import { withResponseFiles } from './response-file.js';
import { listLinked } from './sidecars/linked-sidecars.js';
import { sidecarCalls } from './sidecars/sidecar-calls.js';
import { compileTraced } from './trace/compile-traced.js';

const [, , compiler = '', irCompiler = '', ...words] = process.argv;
const allWords = withResponseFiles(words, process.cwd());

const isOurs = makesElf(allWords, process.platform) && basename(compiler).startsWith('clang');

if (isOurs && process.env.CULPRIT_TRACE === '1') {
  const runCompiler = (asked: readonly string[]) => run(userCommand(asked), 'inherit');
  const call = readCall(allWords);
  const code = await compileTraced(call, [compiler, ...words], compiler, thisMachine(), runCompiler);
  if (code instanceof Fault) say(code.message);
  process.exitCode = code instanceof Fault ? 3 : code;
} else if (isOurs) {
  const { added, outputs, isAssembly } = compilePlan(allWords);
  const code = await run(userCommand([compiler, ...added, ...words]), 'inherit');
  for (const path of outputs) await (isAssembly ? hideBitcodeInAssembly(path) : hideBitcode(path));
  process.exitCode = code;
} else {
  const call = readCall(allWords);
  const sidecars = irCompiler === '' ? [] : sidecarCalls(call);
  // Standard input is read once for two compilations.
  const input =
    sidecars.length > 0 && call.sources.some(({ path }) => path === '-') ? readFileSync(0) : undefined;
  const code = await run(userCommand([compiler, ...words]), 'inherit', input);
  if (code === 0) {
    // If the IR cannot be written, the object has none; the call itself succeeds.
    const compiled = new Map<string, string>();
    for (const { source, sidecar, words: irCall } of sidecars)
      if ((await run(argumentList(irCompiler, ...irCall), 'ignore', input)) === 0)
        compiled.set(source, sidecar);
    await listLinked(call, compiled, process.cwd()).catch(() => {});
  }
  process.exitCode = code;
}

/** The exit code as a shell reports it. */
function run(args: ArgumentList, output: 'inherit' | 'ignore', input?: Buffer): Promise<number> {
  const onMissing = (message: string) => {
    if (output === 'inherit') say(message);
  };
  return runInForeground(args, { output, input, onMissing });
}

function say(message: string): void {
  process.stderr.write(`culprit-cc: ${visibleLine(message)}\n`);
}
