import { join } from 'node:path';
import {
  type Argument,
  environmentFault,
  Fault,
  joinedOption,
  operands,
  pathArgument,
  revisions,
  usageFault,
  words,
} from '../machine/index.js';
import { blobAt, blobsOf } from './blob-at.js';
import { checkOutFiles } from './check-out.js';
import { type FileDelta, parseRawDiff } from './file-deltas.js';
import { GitFault, git } from './git.js';
import { type Ancestor, ancestryOf, type Comparison, changedFilesOf, lineEditsOf } from './history.js';
import type { FileEdits } from './line-edits.js';
import { type GitFolder, openGitFolder, worktreeRoot } from './own-git-folder.js';

export interface Commit {
  readonly id: string;
  readonly parents: readonly string[];
  readonly author: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly subject: string;
  readonly body: string;
}

export interface FileChange {
  readonly path: string;
  readonly added: number | undefined;
  readonly deleted: number | undefined;
}

/** Which commits are between two commits: first parents only, or all. */
export type CommitLine = 'first-parent' | 'all';

const minIdLength = 7;

const fields = ['%H', '%P', '%an', '%ct', '%s', '%b'];

export class Repository {
  private constructor(
    readonly path: string,
    private readonly folder: GitFolder,
    /** The root of the working tree, to which paths in commits are relative; undefined for a bare repository. */
    readonly top: string | undefined,
  ) {}

  static async open(path: string, signal?: AbortSignal): Promise<Repository | Fault> {
    const folder = await openGitFolder(path, signal);
    if (folder instanceof GitFault)
      return folder.exitCode === undefined
        ? environmentFault(`${folder.complaint}: install git to look into repositories`)
        : usageFault(`${path} is not a git repository${extraComplaint(folder.complaint)}`);
    return new Repository(path, folder, await worktreeRoot(path, signal));
  }

  get gitDir(): string {
    return this.folder.gitDir;
  }

  get isShallow(): boolean {
    return this.folder.isShallow;
  }

  async resolve(revision: string, signal?: AbortSignal): Promise<string | Fault> {
    const asked = words('rev-parse', '--verify', revisions(`${revision}^{commit}`));
    const printed = await this.#git(asked, signal);
    if (!(printed instanceof GitFault)) return printed.trim();
    // For an object that exists but is unreadable, rev-list prints a better error.
    const listed = await this.#ids(words('--max-count=1', revisions(revision), operands()), signal);
    const isNamedById = /^[\da-f]{40,}$/i.test(revision);
    if (!isNamedById && listed instanceof GitFault && /^bad object/.test(listed.complaint)) return listed;
    return usageFault(
      `${this.path} has no commit ${revision}` +
        (this.isShallow ? '; it is a shallow clone: git fetch --unshallow fetches the rest' : ''),
    );
  }

  async line(
    good: string,
    bad: string,
    line: CommitLine,
    signal?: AbortSignal,
  ): Promise<readonly string[] | Fault> {
    const isAncestor = await this.#isTrue(words('merge-base', '--is-ancestor', revisions(good, bad)), signal);
    if (isAncestor instanceof Fault) return isAncestor;
    if (!isAncestor)
      return usageFault(
        `${shortId(good)} does not come before ${shortId(bad)}` +
          (this.isShallow
            ? ', as far as this shallow clone shows'
            : '; swap them, or name a common ancestor as the good one'),
      );
    const along = words('--reverse', line === 'first-parent' ? '--first-parent' : '--topo-order');
    const after = await this.#ids(words(along, revisions(`${good}..${bad}`)), signal);
    if (after instanceof Fault) return after;
    if (after.length === 0) return usageFault(`${shortId(good)} and ${shortId(bad)} are the same commit`);
    return [good, ...after];
  }

