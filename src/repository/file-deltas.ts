/** Files that differ between two trees, as git lists them. */

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

/** git's raw format: modes, blobs, a letter for what happened, one or two paths. */
export function deltasIn(printed: string): readonly FileDelta[] {
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
