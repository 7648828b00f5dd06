/**
 * A git folder of culprit's own over the objects and references of somebody else's. What a repository's configuration
 * can run (filters, converters, diff programs, monitors, hooks, transports for objects that are missing) has names
 * nobody can list beforehand; so none of it is read but what is known to be harmless.
 */

import { readdir, readFile, stat, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { joined, makeFolder, pathArgument, temporaryFolder, words, writeWhole } from '../machine/index.js';
import { GitFault, git } from './git.js';

/** Where git keeps a repository. */
export interface GitFolder {
  /** Of this working tree: its `HEAD` and index. */
  readonly gitDir: string;
  /** Of all of its working trees: objects, references, configuration. */
  readonly commonDir: string;
  /** The one culprit reads it by. */
  readonly own: string;
  readonly isShallow: boolean;
}

/** The repository a folder belongs to. */
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

/** The folder its files lie in, which paths of commits are relative to; undefined for one without files. */
export async function topOf(folder: string, signal?: AbortSignal): Promise<string | undefined> {
  const asked = words('-C', pathArgument(folder), 'rev-parse', '--show-toplevel');
  const printed = await git(asked, { signal, asUser: true });
  return printed instanceof GitFault || printed.trim() === '' ? undefined : resolve(printed.trimEnd());
}

type Found = Pick<GitFolder, 'gitDir' | 'commonDir'>;

/** By the folder they stand for; made once, and brought up to date whenever the repository is opened again. */
const made = new Map<string, Promise<string>>();

async function ownFolder(found: Found, signal: AbortSignal | undefined): Promise<string | GitFault> {
  const settings = await harmlessSettings(found, signal);
  if (settings instanceof GitFault) return settings;
  const { gitDir, commonDir } = found;
  const making = made.get(gitDir) ?? temporaryFolder('git');
  made.set(gitDir, making);
  const own = await making;
  try {
    await putWhole(join(own, 'config'), settings);
    await makeFolder(join(own, 'info'));
    // Nothing turns the bytes of a commit into others: neither line ends nor encodings nor what filters would do.
    await putWhole(join(own, 'info', 'attributes'), `* ${asCommitted}\n`);
    await makeFolder(join(own, 'logs'));
    const links: readonly (readonly [from: string, to: string])[] = [
      ...['objects', 'refs', 'packed-refs', 'reftable', 'shallow', 'info/exclude', 'logs/refs'].map(
        (name) => [join(commonDir, name), join(own, name)] as const,
      ),
      ...['ORIG_HEAD', 'FETCH_HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'logs/HEAD'].map(
        (name) => [join(gitDir, name), join(own, name)] as const,
      ),
      // An index may be a small one over a shared one.
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

/** What is not there, or is neither a file nor a folder, is left out: reading a pipe would never end. */
async function linkOnce(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (found === undefined || !(found.isFile() || found.isDirectory())) return;
  // It may be there from the last time, and somebody may be reading through it.
  await symlink(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Somebody may be reading it. */
function putWhole(path: string, text: string): Promise<void> {
  return writeWhole(path, text, { isDisposable: true });
}

/** Keys that only say how the repository is stored and what its branches follow. */
const harmless =
  /^(?:extensions\.(?:objectformat|refstorage)|branch\..*\.(?:remote|merge)|remote\..*\.(?:url|fetch))$/s;
const flags = /^core\.(?:filemode|ignorecase|symlinks|precomposeunicode)$/;

/** A configuration with what is harmless in the repository's own, and where the user's ignored files are listed. */
async function harmlessSettings(
  { gitDir }: Found,
  signal: AbortSignal | undefined,
): Promise<string | GitFault> {
  const asked = words(joined('--git-dir=', gitDir), 'config', '--list', '--show-scope', '-z');
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
