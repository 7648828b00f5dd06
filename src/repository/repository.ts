/** A git repository, read and never written to: commits on a line, their trees in folders of culprit's own. */

import { resolve } from 'node:path';
import { environmentFault, Fault, usageFault } from '../machine/index.js';
import { GitFault, git, gitBytes } from './git.js';
import { layOut } from './lay-out.js';

export interface Commit {
  readonly id: string;
  readonly parents: readonly string[];
  readonly author: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly subject: string;
  readonly body: string;
}

/** A file a commit touched. */
export interface FileChange {
  readonly path: string;
  /** Undefined for a binary file. */
  readonly added: number | undefined;
  readonly deleted: number | undefined;
}

/** A file that differs between two trees. */
export interface FileDelta {
  /** In the new tree, or in the old one where it is gone. */
  readonly path: string;
  /** Where it was in the old tree, if that is elsewhere. */
  readonly oldPath: string;
  /** Undefined where a tree has no such file. */
  readonly oldBlob: string | undefined;
  readonly newBlob: string | undefined;
  readonly kind: 'file' | 'link' | 'submodule';
}

/** Which commits are on the line from one to another. */
export type Line = 'first-parent' | 'all';

/** Messages name commits by so many digits at least. */
const namedBy = 7;

/** How git ends when the answer to a question is no, or nothing was found. */
const saysNo = 1;

const fields = ['%H', '%P', '%an', '%ct', '%s', '%b'];

export class Repository {
  private constructor(
    /** As the user named it. */
    readonly path: string,
    readonly gitDir: string,
    readonly isShallow: boolean,
    /** The folder its files lie in, which paths of commits are relative to; undefined for one without files. */
    readonly top: string | undefined,
  ) {}

  static async open(path: string, signal?: AbortSignal): Promise<Repository | Fault> {
    const asked = ['rev-parse', '--absolute-git-dir', '--is-shallow-repository'];
    const printed = await git(['-C', path, ...asked], { signal });
    if (printed instanceof GitFault)
      return printed.exitCode === undefined
        ? environmentFault(`${printed.complaint}: install git to look into repositories`)
        : usageFault(`${path} is not a git repository${alsoSaid(printed.complaint)}`);
    const [gitDir = '', shallow] = printed.trim().split('\n');
    const top = await git(['-C', path, 'rev-parse', '--show-toplevel'], { signal });
    const folder = top instanceof GitFault || top.trim() === '' ? undefined : resolve(top.trim());
    return new Repository(path, resolve(gitDir), shallow === 'true', folder);
  }

