/**
 * Creates a git folder of culprit's own that links to the objects and references of another repository. The
 * repository's configuration may run programs (filters, converters, diff programs, monitors, hooks, transports for
 * missing objects), and their keys cannot all be listed. So only keys that are known to be harmless are copied.
 */

import { readdir, readFile, stat, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  joinedOption,
  makeFolder,
  pathArgument,
  temporaryFolder,
  words,
  writeAtomically,
} from '../machine/index.js';
import { GitFault, git } from './git.js';

export interface GitFolder {
  /** Belongs to this working tree: `HEAD` and index. */
  readonly gitDir: string;
  /** Shared by all working trees: objects, references, configuration. */
  readonly commonDir: string;
  readonly own: string;
  readonly isShallow: boolean;
}

export async function openGitFolder(folder: string, signal?: AbortSignal): Promise<GitFolder | GitFault> {
  const printed = await git(
    words(
      words('-C', pathArgument(folder), 'rev-parse'),
      words('--absolute-git-dir', '--git-common-dir', '--is-shallow-repository'),
    ),
    { signal, asUser: true },
  );
  if (printed instanceof GitFault) return printed;
  const [gitDir = '', commonDir = '', shallow] = printed.trimEnd().split('\n');
  const found = { gitDir: resolve(gitDir), commonDir: resolve(folder, commonDir) };
  const own = await ownFolder(found, signal);
  return own instanceof GitFault ? own : { ...found, own, isShallow: shallow === 'true' };
}

/** The root of the working tree, to which paths in commits are relative; undefined for a bare repository. */
export async function worktreeRoot(folder: string, signal?: AbortSignal): Promise<string | undefined> {
  const asked = words('-C', pathArgument(folder), 'rev-parse', '--show-toplevel');
  const printed = await git(asked, { signal, asUser: true });
  return printed instanceof GitFault || printed.trim() === '' ? undefined : resolve(printed.trimEnd());
}

type Found = Pick<GitFolder, 'gitDir' | 'commonDir'>;

/** By original git folder. Created once, and updated whenever the repository is opened. */
const ownFolders = new Map<string, Promise<string>>();

async function ownFolder(found: Found, signal: AbortSignal | undefined): Promise<string | GitFault> {
  const settings = await harmlessSettings(found, signal);
  if (settings instanceof GitFault) return settings;
  const { gitDir, commonDir } = found;
  const making = ownFolders.get(gitDir) ?? temporaryFolder('git');
  ownFolders.set(gitDir, making);
  const own = await making;
  try {
    await putWhole(join(own, 'config'), settings);
    await makeFolder(join(own, 'info'));
    // Disables every conversion of a commit's bytes: line ends, encodings and filters.
    await putWhole(join(own, 'info', 'attributes'), `* ${asCommitted}\n`);
    await makeFolder(join(own, 'logs'));
    const links: readonly (readonly [from: string, to: string])[] = [
      ...['objects', 'refs', 'packed-refs', 'reftable', 'shallow', 'info/exclude', 'logs/refs'].map(
        (name) => [join(commonDir, name), join(own, name)] as const,
      ),
      ...['ORIG_HEAD', 'FETCH_HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'logs/HEAD'].map(
        (name) => [join(gitDir, name), join(own, name)] as const,
      ),
      // A split index refers to shared ones.
      ...(await readdir(gitDir))
        .filter((name) => name.startsWith('sharedindex.'))
        .map((name) => [join(gitDir, name), join(own, name)] as const),
    ];
    for (const [from, to] of links) await linkOnce(from, to);
    await putWhole(join(own, 'HEAD'), await readFile(join(gitDir, 'HEAD'), 'utf8'));
  } catch (error) {
    return new GitFault((error as Error).message);
  }
  return own;
}

const asCommitted = '-text -crlf -filter -ident !eol !working-tree-encoding !diff';

/** Skips a missing file, and anything else than a file or folder: reading a pipe would never end. */
async function linkOnce(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (found === undefined || !(found.isFile() || found.isDirectory())) return;
  // It may exist from an earlier call and be in use.
  await symlink(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Atomic, because it may be in use. */
function putWhole(path: string, text: string): Promise<void> {
  return writeAtomically(path, text, { isDisposable: true });
}

/** Keys that only describe the storage format and what branches track. */
const harmless =
  /^(?:extensions\.(?:objectformat|refstorage)|branch\..*\.(?:remote|merge)|remote\..*\.(?:url|fetch))$/s;
const flags = /^core\.(?:filemode|ignorecase|symlinks|precomposeunicode)$/;

/** A configuration with the harmless keys of the repository and the user's `core.excludesFile`. */
async function harmlessSettings(
  { gitDir }: Found,
  signal: AbortSignal | undefined,
): Promise<string | GitFault> {
  const asked = words(joinedOption('--git-dir=', gitDir), 'config', '--list', '--show-scope', '-z');
  const printed = await git(asked, { signal, asUser: true });
  if (printed instanceof GitFault) return printed;
  const fields = printed.split('\0');
  const lines = ['[core]', '\trepositoryformatversion = 1', '\tbare = false'];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const scope = fields[at] ?? '';
    const [key = '', ...rest] = (fields[at + 1] ?? '').split('\n');
    const value = rest.join('\n');
    const isUsers = scope === 'global' || scope === 'system';
    if (isUsers && key === 'core.excludesfile')
      lines.push(...setting(key, value.replace(/^~(?=\/)/, homedir())));
    else if (!isUsers && (harmless.test(key) || (flags.test(key) && /^(?:true|false)$/.test(value))))
      lines.push(...setting(key, value));
  }
  return `${lines.join('\n')}\n`;
}

function setting(key: string, value: string): readonly string[] {
  const [, section = '', below, name = ''] = /^([^.]*)\.(?:(.*)\.)?([^.]*)$/s.exec(key) ?? [];
  return [`[${section}${below === undefined ? '' : ` ${quoted(below)}`}]`, `\t${name} = ${quoted(value)}`];
}

function quoted(text: string): string {
  const escaped = text.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
  return `"${escaped.replaceAll('\t', String.raw`\t`)}"`;
}
