import { lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  environmentFault,
  Fault,
  lookUp,
  makeFolder,
  moveIntoPlace,
  removeFolderAtomically,
  sha256,
  stagingFolder,
  sweepStagingFolders,
  writeAtomically,
} from '../../machine/index.js';
import type { Program } from './version.js';

/** Stands for the entry's own folder in a manifest, so that a cache can be moved or mounted elsewhere. */
const entryPlaceholder = '{entry}';
const manifestName = 'manifest.json';

const manifestSchema = z.object({
  format: z.literal(1),
  /** The spec that names exactly this entry: `pypi:z3@4.13.0`. */
  spec: z.string(),
  engine: z.enum(['z3', 'cvc4', 'cvc5']),
  number: z.string(),
  source: z.enum(['npm', 'pypi', 'debian']),
  /** `linux-x64`, for example, or `any` for WASM. */
  platform: z.string(),
  program: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('native'), command: z.array(z.string()).nonempty() }),
    z.object({ kind: z.literal('wasm'), packageDir: z.string() }),
  ]),
  from: z.array(z.object({ file: z.string(), checksum: z.string() })),
  /** Who vouches for the checksums. */
  trust: z.string(),
  files: z.record(z.string(), z.string()),
  bytes: z.number(),
  added: z.string(),
});

type Manifest = z.infer<typeof manifestSchema>;

/** The description of an entry that a source has just unpacked. Paths in `program` are absolute. */
export type NewEntry = Pick<
  Manifest,
  'spec' | 'engine' | 'number' | 'source' | 'platform' | 'from' | 'trust'
> & {
  readonly program: Program;
};

export interface Entry {
  readonly id: string;
  readonly dir: string;
  readonly manifest: Omit<Manifest, 'program'>;
  readonly program: Program;
}

/** The cache of downloads, shared by all culprit processes of a user. */
export interface Store {
  readonly dir: string;
  entries(): Promise<readonly Entry[]>;
  get(id: string): Promise<Entry | undefined>;
  /**
   * Returns the entry; if it is missing, `fill` makes it in an empty folder. The folder becomes the entry only when
   * it is complete.
   */
  add(id: string, fill: (folder: string) => Promise<NewEntry | Fault>): Promise<Entry | Fault>;
  /** False if there was no such entry. */
  remove(id: string): Promise<boolean | Fault>;
  damage(entry: Entry): Promise<string | undefined>;
}

export function openStore(folder: string): Store {
  const dir = join(folder, 'solvers');
  /** Calls in this process share one download. Other processes meet at the rename. */
  const pending = new Map<string, Promise<Entry | Fault>>();

  const get = async (id: string): Promise<Entry | undefined> => readEntry(id, join(dir, id));

  const make = async (
    id: string,
    fill: (folder: string) => Promise<NewEntry | Fault>,
  ): Promise<Entry | Fault> => {
    const existing = await get(id);
    if (existing !== undefined) return existing;
    const temporary = stagingFolder(dir);
    try {
      await makeFolder(dir);
      await sweepStagingFolders(dir);
      await mkdir(temporary);
      const filled = await fill(temporary);
      if (filled instanceof Fault) return filled;
      await writeManifest(temporary, filled);
      await putEntry(id, temporary, join(dir, id));
      return (
        (await get(id)) ??
        environmentFault(`the entry ${id} disappeared from ${dir} while it was added; add it again`)
      );
    } catch (error) {
      return diskFault(error, folder);
    } finally {
      // The folder no longer exists here after a successful rename.
      await rm(temporary, { recursive: true, force: true }).catch(() => {});
    }
  };

  return {
    dir: folder,
    get,
    async entries() {
      const names = await readdir(dir).catch(() => []);
      const entries = await Promise.all(
        names
          .filter((name) => !name.startsWith('.'))
          .sort()
          .map(get),
      );
      return entries.filter((entry) => entry !== undefined);
    },
    async add(id, fill) {
      const already = pending.get(id);
      if (already !== undefined) return already;
      const pendingEntry = make(id, fill).finally(() => pending.delete(id));
      pending.set(id, pendingEntry);
      return pendingEntry;
    },
    async remove(id) {
      try {
        if ((await get(id)) === undefined) return false;
        await removeFolderAtomically(join(dir, id));
        return true;
      } catch (error) {
        return diskFault(error, folder);
      }
    },
    damage: findDamage,
  };
}

