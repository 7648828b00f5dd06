/** The complexity of a commit of any C or C++ repository. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Commit, Repository } from '../../repository/index.js';
import { type CodeTree, treeOfCommit } from '../code/code-tree.js';
import { type CodeChange, changeOfCommit, usersOfMacros } from '../code/commit-change.js';
import { readPairs } from '../code/read-pairs.js';
import type { CompilePlan } from './compiled-flow.js';
import { type ChangeMeasure, measureChange } from './measure-change.js';
import type { SequenceOptions } from './sequence-graph.js';

export interface MeasuredChange extends ChangeMeasure {
  /** C and C++ files that differ. */
  readonly files: readonly string[];
  /** The new version of each of them. */
  readonly texts: ReadonlyMap<string, string>;
  /** What was left out or could not be compiled, a sentence each. */
  readonly notes: readonly string[];
  /** Milliseconds the compiler took, and everything else. */
  readonly compilerMs: number;
  readonly ownMs: number;
}

export interface MeasureOptions extends SequenceOptions {
  /** Undefined: everything is read from its source alone. */
  readonly plan?: CompilePlan | undefined;
}

/** Versions that lie in folders. @param folder where the new one is */
export async function measureFolders(
  change: CodeChange,
  folder: string,
  code: CodeTree,
  options: MeasureOptions,
  signal: AbortSignal,
): Promise<MeasuredChange> {
  return measured(change, options, { folder: async () => resolve(folder), code }, signal);
}

/** What besides the changed files themselves is asked of the version they are in. */
interface Around {
  /** Where its files lie, for the compiler. */
  readonly folder: () => Promise<string>;
  readonly code: CodeTree;
}

async function measured(
  { files, notes }: CodeChange,
  options: MeasureOptions,
  around: Around,
  signal: AbortSignal,
  startedAt = performance.now(),
): Promise<MeasuredChange> {
  const { plan } = options;
  const pairs = readPairs(files);
  const { users, notes: unread } = await usersOfMacros(around.code, pairs, signal);
  const present = files.filter(({ newText }) => newText !== '').map(({ path }) => path);
  const compiled =
    plan === undefined || present.length === 0
      ? undefined
      : await plan.compile(present, await around.folder(), signal);
  const measure = measureChange(
    { files: pairs, users, ...(compiled === undefined ? {} : { compiled: compiled.functions }) },
    options,
  );
  const compilerMs = compiled?.compilerMs ?? 0;
  return {
    ...measure,
    files: files.map(({ path }) => path),
    texts: new Map(files.map(({ path, newText }) => [path, newText])),
    notes: [...notes, ...unread, ...(compiled?.notes ?? [])],
    compilerMs,
    ownMs: performance.now() - startedAt - compilerMs,
  };
}

/** Measures commits one after another; their files are laid out in a folder of its own when they are compiled. */
export class CommitMeter {
  #folder: string | undefined;

  constructor(
    private readonly repository: Repository,
    private readonly options: MeasureOptions,
  ) {}

  async measure(commit: Commit, signal: AbortSignal): Promise<MeasuredChange> {
    const startedAt = performance.now();
    const change = await changeOfCommit(this.repository, commit, signal);
    const notes = [
      ...(commit.parents.length > 1 ? ['a merge: measured against its first parent'] : []),
      ...change.notes,
    ];
    return this.measureChange({ ...change, notes }, commit.id, startedAt, signal);
  }

  /** @param id the commit the new version of the files is in */
  async measureChange(
    change: CodeChange,
    id: string,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<MeasuredChange> {
    const around: Around = {
      folder: () => this.#folderOf(id, signal),
      code: treeOfCommit(this.repository, id),
    };
    return measured(change, this.options, around, signal, startedAt);
  }

  /** Takes the folder away. */
  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #folderOf(id: string, signal: AbortSignal): Promise<string> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'culprit-tree-'));
    await this.repository.checkOut(id, this.#folder, signal);
    return join(this.#folder, 'source');
  }
}
