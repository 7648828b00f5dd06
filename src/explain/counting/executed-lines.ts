/** The lines that the test executes, counted by an instrumented build. */

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
import { standInCompilers } from '../trials/compilers-on-path.js';
import type { TestedVersion } from '../trials/tested-version.js';
import { WorkTree } from '../trials/work-tree.js';

/** Execution counts by file and line of the new version. */
export type ExecutedLines = Executed['files'];

/** A copy of a version that is built with coverage counters, with any of its changes reverted. */
export class InstrumentedTree {
  private constructor(
    private readonly folder: string,
    private readonly tree: WorkTree,
  ) {}

  /**
   * @param folder used for nothing else
   * @param files with the changes that may be reverted
   */
  static async open(
    version: TestedVersion,
    folder: string,
    files: readonly ChangedFile[],
    signal: AbortSignal,
  ): Promise<InstrumentedTree | Fault> {
    const env = await instrumentingCompilers(folder, signal);
    if (env instanceof Fault) return env;
    const treeFolder = join(folder, 'tree');
    const tree = await WorkTree.open(treeFolder, version.with({ env }), files, signal);
    return tree instanceof Fault ? tree : new InstrumentedTree(treeFolder, tree);
  }

  get source(): string {
    return this.tree.source;
  }

  async executed(reverted: ReadonlySet<number>, signal: AbortSignal): Promise<ExecutedLines | Fault> {
    await removeCounts(this.folder);
    const trial = await this.tree.try(reverted, signal);
    if (trial instanceof Fault) return trial;
    if (trial.verdict === 'does not build')
      return usageFault('the version does not build with coverage counters');
    // A build folder next to the sources holds its own counts.
    const read = await readGcovFolder(this.folder, signal);
    if (read instanceof Fault) return usageFault(`the test wrote no coverage counts: ${read.message}`);
    const counted = countedBuild(read, this.source);
    return counted instanceof Fault ? counted : counted.executed.files;
  }
}

/** Removes counts of another version or of an interrupted run. */
async function removeCounts(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  for (const name of names) if (name.endsWith('.gcda')) await rm(join(folder, name), { force: true });
}

/** @returns the environment in which a build calls instrumenting compilers */
async function instrumentingCompilers(
  folder: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | Fault> {
  const compilers = resolve(folder, 'compilers');
  await rm(compilers, { recursive: true, force: true });
  const path = await standInCompilers(compilers, packageFile('src/explain/counting/compiler.sh'));
  if (path instanceof Fault) return path;
  const last = resolve(folder, 'last.o');
  const compiler = ['cc', 'gcc', 'clang'].find((name) => findOnPath(name, thisMachine()) !== undefined);
  if (compiler === undefined) return usageFault('PATH has no C compiler (cc, gcc or clang)');
  const end = await runToEnd({
    words: userCommand([compiler, '-O1', '-c', packageFile('src/explain/counting/last.c'), '-o', last]),
    output: 'keep',
    signal,
  });
  if (end instanceof Fault) return end;
  if (end.exitCode !== 0) return usageFault(`${compiler} cannot compile: ${end.stderr.trim()}`);
  // ccache would reuse objects that were compiled without counters or for another folder.
  return { PATH: path, CULPRIT_PATH: process.env.PATH ?? '', CULPRIT_LAST: last, CCACHE_DISABLE: '1' };
}