async function readEntry(id: string, dir: string): Promise<Entry | undefined> {
  if (!isId(id)) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(await readFile(join(dir, manifestName), 'utf8'));
  } catch {
    return undefined;
  }
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) return undefined;
  const { program, ...manifest } = parsed.data;
  const withFolder = (text: string) => text.replaceAll(entryPlaceholder, dir);
  return {
    id,
    dir,
    manifest,
    program:
      program.kind === 'native'
        ? { kind: 'native', command: program.command.map(withFolder) }
        : { kind: 'wasm', packageDir: withFolder(program.packageDir) },
  };
}

/** An id becomes the name of a folder. It must not lead elsewhere, nor look like a temporary folder. */
function isId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9.@+_-]*$/.test(id);
}

async function writeManifest(folder: string, filled: NewEntry): Promise<void> {
  const digests: (readonly [file: string, digest: string])[] = [];
  let bytes = 0;
  for (const file of await filesIn(folder)) {
    const content = await readFile(join(folder, file));
    digests.push([file, sha256(content)]);
    bytes += content.length;
  }
  const files = Object.fromEntries(digests);
  const withPlaceholder = (text: string) => text.replaceAll(folder, entryPlaceholder);
  const { program, ...description } = filled;
  const manifest = {
    format: 1,
    ...description,
    program:
      program.kind === 'native'
        ? { ...program, command: program.command.map(withPlaceholder) }
        : { ...program, packageDir: withPlaceholder(program.packageDir) },
    files,
    bytes,
    added: new Date().toISOString(),
  };
  // Written last and flushed: a folder with a manifest is complete, even after a power cut.
  await writeAtomically(join(folder, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    if ((await lstat(join(folder, name))).isFile()) files.push(name);
  }
  return files.sort();
}

/** If another process has made a complete entry first, that entry stays. */
async function putEntry(id: string, part: string, final: string): Promise<void> {
  while (!(await moveIntoPlace(part, final))) {
    if ((await readEntry(id, final)) !== undefined) return;
    // A folder without a readable manifest is left over from an interrupted download.
    await removeFolderAtomically(final);
  }
}

async function findDamage(entry: Entry): Promise<string | undefined> {
  for (const [file, checksum] of Object.entries(entry.manifest.files)) {
    try {
      if (sha256(await readFile(join(entry.dir, file))) !== checksum)
        return `${file} was changed after it was added`;
    } catch {
      return `${file} is missing`;
    }
  }
  return undefined;
}

const diskFaults: Readonly<Record<string, string>> = {
  ENOSPC: 'has no space left: free some',
  EDQUOT: 'has no space left within your quota: free some',
  EACCES: 'is not writable: change its permissions',
  EPERM: 'is not writable: change its permissions',
  EROFS: 'is on a read-only disk: mount it writable',
  ENOTDIR: 'is not a folder: move the file away',
  EEXIST: 'is not a folder: move the file away',
};

/** Turns errors of the file system into a fault. Any other error is a bug in culprit and is thrown again. */
function diskFault(error: unknown, folder: string): Fault {
  const code = codeOf(error);
  if (code === undefined) throw error;
  const what = lookUp(diskFaults, code) ?? `cannot be used (${code}): repair it`;
  return environmentFault(`the cache ${folder} ${what}, or set CULPRIT_CACHE to another folder`);
}

function codeOf(error: unknown): string | undefined {
  // Only errors of the operating system have an `errno`.
  const { code, errno } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return errno === undefined ? undefined : code;
}
