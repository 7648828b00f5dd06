import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ByteRange } from '../../machine/index.js';
import { Fault, pathExists, readInput } from '../../machine/index.js';
import { changedMs, isSidecar, objectOf, sidecarName } from './sidecar.js';

/** Archives may lie among the files of a whole machine. */
const mostNames = 200_000;
/** Some archivers fill members up to round sizes. */
const mostFilled = 8;

/**
 * The IR beside the objects an archive was made of. It keeps their names but not their folders, so they are looked for
 * in its own folder and below, where builds have them.
 */
export class MemberSidecars {
  #below: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  constructor(private readonly archive: string) {}

  /** Of the object with that name and content; of one that is gone, if no other can be meant. */
  async of(name: string, content: ByteRange): Promise<readonly string[]> {
    this.#below ??= sidecarsBelow(startFolder(this.archive));
    const orphans: string[] = [];
    for (const sidecar of (await this.#below).get(sidecarName(name)) ?? []) {
      const path = objectOf(sidecar);
      if (!pathExists(path)) {
        orphans.push(sidecar);
        continue;
      }
      // One that is larger than the member is another one.
      const object = readInput(path, { maxBytes: content.size });
      if (object instanceof Fault) continue;
      if ((await isSame(object, content)) && (await changedMs(sidecar)) >= (await changedMs(path)))
        return [sidecar];
    }
    const [only] = orphans;
    if (only === undefined || orphans.length > 1) return [];
    // One that is newer is of a later object.
    return (await changedMs(only)) <= (await changedMs(this.archive)) ? [only] : [];
  }
}

/** libtool puts archives into a folder below that of the objects. */
function startFolder(archive: string): string {
  const folder = dirname(archive);
  return basename(folder) === '.libs' ? dirname(folder) : folder;
}

async function isSame(object: Buffer, member: ByteRange): Promise<boolean> {
  const filled = member.size - object.length;
  if (filled < 0 || filled >= mostFilled) return false;
  return object.equals(await member.read(0, object.length));
}

/** By name, the nearest first. */
async function sidecarsBelow(start: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  const folders = [start];
  let seen = 0;
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    seen += entries.length;
    if (seen > mostNames) break;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (isSidecar(entry.name)) found.set(entry.name, [...(found.get(entry.name) ?? []), path]);
    }
  }
  return found;
}
