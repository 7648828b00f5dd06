/** Which lines the failing test executes: the new version built once more, by compilers that count. */

import { resolve } from 'node:path';
import { countedBuild, type Executed, readGcovFolder } from '../../coverage/index.js';
import {
  asWritten,
  Fault,
  findOnPath,
  ownFile,
  runToEnd,
  thisMachine,
  usageFault,
} from '../../machine/index.js';
import { type Commands, runBuild, runTest } from '../trials/commands.js';
import { standInCompilers } from '../trials/compilers-on-path.js';
import { layOutSources, type Sources } from '../trials/sources.js';

/** By files and lines of the new version. */
export type ExecutedLines = Executed['files'];

/**
 * @param folder of culprit's own, for this alone
 */
export async function executedLines(
  sources: Sources,
  folder: string,
  commands: Commands,
  signal: AbortSignal,
): Promise<ExecutedLines | Fault> {
  const source = await layOutSources(sources, folder, signal);
  if (source instanceof Fault) return source;
  const env = await countingCompilers(folder, signal);
  if (env instanceof Fault) return env;
  const counting = { ...commands, env: { ...commands.env, ...env } };
  const built = await runBuild(source, counting, signal);
  if (built instanceof Fault) return built;
  if (!built.isBuilt) return usageFault('it does not build with compilers that count what is executed');
  const tested = await runTest(source, counting, signal);
  if (tested instanceof Fault) return tested;
  // What is built beside the sources counts there.
  const read = await readGcovFolder(folder, signal);
  if (read instanceof Fault) return usageFault(`nothing was counted: ${read.message}`);
  const counted = countedBuild(read, source);
  return counted instanceof Fault ? counted : counted.executed.files;
}

/** What a build must be given so that it calls compilers that count. */
async function countingCompilers(
  folder: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | Fault> {
  const path = await standInCompilers(
    resolve(folder, 'compilers'),
    ownFile('src/explain/counting/compiler.sh'),
  );
  if (path instanceof Fault) return path;
  const last = resolve(folder, 'last.o');
  const compiler = ['cc', 'gcc', 'clang'].find((name) => findOnPath(name, thisMachine()) !== undefined);
  if (compiler === undefined) return usageFault('there is no compiler for C on PATH');
  const end = await runToEnd({
    words: asWritten([compiler, '-O1', '-c', ownFile('src/explain/counting/last.c'), '-o', last]),
    output: 'keep',
    signal,
  });
  if (end instanceof Fault) return end;
  if (end.exitCode !== 0) return usageFault(`${compiler} cannot compile: ${end.stderr.trim()}`);
  return { PATH: path, CULPRIT_PATH: process.env.PATH ?? '', CULPRIT_LAST: last };
}