  /** The first-parent lines of a merge's other parents, each from its merge base with the first parent. */
  async sidesOf(
    { parents: [first, ...others] }: Commit,
    signal?: AbortSignal,
  ): Promise<readonly (readonly string[])[] | Fault> {
    const sides: (readonly string[])[] = [];
    for (const other of others) {
      const base = await this.mergeBase(first ?? '', other, signal);
      if (base instanceof Fault) return base;
      // Unrelated histories have no base to compare with.
      if (base === undefined) continue;
      const after = await this.#ids(
        words('--reverse', '--first-parent', revisions(`${base}..${other}`)),
        signal,
      );
      if (after instanceof Fault) return after;
      sides.push([base, ...after]);
    }
    return sides;
  }

  /** The merge base; undefined if the histories are unrelated. */
  async mergeBase(a: string, b: string, signal?: AbortSignal): Promise<string | undefined | Fault> {
    const printed = await this.#git(words('merge-base', revisions(a, b)), signal);
    if (printed instanceof GitFault) return printed.isNegative ? undefined : printed;
    return printed.trim();
  }

  async commits(ids: readonly string[], signal?: AbortSignal): Promise<readonly Commit[] | Fault> {
    if (ids.length === 0) return [];
    // Messages may hold anything but NUL.
    const format = joinedOption('--format=tformat:', fields.join('%x00'));
    const printed = await this.#git(
      words('log', '--no-walk=unsorted', '-z', '--no-show-signature', format, '--stdin'),
      signal,
      `${ids.join('\n')}\n`,
    );
    if (printed instanceof GitFault) return printed;
    const told = printed.split('\0');
    return Array.from({ length: Math.floor(told.length / fields.length) }, (_, at) => at)
      .map((at) => told.slice(at * fields.length, (at + 1) * fields.length))
      .map((record): Commit => {
        const [id = '', parents = '', author = '', time = '0', subject = '', body = ''] = record;
        return {
          id,
          parents: parents.split(' ').filter((parent) => parent !== ''),
          author,
          time: Number(time),
          subject,
          body: body.trim(),
        };
      });
  }

  /** Later commits, up to another commit, whose messages name this one. */
  async commitsNaming(id: string, until: string, signal?: AbortSignal): Promise<readonly Commit[] | Fault> {
    const named = joinedOption('--grep=', id.slice(0, minIdLength));
    const ids = await this.#ids(words('--fixed-strings', named, revisions(`${id}..${until}`)), signal);
    return ids instanceof Fault ? ids : this.commits(ids, signal);
  }

  /** The files that a commit changed against its first parent. */
  async filesOf(id: string, signal?: AbortSignal): Promise<readonly FileChange[] | Fault> {
    const commits = await this.commits([id], signal);
    if (commits instanceof Fault) return commits;
    const [parent] = commits[0]?.parents ?? [];
    const printed = await this.#git(words('diff-tree', '-r', '--numstat', '-z', against(parent, id)), signal);
    if (printed instanceof GitFault) return printed;
    return printed
      .split('\0')
      .map((record) => record.split('\t'))
      .filter((fields) => fields.length === 3)
      .map(([added, deleted, path = '']) => ({ path, added: count(added), deleted: count(deleted) }));
  }

  /** Files that differ between two commits, or from the empty tree. Detects renames. */
  async deltas(
    oldId: string | undefined,
    newId: string,
    signal?: AbortSignal,
  ): Promise<readonly FileDelta[] | Fault> {
    const cutOff = oldId === undefined && this.isShallow ? await this.#cutOff(newId, signal) : undefined;
    if (cutOff !== undefined) return cutOff;
    const asked = words('diff-tree', '-r', '-z', '-M', '--no-abbrev', against(oldId, newId));
    const printed = await this.#git(asked, signal);
    return printed instanceof GitFault ? printed : parseRawDiff(printed);
  }

  /** A fault if a shallow clone cuts off this commit's parents. */
  async #cutOff(id: string, signal?: AbortSignal): Promise<Fault | undefined> {
    const printed = await this.#git(words('cat-file', revisions('commit', id)), signal);
    if (printed instanceof GitFault) return printed;
    const [header = ''] = printed.split('\n\n');
    return /^parent /m.test(header)
      ? environmentFault(
          `the parents of ${shortId(id)} are missing from this shallow clone: run git fetch --unshallow`,
        )
      : undefined;
  }

  ancestry(id: string, signal?: AbortSignal): Promise<readonly Ancestor[] | Fault> {
    return ancestryOf(this.folder.own, id, signal);
  }

  lineEdits(
    compared: readonly Comparison[],
    patterns: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly FileEdits[])[] | Fault> {
    return lineEditsOf(this.folder.own, compared, patterns, signal);
  }

  changedFiles(
    compared: readonly Comparison[],
    patterns: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly FileDelta[])[] | Fault> {
    return changedFilesOf(this.folder.own, compared, patterns, signal);
  }

  async unknownFiles(patterns: readonly string[], signal?: AbortSignal): Promise<readonly string[] | Fault> {
    const asked = words('ls-files', '--others', '--exclude-standard', '-z', operands(...patterns));
    const printed = await this.#gitOnFiles(asked, signal);
    return printed instanceof GitFault ? printed : printed.split('\0').filter((path) => path !== '');
  }

  /** Files that differ between a commit and the working tree; working files have no blobs. */
  async deltasToFiles(id: string, signal?: AbortSignal): Promise<readonly FileDelta[] | Fault> {
    const printed = await this.#gitOnFiles(
      words(
        words('diff-index', '-r', '-z', '-M', '--no-abbrev', '--relative'),
        // Examining submodules would run git there with their own configuration.
        words('--ignore-submodules=dirty', revisions(id), operands()),
      ),
      signal,
    );
    return printed instanceof GitFault ? printed : parseRawDiff(printed);
  }

  /** The contents of blobs by id, including binary ones. */
  blobs(ids: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, Buffer> | Fault> {
    return blobsOf(this.folder.own, ids, signal);
  }

  /** Files of a commit, or of the working tree, that contain one of the words. */
  async filesWith(
    wanted: readonly string[],
    id: string | undefined,
    patterns: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly string[] | Fault> {
    if (wanted.length === 0) return [];
    const named = wanted.map((word) => joinedOption('-e', word));
    const asked = words('grep', '-lwzIF', '--no-textconv', '--no-recurse-submodules', ...named);
    const printed = await (id === undefined
      ? this.#gitOnFiles(words(asked, operands(...patterns)), signal)
      : // `git grep` does not know `--end-of-options`.
        this.#git(words(asked, pathArgument(id), operands(...patterns)), signal));
    if (printed instanceof GitFault) return printed.isNegative ? [] : printed;
    const prefix = id === undefined ? 0 : id.length + 1;
    return printed.split('\0').flatMap((name) => (name === '' ? [] : [name.slice(prefix)]));
  }

  /** The commits of a range such as `v1..v2`, newest first. */
  async range(range: string, signal?: AbortSignal): Promise<readonly string[] | Fault> {
    const ids = await this.#ids(words(revisions(range), operands()), signal);
    return ids instanceof GitFault
      ? usageFault(`${this.path} has no commits ${range}: ${ids.complaint}`)
      : ids;
  }

  /** The latest commits that touch matching files, newest first, without merges. */
  async recent(
    patterns: readonly string[],
    most: number,
    until: string | undefined,
    signal?: AbortSignal,
  ): Promise<readonly string[] | Fault> {
    const limits = words(
      joinedOption('--max-count=', String(most)),
      ...(until === undefined ? [] : [joinedOption('--until=', until)]),
    );
    return this.#ids(words('--no-merges', limits, 'HEAD', operands(...patterns)), signal);
  }

  async functionsOf(id: string, signal?: AbortSignal): Promise<readonly string[] | Fault> {
    const patch = words('--format=', '--unified=0', '--first-parent', '-m', '--no-ext-diff', '--no-textconv');
    const printed = await this.#git(words('show', patch, revisions(id)), signal);
    if (printed instanceof GitFault) return printed;
    const headers = [...printed.matchAll(/^@@ [^@]* @@ (.*)$/gm)].map(([, header = '']) => header);
    return [...new Set(headers.flatMap((header) => functionName(header) ?? []))];
  }

  /** The added and removed lines of a commit, without their signs. */
  async changedLinesOf(id: string, signal?: AbortSignal): Promise<readonly string[] | Fault> {
    const commits = await this.commits([id], signal);
    if (commits instanceof Fault) return commits;
    const [{ id: fullId, parents } = { id, parents: [] }] = commits;
    const files = await this.lineEdits([{ id: fullId, parent: parents[0] }], [], signal);
    if (files instanceof Fault) return files;
    return files
      .flat()
      .flatMap(({ edits }) => edits.flatMap(({ oldLines, newLines }) => [...oldLines, ...newLines]));
  }

  /** The prefix of commit addresses on the site the repository was cloned from, if known. */
  async commitLink(signal?: AbortSignal): Promise<string | undefined> {
    const remote = await this.#git(words('config', '--get', 'remote.origin.url'), signal);
    return remote instanceof GitFault ? undefined : linkOf(remote.trim());
  }

  async fileAt(id: string, path: string, signal?: AbortSignal): Promise<string | undefined | Fault> {
    const blob = await blobAt(this.folder.own, id, path, signal);
    if (blob === undefined || blob instanceof Fault) return blob;
    const found = await blobsOf(this.folder.own, [blob], signal);
    return found instanceof Fault ? found : found.get(blob)?.toString('utf8');
  }

  /** The texts of the named files that a commit has, read by one git process. */
  async textsAt(
    id: string,
    names: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, string> | Fault> {
    const printed = await this.#git(words('ls-tree', '-r', '-z', '--full-tree', revisions(id)), signal);
    if (printed instanceof GitFault) return printed;
    const blobs = new Map<string, string>();
    for (const record of printed.split('\0')) {
      const [, blob = '', name = ''] = /^\d+ blob ([\da-f]+)\t(.*)$/s.exec(record) ?? [];
      if (names.has(name)) blobs.set(name, blob);
    }
    const found = await blobsOf(this.folder.own, [...blobs.values()], signal);
    if (found instanceof Fault) return found;
    return new Map([...blobs].map(([name, blob]) => [name, found.get(blob)?.toString('utf8') ?? '']));
  }

  /** The hash of a commit's tree; equal for commits with equal content. */
  async treeOf(id: string, signal?: AbortSignal): Promise<string | Fault> {
    const printed = await this.#git(words('rev-parse', '--verify', revisions(`${id}^{tree}`)), signal);
    return printed instanceof GitFault ? printed : printed.trim();
  }

  /**
   * Checks out a commit into a folder of culprit's own, so that a build there can be incremental.
   *
   * @returns the paths of missing submodules, whose folders stay empty. A `GitFault` if git cannot write the files,
   * another fault if the folder is to blame.
   */
  checkOut(id: string, folder: string, signal?: AbortSignal): Promise<readonly string[] | Fault> {
    return checkOutFiles({ ...this.folder, path: this.path }, id, folder, signal);
  }

  /** An exit code other than yes or no is a fault. */
  async #isTrue(asked: Argument, signal?: AbortSignal): Promise<boolean | GitFault> {
    const printed = await this.#git(asked, signal);
    if (!(printed instanceof GitFault)) return true;
    return printed.isNegative ? false : printed;
  }

  async #ids(asked: Argument, signal?: AbortSignal): Promise<readonly string[] | GitFault> {
    const printed = await this.#git(words('rev-list', asked), signal);
    return printed instanceof GitFault ? printed : printed.split('\n').filter((id) => id !== '');
  }

  #git(asked: Argument, signal?: AbortSignal, input?: string): Promise<string | GitFault> {
    return git(words(joinedOption('--git-dir=', this.folder.own), asked), { signal, input });
  }

  /** Runs git on the working tree with the repository's index. */
  #gitOnFiles(asked: Argument, signal?: AbortSignal): Promise<string | GitFault> {
    const { own, gitDir } = this.folder;
    const where = words('-C', pathArgument(this.path), joinedOption('--git-dir=', own));
    return git(words(where, joinedOption('--work-tree=', this.top ?? this.path), asked), {
      signal,
      env: { GIT_INDEX_FILE: join(gitDir, 'index') },
    });
  }
}

