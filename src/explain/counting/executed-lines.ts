/** Which lines the test executes: built once more, by compilers that count. */

import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { countedBuild, type Executed, readGcovFolder } from '../../coverage/index.js';
import {
  Fault,
  findOnPath,
  packageFile,
  runToEnd,
  thisMachine,
  usageFault,
  userCommand,
} from '../../machine/index.js';
import type { ChangedFile } from '../changes/change.js';
import type { Commands } from '../trials/commands.js';
import { standInCompilers } from '../trials/compilers-on-path.js';
import type { Sources } from '../trials/sources.js';
import { WorkTree } from '../trials/work-tree.js';

/** By files and lines of the new version. */
export type ExecutedLines = Executed['files'];

/** A copy of the new version that is built by compilers that count, with any changes taken back. */
export class CountingTree {
  private constructor(
    private readonly folder: string,
    private readonly tree: WorkTree,
  ) {}

  /**
   * @param folder of culprit's own, for this alone
   * @param files those with changes that may be taken back
   */
  static async open(
    sources: Sources,
    folder: string,
    files: readonly ChangedFile[],
    commands: Commands,
    signal: AbortSignal,
  ): Promise<CountingTree | Fault> {
    const env = await countingCompilers(folder, signal);
    if (env instanceof Fault) return env;
    const counting = { ...commands, env: { ...commands.env, ...env } };
    const around = join(folder, 'tree');
    const tree = await WorkTree.open(around, sources, files, counting, signal);
    return tree instanceof Fault ? tree : new CountingTree(around, tree);
  }

  /** The folder with the sources, as they were built last. */
  get source(): string {
    return this.tree.source;
  }

  /** What the test executes; only what differs from the last time is compiled again. */
  async executed(reverted: ReadonlySet<number>, signal: AbortSignal): Promise<ExecutedLines | Fault> {
    await forgetCounts(this.folder);
    const trial = await this.tree.try(reverted, signal);
    if (trial instanceof Fault) return trial;
    if (trial.verdict === 'does not build')
      return usageFault('it does not build with compilers that count what is executed');
    // What is built beside the sources counts there.
    const read = await readGcovFolder(this.folder, signal);
    if (read instanceof Fault) return usageFault(`nothing was counted: ${read.message}`);
    const counted = countedBuild(read, this.source);
    return counted instanceof Fault ? counted : counted.executed.files;
  }
}

/** What another version executed, or an earlier run that was cut off. */
async function forgetCounts(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  for (const name of names) if (name.endsWith('.gcda')) await rm(join(folder, name), { force: true });
}

/** What a build must be given so that it calls compilers that count. */
async function countingCompilers(
  folder: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | Fault> {
  const compilers = resolve(folder, 'compilers');
  await rm(compilers, { recursive: true, force: true });
  const path = await standInCompilers(compilers, packageFile('src/explain/counting/compiler.sh'));
  if (path instanceof Fault) return path;
  const last = resolve(folder, 'last.o');
  const compiler = ['cc', 'gcc', 'clang'].find((name) => findOnPath(name, thisMachine()) !== undefined);
  if (compiler === undefined) return usageFault('there is no compiler for C on PATH');
  const end = await runToEnd({
    words: userCommand([compiler, '-O1', '-c', packageFile('src/explain/counting/last.c'), '-o', last]),
    output: 'keep',
    signal,
  });
  if (end instanceof Fault) return end;
  if (end.exitCode !== 0) return usageFault(`${compiler} cannot compile: ${end.stderr.trim()}`);
  // ccache would not know that these compilers write down what they count, and where.
  return { PATH: path, CULPRIT_PATH: process.env.PATH ?? '', CULPRIT_LAST: last, CCACHE_DISABLE: '1' };
}
