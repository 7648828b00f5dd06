import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { killGroup, removeGroup } from './cgroups/cgroup-files.js';
import type { OwnGroups } from './cgroups/cgroup-mounts.js';
import { tryKill } from './kill.js';
import { isLeftBehind } from './owner.js';
import { processesOf } from './process-tree.js';
import { removeTree } from './remove-tree.js';

/**
 * Removes leftovers of runners whose process has ended, and ends their processes. This is for the case that a
 * watchdog was killed together with its culprit.
 */
export async function sweep(directory: string, own: OwnGroups): Promise<void> {
  const groups = [...new Set([...own.v1.values(), ...(own.v2 === undefined ? [] : [own.v2])])];
  for (const group of groups.flatMap(leftIn)) {
    await killGroup(group);
    await removeGroup(group);
  }
  for (const left of leftIn(directory).filter(isMine)) {
    for (const pid of processesOf(left.slice(directory.length + 1))) tryKill(pid);
    await removeTree(left);
  }
}

function leftIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter(isLeftBehind)
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}

/** In a shared folder, only the user's own files may be removed. */
function isMine(path: string): boolean {
  try {
    return lstatSync(path).isDirectory() && lstatSync(path).uid === process.geteuid?.();
  } catch {
    return false;
  }
}
