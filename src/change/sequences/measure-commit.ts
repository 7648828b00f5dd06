/** Measures the complexity of changes to C and C++ code in a commit, a working tree or a pair of folders. */

import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { environmentFault, Fault, temporaryFolder, YieldTimer } from '../../machine/index.js';
import { type Commit, Repository, shortId } from '../../repository/index.js';
import { type CodeTree, treeOfFolder, treeOfRepository } from '../code/code-tree.js';
import {
  type CodeChange,
  changeBetween,
  changeOfFolders,
  changeOfWorkingTree,
} from '../code/commit-change.js';
import { findMacroUsers, type MacroUsers } from '../code/macro-users.js';
import { readPairs } from '../code/read-pairs.js';
import type { Hunk } from '../hunks/hunks.js';
import type { CompiledFiles, FileCompiler } from './compiled-flow.js';
import { type ChangeMeasure, measureChange } from './measure-change.js';
import type { SequenceGraph, SequenceOptions } from './sequence-graph.js';
import type { WholeProgram } from './whole-program.js';

export interface MeasuredChange extends ChangeMeasure {
  readonly files: readonly string[];
  /** The new version of the changed files, and of files that use changed code. */
  readonly texts: ReadonlyMap<string, string>;
  readonly edits: ReadonlyMap<string, FileEdit>;
  /** One sentence for each thing that was left out or could not be compiled. */
  readonly notes: readonly string[];
  readonly compilerMs: number;
  readonly ownMs: number;
}

export interface FileEdit {
  readonly oldText: string;
  readonly hunks: readonly Hunk[];
}

export interface MeasureOptions extends SequenceOptions {
  /** If undefined, all files are only parsed. */
  readonly compiler?: FileCompiler | undefined;
  /** The new version as it was built. Calls are followed through the whole program, and nothing is compiled. */
  readonly program?: WholeProgram | undefined;
  /** Ignore files that exist in only one of two folders. */
  readonly isOfCommonFiles?: boolean | undefined;
}

const neverAborted = new AbortController().signal;

/**
 * Measures a commit against its first parent.
 *
 * @param path a folder of the repository
 * @param revision a name of the commit for git, such as `HEAD~1`
 */
export async function measureCommit(
  path: string,
  revision: string,
  options: MeasureOptions = {},
  signal: AbortSignal = neverAborted,
): Promise<MeasuredChange | Fault> {
  const repository = await Repository.open(path, signal);
  if (repository instanceof Fault) return repository;
  const id = await repository.resolve(revision, signal);
  if (id instanceof Fault) return id;
  const commits = await repository.commits([id], signal);
  if (commits instanceof Fault) return commits;
  const [commit] = commits;
  if (commit === undefined) return environmentFault(`${shortId(id)} cannot be read`);
  const meter = new CommitMeter(repository, options);
  try {
    return await meter.measure(commit, signal);
  } finally {
    await meter.close();
  }
}

export async function measureFolders(
  oldFolder: string,
  newFolder: string,
  options: MeasureOptions = {},
  signal: AbortSignal = neverAborted,
): Promise<MeasuredChange | Fault> {
  const change = await changeOfFolders(oldFolder, newFolder, options.isOfCommonFiles ?? false);
  if (change instanceof Fault) return change;
  const version = { folder: async () => resolve(newFolder), code: treeOfFolder(newFolder) };
  return measureVersion(change, options, version, signal);
}

/** Measures the working tree against the commit that is checked out. */
export async function measureFiles(
  repository: Repository,
  options: MeasureOptions = {},
  signal: AbortSignal = neverAborted,
): Promise<MeasuredChange | Fault> {
  const head = await repository.resolve('HEAD', signal);
  if (head instanceof Fault) return head;
  const change = await changeOfWorkingTree(repository, head, signal);
  if (change instanceof Fault) return change;
  const version = { folder: async () => resolve(repository.path), code: treeOfRepository(repository) };
  return measureVersion(change, options, version, signal);
}

interface NewVersion {
  /** Lays its files out for the compiler, and returns their folder. */
  readonly folder: () => Promise<string | Fault>;
  readonly code: CodeTree;
}