  /** The full id of what a user calls a commit. */
  async resolve(revision: string, signal?: AbortSignal): Promise<string | Fault> {
    const asked = ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`];
    const printed = await this.#git(asked, signal);
    if (!(printed instanceof GitFault)) return printed.trim();
    return usageFault(
      `${this.path} has no commit ${revision}` +
        (this.isShallow ? '; it is a shallow clone: git fetch --unshallow brings the rest' : ''),
    );
  }

  /** From the good commit to the bad one, both included. */
  async line(
    good: string,
    bad: string,
    line: Line,
    signal?: AbortSignal,
  ): Promise<readonly string[] | Fault> {
    const isAncestor = await this.#isTrue(['merge-base', '--is-ancestor', good, bad], signal);
    if (isAncestor instanceof Fault) return isAncestor;
    if (!isAncestor)
      return usageFault(
        `${short(good)} does not come before ${short(bad)}` +
          (this.isShallow
            ? ', as far as this shallow clone shows'
            : '; swap them, or name a common ancestor as the good one'),
      );
    const along = line === 'first-parent' ? ['--first-parent'] : ['--topo-order'];
    const after = await this.#ids(['--reverse', ...along, `${good}..${bad}`], signal);
    if (after instanceof Fault) return after;
    if (after.length === 0) return usageFault(`${short(good)} and ${short(bad)} are the same commit`);
    return [good, ...after];
  }

  /** The lines of a merge's other parents, each from where it left the first parent's, that commit included. */
  async sidesOf(
    { parents: [first, ...others] }: Commit,
    signal?: AbortSignal,
  ): Promise<readonly (readonly string[])[] | Fault> {
    const sides: (readonly string[])[] = [];
    for (const other of others) {
      const base = await this.baseOf(first ?? '', other, signal);
      if (base instanceof Fault) return base;
      // Histories that began apart have nothing to compare with.
      if (base === undefined) continue;
      const after = await this.#ids(['--reverse', '--first-parent', `${base}..${other}`], signal);
      if (after instanceof Fault) return after;
      sides.push([base, ...after]);
    }
    return sides;
  }

  /** The commit two others come from; undefined where their histories began apart. */
  async baseOf(a: string, b: string, signal?: AbortSignal): Promise<string | undefined | Fault> {
    const printed = await this.#git(['merge-base', a, b], signal);
    if (printed instanceof GitFault) return printed.exitCode === saysNo ? undefined : printed;
    return printed.trim();
  }

  async commits(ids: readonly string[], signal?: AbortSignal): Promise<readonly Commit[] | Fault> {
    if (ids.length === 0) return [];
    // Messages may hold anything but a zero byte.
    const format = `--format=tformat:${fields.join('%x00')}`;
    const printed = await this.#git(
      ['log', '--no-walk=unsorted', '-z', '--no-show-signature', format, '--end-of-options', ...ids],
      signal,
    );
    if (printed instanceof GitFault) return printed;
    const words = printed.split('\0');
    return Array.from({ length: Math.floor(words.length / fields.length) }, (_, at) => at)
      .map((at) => words.slice(at * fields.length, (at + 1) * fields.length))
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

  /** Commits after this one, up to another, whose messages name it. */
  async naming(id: string, until: string, signal?: AbortSignal): Promise<readonly Commit[] | Fault> {
    const named = `--grep=${id.slice(0, namedBy)}`;
    const ids = await this.#ids(['--fixed-strings', named, `${id}..${until}`], signal);
    return ids instanceof Fault ? ids : this.commits(ids, signal);
  }

  /** What a commit changed against its first parent. */
  async filesOf(id: string, signal?: AbortSignal): Promise<readonly FileChange[] | Fault> {
    const commits = await this.commits([id], signal);
    if (commits instanceof Fault) return commits;
    const [parent] = commits[0]?.parents ?? [];
    const against = parent === undefined ? ['--root', '--no-commit-id', id] : [parent, id];
    const printed = await this.#git(['diff-tree', '-r', '--numstat', '-z', ...against], signal);
    if (printed instanceof GitFault) return printed;
    return printed
      .split('\0')
      .map((record) => record.split('\t'))
      .filter((fields) => fields.length === 3)
      .map(([added, deleted, path = '']) => ({ path, added: count(added), deleted: count(deleted) }));
  }

  /** What differs between two commits; against nothing at all if there is no old one. Renamed files are recognised. */
  async deltas(
    oldId: string | undefined,
    newId: string,
    signal?: AbortSignal,
  ): Promise<readonly FileDelta[] | Fault> {
    const cutOff = oldId === undefined && this.isShallow ? await this.#cutOff(newId, signal) : undefined;
    if (cutOff !== undefined) return cutOff;
    const against = oldId === undefined ? ['--root', '--no-commit-id', newId] : [oldId, newId];
    const printed = await this.#git(['diff-tree', '-r', '-z', '-M', '--no-abbrev', ...against], signal);
    return printed instanceof GitFault ? printed : deltasIn(printed);
  }

  /** A shallow clone shows its last commits without the parents they have; undefined for one without parents. */
  async #cutOff(id: string, signal?: AbortSignal): Promise<Fault | undefined> {
    const printed = await this.#git(['cat-file', 'commit', id], signal);
    if (printed instanceof GitFault) return printed;
    const [header = ''] = printed.split('\n\n');
    return /^parent /m.test(header)
      ? environmentFault(
          `what ${short(id)} was made from is not in this shallow clone: git fetch --unshallow brings it`,
        )
      : undefined;
  }

  /** Files of the working tree that git does not know. */
  async unknownFiles(patterns: readonly string[], signal?: AbortSignal): Promise<readonly string[] | Fault> {
    const asked = ['ls-files', '--others', '--exclude-standard', '-z', '--', ...patterns];
    const printed = await git(['-C', this.path, ...asked], { signal });
    return printed instanceof GitFault ? printed : printed.split('\0').filter((path) => path !== '');
  }

  /** What differs between a commit and the files as they lie in the working tree; those have no blobs. */
  async deltasToFiles(id: string, signal?: AbortSignal): Promise<readonly FileDelta[] | Fault> {
    const printed = await git(
      ['-C', this.path, 'diff-index', '-r', '-z', '-M', '--no-abbrev', '--relative', id, '--'],
      { signal },
    );
    return printed instanceof GitFault ? printed : deltasIn(printed);
  }

  /** The contents of blobs by their ids, in one go; what is not text is among them as it is. */
  async blobs(ids: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, Buffer> | Fault> {
    const wanted = [...new Set(ids)];
    const found = new Map<string, Buffer>();
    if (wanted.length === 0) return found;
    const bytes = await gitBytes([`--git-dir=${this.gitDir}`, 'cat-file', '--batch'], {
      signal,
      input: `${wanted.join('\n')}\n`,
    });
    if (bytes instanceof GitFault) return bytes;
    for (let at = 0; at < bytes.length; ) {
      const lineEnd = bytes.indexOf(0x0a, at);
      if (lineEnd === -1) break;
      const [id = '', kind, size] = bytes.toString('latin1', at, lineEnd).split(' ');
      at = lineEnd + 1;
      if (kind !== 'blob') continue;
      found.set(id, bytes.subarray(at, at + Number(size)));
      at += Number(size) + 1;
    }
    return found;
  }

  /** Files of a commit, or without one of the working tree, that hold one of the words. */
  async filesWith(
    words: readonly string[],
    id: string | undefined,
    patterns: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly string[] | Fault> {
    if (words.length === 0) return [];
    const where = id === undefined ? ['-C', this.path] : [`--git-dir=${this.gitDir}`];
    const asked = words.flatMap((word) => ['-e', word]);
    const of = id === undefined ? [] : [id];
    const printed = await git([...where, 'grep', '-lwzIF', ...asked, ...of, '--', ...patterns], { signal });
    if (printed instanceof GitFault) return printed.exitCode === saysNo ? [] : printed;
    const prefix = id === undefined ? 0 : id.length + 1;
    return printed.split('\0').flatMap((name) => (name === '' ? [] : [name.slice(prefix)]));
  }

  /** The commits of a range such as `v1..v2`, the newest first. */
  async range(range: string, signal?: AbortSignal): Promise<readonly string[] | Fault> {
    const ids = await this.#ids(['--end-of-options', range, '--'], signal);
    return ids instanceof GitFault
      ? usageFault(`${this.path} has no commits ${range}: ${ids.complaint}`)
      : ids;
  }

  /** The latest commits that touch files of these patterns, the newest first, merges left out. */
  async recent(
    patterns: readonly string[],
    most: number,
    until: string | undefined,
    signal?: AbortSignal,
  ): Promise<readonly string[] | Fault> {
    const limits = [`--max-count=${most}`, ...(until === undefined ? [] : [`--until=${until}`])];
    return this.#ids(['--no-merges', ...limits, 'HEAD', '--', ...patterns], signal);
  }

  /** The functions git's own hunk headers name, by file. */
  async functionsOf(id: string, signal?: AbortSignal): Promise<readonly string[] | Fault> {
    const printed = await this.#git(['show', '--format=', '--unified=0', '--first-parent', '-m', id], signal);
    if (printed instanceof GitFault) return printed;
    const headers = [...printed.matchAll(/^@@ [^@]* @@ (.*)$/gm)].map(([, header = '']) => header);
    return [...new Set(headers.flatMap((header) => functionName(header) ?? []))];
  }

  /** What addresses of commits begin with on the site the repository was cloned from, where that is known. */
  async commitLink(signal?: AbortSignal): Promise<string | undefined> {
    const remote = await this.#git(['config', '--get', 'remote.origin.url'], signal);
    return remote instanceof GitFault ? undefined : linkOf(remote.trim());
  }

  /** What stands in a file of a commit; undefined if there is no such file. */
  async fileAt(id: string, path: string, signal?: AbortSignal): Promise<string | undefined> {
    const printed = await this.#git(['cat-file', 'blob', `${id}:${path}`], signal);
    return printed instanceof GitFault ? undefined : printed;
  }

  /** The hash of everything a commit holds, the same for commits that hold the same. */
  async treeOf(id: string, signal?: AbortSignal): Promise<string | Fault> {
    const printed = await this.#git(['rev-parse', '--verify', `${id}^{tree}`], signal);
    return printed instanceof GitFault ? printed : printed.trim();
  }

  /**
   * Puts a commit's files into a folder of culprit's own, so that a build there goes on from where it was.
   *
   * @returns the paths of submodules that are not there; their folders are left empty. A `GitFault` where git cannot
   * write the files, another fault where the folder is to blame.
   */
  checkOut(id: string, folder: string, signal?: AbortSignal): Promise<readonly string[] | Fault> {
    return layOut(this, id, folder, signal);
  }

  /** Anything but a plain yes or no is an answer to another question. */
  async #isTrue(args: readonly string[], signal?: AbortSignal): Promise<boolean | GitFault> {
    const printed = await this.#git(args, signal);
    if (!(printed instanceof GitFault)) return true;
    return printed.exitCode === saysNo ? false : printed;
  }

  /** The commits a `git rev-list` lists. */
  async #ids(args: readonly string[], signal?: AbortSignal): Promise<readonly string[] | GitFault> {
    const printed = await this.#git(['rev-list', ...args], signal);
    return printed instanceof GitFault ? printed : printed.split('\n').filter((id) => id !== '');
  }

  #git(args: readonly string[], signal?: AbortSignal): Promise<string | GitFault> {
    return git([`--git-dir=${this.gitDir}`, ...args], { signal });
  }
}

export function short(id: string): string {
  return id.slice(0, 10);
}

/** git's raw format: modes, blobs, a letter for what happened, one or two paths. */
function deltasIn(printed: string): readonly FileDelta[] {
  const words = printed.split('\0');
  const found: FileDelta[] = [];
  for (let at = 0; at < words.length; ) {
    const head = /^:(\d+) (\d+) ([\da-f]+) ([\da-f]+) (\w)/.exec(words[at++] ?? '');
    if (head === null) continue;
    const [, oldMode = '', newMode = '', oldBlob = '', newBlob = '', what = ''] = head;
    const oldPath = words[at++] ?? '';
    const path = what === 'R' || what === 'C' ? (words[at++] ?? '') : oldPath;
    const modes = [oldMode, newMode];
    found.push({
      path,
      oldPath,
      oldBlob: what === 'A' ? undefined : oldBlob,
      newBlob: what === 'D' ? undefined : newBlob,
      kind: modes.includes('160000') ? 'submodule' : modes.includes('120000') ? 'link' : 'file',
    });
  }
  return found;
}

function count(text: string | undefined): number | undefined {
  return text === undefined || text === '-' ? undefined : Number(text);
}

/** `void seq_rewriter::mk_str_le(expr* a) {` becomes `seq_rewriter::mk_str_le`; a label or a heading is not a function. */
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

/** git mostly says the same, and sometimes more. */
function alsoSaid(complaint: string): string {
  return complaint.startsWith('not a git repository') ? '' : `: ${complaint}`;
}
