/** Which lines the failing test executes: the new version built once more, by compilers that count. */

import { readdir, symlink } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { countedBuild, type Executed, readGcovFolder } from '../../coverage/index.js';
import {
  asWritten,
  cannotWrite,
  Fault,
  findOnPath,
  makeFolder,
  ownFile,
  runToEnd,
  thisMachine,
  usageFault,
} from '../../machine/index.js';
import { type Commands, runBuild, runTest } from '../trials/commands.js';
import { layOutSources, type Sources } from '../trials/sources.js';

/** Names by which builds call a compiler for C or C++. */
const compilerNames = /^(?:cc|c89|c99|gcc|clang|c\+\+|g\+\+|clang\+\+)(?:-\d+)?$/;

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
  const read = await readGcovFolder(source, signal);
  if (read instanceof Fault) return usageFault(`nothing was counted: ${read.message}`);
  const counted = countedBuild(read, source);
  return counted instanceof Fault ? counted : counted.executed.files;
}

/** What a build must be given so that it calls compilers that count. */
async function countingCompilers(
  folder: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | Fault> {
  // A build goes from folder to folder.
  const compilers = resolve(folder, 'compilers');
  const last = resolve(folder, 'last.o');
  const path = process.env.PATH ?? '';
  try {
    await makeFolder(compilers);
    for (const name of await compilersOn(path))
      await symlink(ownFile('src/explain/counting/compiler.sh'), join(compilers, name));
  } catch (error) {
    return cannotWrite(compilers, error);
  }
  const compiler = ['cc', 'gcc', 'clang'].find((name) => findOnPath(name, thisMachine()) !== undefined);
  if (compiler === undefined) return usageFault('there is no compiler for C on PATH');
  const end = await runToEnd({
    words: asWritten([compiler, '-O1', '-c', ownFile('src/explain/counting/last.c'), '-o', last]),
    output: 'keep',
    signal,
  });
  if (end instanceof Fault) return end;
  if (end.exitCode !== 0) return usageFault(`${compiler} cannot compile: ${end.stderr.trim()}`);
  return { PATH: `${compilers}${delimiter}${path}`, CULPRIT_PATH: path, CULPRIT_LAST: last };
}

async function compilersOn(path: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const folder of path.split(delimiter))
    for (const name of await namesIn(folder)) if (compilerNames.test(name)) names.add(name);
  return names;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return folder === '' ? [] : await readdir(folder).catch(() => []);
}
