export interface FileDelta {
  /** In the new tree; if deleted, in the old tree. */
  readonly path: string;
  /** Path in the old tree; differs from `path` for renamed files. */
  readonly oldPath: string;
  readonly oldBlob: string | undefined;
  readonly newBlob: string | undefined;
  readonly kind: 'file' | 'link' | 'submodule';
}

/** Parses git's raw diff format: modes, blobs, a status letter, one or two paths. */
export function parseRawDiff(printed: string): readonly FileDelta[] {
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
