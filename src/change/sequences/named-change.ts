/** Measures a change that the user names: a commit, a range, two folders, or the uncommitted changes. */

import { stat } from 'node:fs/promises';
import { environmentFault, Fault, usageFault } from '../../machine/index.js';
import { type Commit, Repository } from '../../repository/index.js';
import { FileCompiler } from './compiled-flow.js';
import {
  CommitMeter,
  type MeasuredChange,
  type MeasureOptions,
  measureFiles,
  measureFolders,
} from './measure-commit.js';
import { type OnProgramStep, WholeProgram } from './whole-program.js';

export interface NamedChange {
  readonly of: Commit | string;
  readonly measure: MeasuredChange;
}

export interface ChangeRequest {
  /** A commit, or a range such as `v1..v2`. If undefined, the uncommitted changes. */
  readonly change?: string | undefined;
  readonly repo: string;
  /** Two folders instead of a repository: the old version and the new one. */
  readonly folders?: readonly string[] | undefined;
  /** Measure a range as one change, not commit by commit. */
  readonly isWhole: boolean;
  readonly isAsPublished: boolean;
  /** If false, all files are only parsed. */
  readonly withCompiler: boolean;
  readonly compileCommands?: string | undefined;
  /** The new version as it was built: a program that culprit-cc linked, or a `compile_commands.json`. */
  readonly program?: string | undefined;
  /** Called when the program was read. The work after that cannot be interrupted. */
  readonly onProgram?: (() => void) | undefined;
  readonly onStep?: OnProgramStep | undefined;
  readonly signal: AbortSignal;
  readonly onNote: (note: string) => void;
  readonly onCommit: (done: number, all: number) => void;
}

export interface MeasuredChanges {
  readonly changes: readonly NamedChange[];
  /** The new version as it was built, if it was named. */
  readonly program: WholeProgram | undefined;
}

export async function measureNamed(request: ChangeRequest): Promise<MeasuredChanges | Fault> {
  if (request.folders !== undefined) return measureTwoFolders(request.folders, request);
  const { change, repo, signal } = request;
  const repository = await Repository.open(repo, signal);
  if (repository instanceof Fault) return repository;
  const fault = await checkSingleChange(repository, request);
  if (fault !== undefined) return fault;
  // Commits name files from the top of the repository, the working tree from the current folder.
  const root = change === undefined ? repo : (repository.top ?? repo);
  const options = await optionsFor(request, root);
  if (options instanceof Fault) return options;
  if (change === undefined) {
    const measure = await measureFiles(repository, options, signal);
    const { program } = options;
    return measure instanceof Fault ? measure : { changes: [{ of: 'not committed', measure }], program };
  }
  const meter = new CommitMeter(repository, options);
  try {
    const changes = await measureRevisions(repository, meter, change, request);
    return changes instanceof Fault ? changes : { changes, program: options.program };
  } finally {
    await meter.close();
  }
}

/** A whole program belongs to one change. Checked before the program is read, which may take minutes. */
async function checkSingleChange(
  repository: Repository,
  { change, program, isWhole, signal }: ChangeRequest,
): Promise<Fault | undefined> {
  if (program === undefined || change === undefined || isWhole) return undefined;
  const ids = await idsOf(repository, change, signal);
  if (ids instanceof Fault) return ids;
  return ids.length > 1
    ? usageFault('--program needs a single change: name one commit, or add --whole')
    : undefined;
}

async function measureTwoFolders(
  folders: readonly string[],
  request: ChangeRequest,
): Promise<MeasuredChanges | Fault> {
  const [old, next, ...more] = folders;
  if (old === undefined || next === undefined || more.length > 0)
    return usageFault('--folders needs two folders: the old version and the new one');
  for (const folder of [old, next])
    if (!(await isFolder(folder))) return usageFault(`${folder} is not a folder`);
  const options = await optionsFor(request, next);
  if (options instanceof Fault) return options;
  const measure = await measureFolders(old, next, options, request.signal);
  const { program } = options;
  return measure instanceof Fault ? measure : { changes: [{ of: `${old} to ${next}`, measure }], program };
}

/** A missing compiler is a fault only if the user named a compile database. Otherwise files are parsed. */
async function optionsFor(request: ChangeRequest, root: string): Promise<MeasureOptions | Fault> {
  const { compileCommands, onStep, isAsPublished } = request;
  if (request.program !== undefined) {
    const callbacks = { onRead: request.onProgram, onStep };
    const program = await WholeProgram.read(request.program, root, request.signal, callbacks);
    if (program instanceof Fault) return program;
    onStep?.('changes', 0, 1);
    return { program, isAsPublished };
  }
  if (!request.withCompiler) return { isAsPublished };
  const compiler = await FileCompiler.make(compileCommands, root);
  if (!(compiler instanceof Fault)) return { compiler, isAsPublished };
  if (compileCommands !== undefined) return environmentFault(compiler.message);
  request.onNote(`no file is compiled, all are only parsed. ${compiler.message}`);
  return { isAsPublished };
}

async function measureRevisions(
  repository: Repository,
  meter: CommitMeter,
  change: string,
  { isWhole, signal, onCommit }: ChangeRequest,
): Promise<readonly NamedChange[] | Fault> {
  if (change.includes('..') && isWhole) {
    const whole = await measureWhole(repository, meter, change, signal);
    return whole instanceof Fault ? whole : [whole];
  }
  const ids = await idsOf(repository, change, signal);
  if (ids instanceof Fault) return ids;
  const measured: NamedChange[] = [];
  const commits = await repository.commits(ids, signal);
  if (commits instanceof Fault) return commits;
  for (const commit of commits) {
    onCommit(measured.length, ids.length);
    const measure = await meter.measure(commit, signal);
    if (measure instanceof Fault) return measure;
    measured.push({ of: commit, measure });
  }
  return measured;
}

async function idsOf(
  repository: Repository,
  change: string,
  signal: AbortSignal,
): Promise<readonly string[] | Fault> {
  if (!change.includes('..')) {
    const id = await repository.resolve(change, signal);
    return id instanceof Fault ? id : [id];
  }
  const ids = await repository.range(change, signal);
  if (ids instanceof Fault || ids.length > 0) return ids;
  return usageFault(`${change} contains no commits`);
}

async function measureWhole(
  repository: Repository,
  meter: CommitMeter,
  range: string,
  signal: AbortSignal,
): Promise<NamedChange | Fault> {
  const [from = '', to = ''] = range.split(/\.{2,3}/);
  const old = await repository.resolve(from === '' ? 'HEAD' : from, signal);
  if (old instanceof Fault) return old;
  const next = await repository.resolve(to === '' ? 'HEAD' : to, signal);
  if (next instanceof Fault) return next;
  // `a...b` means the commits of b since the common ancestor.
  const base = range.includes('...') ? await repository.mergeBase(old, next, signal) : old;
  if (base === undefined) return usageFault(`${from} and ${to} have no common ancestor`);
  if (base instanceof Fault) return base;
  const measure = await meter.measureBetween(base, next, signal);
  return measure instanceof Fault ? measure : { of: range, measure };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