async function measureVersion(
  { files, notes }: CodeChange,
  options: MeasureOptions,
  version: NewVersion,
  signal: AbortSignal,
  startedAt = performance.now(),
): Promise<MeasuredChange | Fault> {
  const yieldTimer = new YieldTimer(signal);
  const isAsPublished = options.isAsPublished ?? false;
  const pairs = await yieldTimer.runSteps(readPairs(files, isAsPublished));
  const macros = isAsPublished ? noUsers : await findMacroUsers(version.code, pairs, signal);
  if (macros instanceof Fault) return macros;
  const present = files.filter(({ newText }) => newText !== '').map(({ path }) => path);
  const { program } = options;
  const compiled =
    program === undefined ? await compiledFiles(present, options.compiler, version, signal) : undefined;
  if (compiled instanceof Fault) return compiled;
  const input = {
    files: pairs,
    users: macros.users,
    compiled: program?.functions ?? compiled?.functions,
    taken: compiled?.taken,
    sourceNames: compiled?.sourceNames,
    isWhole: program !== undefined,
  };
  const measure = await yieldTimer.runSteps(measureChange(input, options));
  const compilerMs = compiled?.compilerMs ?? 0;
  return {
    ...measure,
    files: files.map(({ path }) => path),
    texts: textsOf(files, macros, measure),
    edits: new Map(
      files.map(({ path, oldText }, at) => [path, { oldText, hunks: pairs[at]?.hunks ?? [] }] as const),
    ),
    notes: [
      ...notes,
      ...macros.notes,
      ...(compiled?.notes ?? []),
      ...programNotes(measure, program),
      ...edgeNotes(measure.graph),
    ],
    compilerMs,
    ownMs: performance.now() - startedAt - compilerMs,
  };
}

function programNotes({ functions }: ChangeMeasure, program: WholeProgram | undefined): readonly string[] {
  if (program === undefined) return [];
  const missing = new Set(functions.map(({ file }) => file).filter((file) => !program.functions.has(file)));
  return [
    ...program.notes,
    ...[...missing].map((file) => `${file} is only parsed: the program does not include it`),
  ];
}

const noUsers: MacroUsers = { users: [], texts: new Map(), notes: [] };

function textsOf(
  files: CodeChange['files'],
  { texts: used }: MacroUsers,
  { functions }: ChangeMeasure,
): ReadonlyMap<string, string> {
  const texts = new Map(files.map(({ path, newText }) => [path, newText]));
  for (const { file } of functions) {
    const text = used.get(file);
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}

function edgeNotes({ edges, edgeCount }: SequenceGraph): readonly string[] {
  if (edges.length === edgeCount) return [];
  return [`the change sequence graph has ${edgeCount} edges: too many to list`];
}

async function compiledFiles(
  paths: readonly string[],
  compiler: FileCompiler | undefined,
  version: NewVersion,
  signal: AbortSignal,
): Promise<CompiledFiles | undefined | Fault> {
  if (compiler === undefined || paths.length === 0) return undefined;
  const folder = await version.folder();
  return folder instanceof Fault ? folder : compiler.compile(paths, folder, signal);
}

/** Measures commits one after another. For the compiler, it checks them out into a temporary folder. */
export class CommitMeter {
  #folder: string | undefined;

  constructor(
    private readonly repository: Repository,
    private readonly options: MeasureOptions,
  ) {}

  /** Measures a commit against its first parent. */
  async measure({ id, parents }: Commit, signal: AbortSignal): Promise<MeasuredChange | Fault> {
    const measure = await this.measureBetween(parents[0], id, signal);
    if (measure instanceof Fault || parents.length < 2) return measure;
    return { ...measure, notes: ['merge commit: measured against its first parent', ...measure.notes] };
  }

  /**
   * Measures everything between two commits as one change.
   *
   * @param oldId if undefined, the empty tree
   */
  async measureBetween(
    oldId: string | undefined,
    newId: string,
    signal: AbortSignal,
  ): Promise<MeasuredChange | Fault> {
    const startedAt = performance.now();
    const change = await changeBetween(this.repository, oldId, newId, signal);
    if (change instanceof Fault) return change;
    const version: NewVersion = {
      folder: () => this.#folderOf(newId, signal),
      code: treeOfRepository(this.repository, newId),
    };
    return measureVersion(change, this.options, version, signal, startedAt);
  }

  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #folderOf(id: string, signal: AbortSignal): Promise<string | Fault> {
    this.#folder ??= await temporaryFolder('tree');
    const missing = await this.repository.checkOut(id, this.#folder, signal);
    return missing instanceof Fault ? missing : join(this.#folder, 'source');
  }
}