/** Compares a commit with another one or with the empty tree. */
function against(oldId: string | undefined, newId: string): Argument {
  return oldId === undefined ? words('--root', '--no-commit-id', revisions(newId)) : revisions(oldId, newId);
}

export function shortId(id: string): string {
  return id.slice(0, 10);
}

function count(text: string | undefined): number | undefined {
  return text === undefined || text === '-' ? undefined : Number(text);
}

/** `void seq_rewriter::mk_str_le(expr* a) {` becomes `seq_rewriter::mk_str_le`; labels and headings are skipped. */
function functionName(header: string): string | undefined {
  return /([\w:~]+)\s*\(/.exec(header)?.[1];
}

/** `git@host:owner/name.git` and `https://host/owner/name` become `https://host/owner/name/commit/`. */
export function linkOf(remote: string): string | undefined {
  const [, host, path] =
    /^(?:https?:\/\/|ssh:\/\/)?(?:[\w-]+@)?([\w.-]+\.\w+)[:/]([\w./~-]+?)(?:\.git)?\/?$/.exec(remote) ?? [];
  return host === undefined || path === undefined || remote.startsWith('/')
    ? undefined
    : `https://${host}/${path}/commit/`;
}

/** Appends git's message unless it says the same. */
function extraComplaint(complaint: string): string {
  return complaint.startsWith('not a git repository') ? '' : `: ${complaint}`;
}
