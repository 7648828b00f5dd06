/** Reads files of a commit. A missing file is a value, an unreadable file is a fault. */

import { joinedOption, operands, revisions, words } from '../machine/index.js';
import { GitFault, git, gitBytes } from './git.js';

/** The blob id of a file; undefined if the commit has no such file. */
export async function blobAt(
  ownGitDir: string,
  id: string,
  path: string,
  signal?: AbortSignal,
): Promise<string | undefined | GitFault> {
  const printed = await git(
    words(
      joinedOption('--git-dir=', ownGitDir),
      'ls-tree',
      '-z',
      '--full-tree',
      revisions(id),
      operands(path),
    ),
    { signal, env: { GIT_LITERAL_PATHSPECS: '1' } },
  );
  if (printed instanceof GitFault) return printed;
  for (const record of printed.split('\0')) {
    const [, blob, name] = /^\d+ blob ([\da-f]+)\t(.*)$/s.exec(record) ?? [];
    if (name === path) return blob;
  }
  return undefined;
}

/** The contents of blobs, read by one git process; a fault if a blob is missing. */
export async function blobsOf(
  ownGitDir: string,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Buffer> | GitFault> {
  const wanted = [...new Set(ids)];
  const found = new Map<string, Buffer>();
  if (wanted.length === 0) return found;
  const bytes = await gitBytes(words(joinedOption('--git-dir=', ownGitDir), 'cat-file', '--batch'), {
    signal,
    input: `${wanted.join('\n')}\n`,
  });
  if (bytes instanceof GitFault) return bytes;
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf(0x0a, at);
    if (lineEnd === -1) break;
    const [id = '', kind, size] = bytes.toString('latin1', at, lineEnd).split(' ');
    at = lineEnd + 1;
    if (size === undefined) continue;
    if (kind === 'blob') found.set(id, bytes.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  const missing = wanted.find((id) => !found.has(id));
  return missing === undefined ? found : missingObject(missing);
}

function missingObject(id: string): GitFault {
  return new GitFault(
    `the blob ${id} is missing: git fsck lists missing objects, git fetch may restore them`,
  );
}
