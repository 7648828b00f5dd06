/** Lists files in folders and finds changes between two lists. */

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

interface Entry {
  readonly isFolder: boolean;
  /** Changes with every operation on a file except reading. */
  readonly mark: string;
}

/** By path. */
export type Snapshot = ReadonlyMap<string, Entry>;

/** @param isLeftOut paths to skip, with everything below them */
export function snapshotOf(
  folders: readonly string[],
  isLeftOut: (path: string) => boolean = () => false,
): Snapshot {
  const found = new Map<string, Entry>();
  const waiting = folders.map((folder) => Buffer.from(folder));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    // Names need not be UTF-8.
    const shown = path.toString('latin1');
    if (isLeftOut(shown)) continue;
    const info = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (info === undefined) continue;
    const isFolder = info.isDirectory();
    const content = isFolder ? '' : `${info.size} ${info.ino} ${info.ctimeNs}`;
    found.set(shown, { isFolder, mark: `${info.mode} ${info.mtimeNs} ${content}` });
    if (isFolder) for (const name of readdirSync(path, 'buffer')) waiting.push(joined(path, name));
  }
  return found;
}

function joined(folder: Buffer, name: Buffer): Buffer<ArrayBuffer> {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}

/** One sentence for each created, changed or removed file. A folder is changed if its entries changed. */
export function differences(
  before: Snapshot,
  after: Snapshot,
  isAllowed: (path: string) => boolean,
): readonly string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => !isAllowed(path))
    .toSorted();
  const said = paths.flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    if (old === undefined) return [`made ${path}`];
    if (now === undefined) return [`removed ${path}`];
    return old.mark === now.mark ? [] : [`changed ${path}`];
  });
  // Entries are reported, so a changed folder is not.
  return said.filter((line) => {
    const path = line.slice(line.indexOf(' ') + 1);
    const isFolder = line.startsWith('changed ') && after.get(path)?.isFolder === true;
    return !isFolder || !said.some((other) => other.includes(` ${path}/`));
  });
}

/** True for the paths and everything below them. */
export function below(folders: readonly string[]): (path: string) => boolean {
  const tops = folders.map((folder) => Buffer.from(folder).toString('latin1'));
  return (path) => tops.some((top) => path === top || path.startsWith(`${top}/`));
}

/** Ancestor folders of allowed paths. They change when something is created in them. */
export function ancestorsOf(paths: readonly string[], top: string): ReadonlySet<string> {
  const ways = new Set<string>();
  for (const path of paths)
    for (let at = join(path, '..'); at.length >= top.length; at = join(at, '..'))
      ways.add(Buffer.from(at).toString('latin1'));
  return ways;
}
