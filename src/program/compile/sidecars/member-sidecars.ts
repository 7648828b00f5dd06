import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ByteRange } from '../../../machine/index.js';
import { Fault, pathExists, readInput } from '../../../machine/index.js';
import { isSidecar, modifiedMs, objectOf, sidecarName } from './sidecar.js';

/** An archive may be in a folder with all files of a machine. */
const maxFiles = 200_000;
/** Some archivers pad members. */
const maxPadding = 8;

/**
 * Sidecar files of the objects in an archive. Archives keep names but no folders, so the objects are searched in the
 * archive's folder and below, as builds place them.
 */
export class MemberSidecars {
  #below: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  constructor(private readonly archive: string) {}

  /** Sidecars of the object with that name and content. If the object is gone, the only possible sidecar. */
  async of(name: string, content: ByteRange): Promise<readonly string[]> {
    this.#below ??= sidecarsBelow(startFolder(this.archive));
    const orphans: string[] = [];
    for (const sidecar of (await this.#below).get(sidecarName(name)) ?? []) {
      const path = objectOf(sidecar);
      if (!pathExists(path)) {
        orphans.push(sidecar);
        continue;
      }
      // A larger file is another object.
      const object = readInput(path, { maxBytes: content.size });
      if (object instanceof Fault) continue;
      if ((await isSame(object, content)) && (await modifiedMs(sidecar)) >= (await modifiedMs(path)))
        return [sidecar];
    }
    const [only] = orphans;
    if (only === undefined || orphans.length > 1) return [];
    // A newer sidecar belongs to a later object.
    return (await modifiedMs(only)) <= (await modifiedMs(this.archive)) ? [only] : [];
  }
}

/** libtool places archives in a folder below the objects' folder. */
function startFolder(archive: string): string {
  const folder = dirname(archive);
  return basename(folder) === '.libs' ? dirname(folder) : folder;
}

async function isSame(object: Buffer, member: ByteRange): Promise<boolean> {
  const filled = member.size - object.length;
  if (filled < 0 || filled >= maxPadding) return false;
  return object.equals(await member.read(0, object.length));
}

/** By name, nearest first. */
async function sidecarsBelow(start: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const sidecars = new Map<string, string[]>();
  const folders = [start];
  let seen = 0;
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    seen += entries.length;
    if (seen > maxFiles) break;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (isSidecar(entry.name)) sidecars.set(entry.name, [...(sidecars.get(entry.name) ?? []), path]);
    }
  }
  return sidecars;
}
