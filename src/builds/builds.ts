/** Programs built from commits, kept by what they were built from. */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { cacheFolder, environmentFault, Fault, hasEnded, takeLock, thisMachine } from '../machine/index.js';
import { GitFault, type Repository, short } from '../repository/index.js';
import { type Recipe, recipeKey } from './recipe.js';
import { applyWhereItFits, type End, lackOfRoom, programOf, runRecipe } from './run-recipe.js';
import { Slot } from './slot.js';

const manifestSchema = z.object({
  format: z.literal(1),
  repository: z.string(),
  commit: z.string(),
  /** Undefined where it was built. */
  failed: z.string().optional(),
  program: z.string().optional(),
  ms: z.number(),
  bytes: z.number(),
});

type Manifest = z.infer<typeof manifestSchema>;

export type Build =
  | { readonly kind: 'built'; readonly program: string; readonly ms: number; readonly isNew: boolean }
  | {
      readonly kind: 'failed';
      readonly why: string;
      readonly log: string;
      /** The commit is to blame, and would fail again. */
      readonly isLasting: boolean;
    };

export interface StoredBuild extends Manifest {
  readonly key: string;
  readonly folder: string;
  /** Milliseconds since 1970 when it was last asked for. */
  readonly usedAt: number;
}

/** A commit to build, and the key it will be kept under. */
interface Job {
  readonly key: string;
  readonly repository: Repository;
  readonly commit: string;
  readonly recipe: Recipe;
  readonly jobs: number;
  readonly signal: AbortSignal;
}

/** Less room than this is not enough to begin a build. */
const leastFreeBytes = 1 << 30;

/** Builds take no more room than this; those used the longest ago go first. */
const mostKeptBytes = 20 * 2 ** 30;

/** A folder to build in takes gigabytes; one that was not used for so long will not be missed. */
const forgottenMs = 30 * 86_400_000;

/** What was used in the last hours may be in use still. */
const sparedMs = 6 * 3_600_000;

export class Builds {
  readonly #done: string;
  readonly #slots: string;
  readonly #underWay = new Map<string, Promise<Build | Fault>>();

  /** @param folder where builds are kept, such as a folder of the user's cache */
  constructor(
    private readonly folder: string,
    private readonly mostBytes: number = mostKeptBytes,
  ) {
    this.#done = join(folder, 'done');
    this.#slots = join(folder, 'slots');
  }

  /** The program of a commit, built now unless something that holds the same was built before. */
  async build(
    repository: Repository,
    commit: string,
    recipe: Recipe,
    { jobs, signal }: { jobs: number; signal: AbortSignal },
  ): Promise<Build | Fault> {
    const tree = await repository.treeOf(commit, signal);
    if (tree instanceof Fault) return tree;
    const key = keyOf(tree, recipe);
    // Commits that hold the same are built once, also where they are asked for at once.
    const known = this.#underWay.get(key) ?? this.#known(key);
    const first = await known;
    if (first !== undefined) return first;
    const again = this.#underWay.get(key);
    if (again !== undefined) return again;
    const building = this.#build({ key, repository, commit, recipe, jobs, signal });
    this.#underWay.set(key, building);
    try {
      return await building;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #build(job: Job): Promise<Build | Fault> {
    const { repository, commit, recipe, signal } = job;
    try {
      await mkdir(this.#done, { recursive: true });
      const { bavail, bsize } = await statfs(this.folder);
      if (bavail * bsize < leastFreeBytes)
        return environmentFault(
          `there is too little room in ${this.folder} to build ${short(commit)}: culprit builds prune makes some`,
        );
      const slot = await Slot.take(join(this.#slots, projectName(repository, recipe)), recipe.goesOn);
      if (slot instanceof Fault) return slot;
      try {
        return await this.#buildIn(slot, job);
      } finally {
        await slot.free();
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC') return this.#noRoom();
      if (code === 'EACCES' || code === 'EROFS')
        return environmentFault(`${this.folder} cannot be written to: ${message}`);
      throw error;
    }
  }

  #noRoom(): Fault {
    return environmentFault(`there is no room left in ${this.folder}: culprit builds prune makes some`);
  }

  async #known(key: string): Promise<Build | undefined> {
    const folder = join(this.#done, key);
    const manifest = await readManifest(folder);
    if (manifest === undefined) return undefined;
    const build = toBuild(manifest, folder, false);
    // A kill in the middle of making room leaves a manifest without its program.
    if (build.kind === 'built' && !existsSync(build.program)) return undefined;
    const now = new Date();
    await utimes(folder, now, now).catch(() => {});
    return build;
  }

  async #buildIn(slot: Slot, { key, repository, commit, recipe, jobs, signal }: Job): Promise<Build | Fault> {
    const startedAt = performance.now();
    await slot.begin();
    let missing: readonly string[] = [];
    const attempt = async (): Promise<End | Fault> => {
      await slot.forgetCreated();
      const laidOut = await repository.checkOut(commit, slot.path, signal);
      if (laidOut instanceof Fault) {
        if (lackOfRoom.test(laidOut.message)) return this.#noRoom();
        if (!(laidOut instanceof GitFault)) return laidOut;
        return { kind: 'failed', why: `its files cannot be laid out: ${laidOut.complaint}` };
      }
      missing = laidOut;
      for (const { text } of recipe.patches) {
        const fault = await applyWhereItFits(text, slot, signal);
        if (fault !== undefined) return lackOfRoom.test(fault.message) ? this.#noRoom() : fault;
      }
      return runRecipe(slot, recipe, jobs, signal);
    };
    const hadOthers = existsSync(slot.source);
    let end = await attempt();
    if (hadOthers && !(end instanceof Fault) && end.kind === 'failed') {
      // What an earlier commit left behind may be to blame.
      await slot.wipe();
      end = await attempt();
    }
    if (end instanceof Fault) return end;
    if (end.kind === 'no room') return this.#noRoom();
    // The mark stays: what was cut off left something half done.
    if (end.kind === 'cut off') return { kind: 'failed', why: end.why, log: slot.log, isLasting: false };
    await slot.end();
    if (end.kind === 'failed' && missing.length > 0)
      return {
        kind: 'failed',
        why: `${end.why}; the submodule ${missing.join(', ')} is not there: git submodule update --init --recursive brings it`,
        log: slot.log,
        isLasting: false,
      };
    const made = await this.#keep(slot, key, recipe, end.kind === 'failed' ? end.why : undefined, {
      format: 1,
      repository: repository.path,
      commit,
      ms: Math.round(performance.now() - startedAt),
      bytes: 0,
    });
    await this.prune(this.mostBytes, sparedMs);
    return toBuild(made, join(this.#done, key), true);
  }

  /** Written beside its place and moved there whole: a build that was cut off was never there. */
  async #keep(
    slot: Slot,
    key: string,
    recipe: Recipe,
    failed: string | undefined,
    manifest: Manifest,
  ): Promise<Manifest> {
    const target = join(this.#done, key);
    const temporary = `${target}.${process.pid}.tmp`;
    await mkdir(temporary, { recursive: true });
    await copyFile(slot.log, join(temporary, 'log.txt'));
    let whole: Manifest = manifest;
    if (failed === undefined) {
      const program = programOf(slot, recipe);
      const name = basename(program);
      await cp(program, join(temporary, name), { dereference: true });
      const { size } = await stat(program);
      whole = { ...manifest, program: name, bytes: size };
    } else whole = { ...manifest, failed };
    await writeFile(join(temporary, 'manifest.json'), JSON.stringify(whole));
    const there = await readManifest(target);
    if (
      there !== undefined &&
      (there.program === undefined || existsSync(join(target, basename(there.program))))
    ) {
      // Another process was quicker, and may be using it by now.
      await rm(temporary, { recursive: true, force: true });
      return there;
    }
    await rm(target, { recursive: true, force: true });
    await rename(temporary, target);
    return whole;
  }

  /** What is kept, the latest used first. */
  async list(): Promise<readonly StoredBuild[]> {
    const names = (await readdir(this.#done).catch(() => [])).filter((name) => isKey.test(name));
    const found = await Promise.all(
      names.map(async (key): Promise<StoredBuild[]> => {
        const folder = join(this.#done, key);
        const manifest = await readManifest(folder);
        if (manifest === undefined) return [];
        const usedAt = await stat(folder).then(
          (one) => one.mtimeMs,
          () => undefined,
        );
        return usedAt === undefined ? [] : [{ ...manifest, key, folder, usedAt }];
      }),
    );
    return found.flat().toSorted((a, b) => b.usedAt - a.usedAt);
  }

  /**
   * Removes what was used the longest ago until the rest takes no more than so many bytes; gives what went. What was
   * used in the last `spared` milliseconds stays.
   */
  async prune(mostBytes: number, spared = 0): Promise<readonly StoredBuild[]> {
    const gone: StoredBuild[] = [];
    let total = 0;
    for (const one of await this.list()) {
      total += one.bytes;
      if (total > mostBytes && one.usedAt < Date.now() - spared) {
        await removeWhole(one.folder);
        gone.push(one);
      }
    }
    const isLeft = (name: string): boolean => name.endsWith('.tmp') && !isRunningOwner(name);
    for (const name of (await readdir(this.#done).catch(() => [])).filter(isLeft))
      await rm(join(this.#done, name), { recursive: true, force: true });
    await this.#pruneSlots(mostBytes === 0 ? 0 : forgottenMs);
    return gone;
  }

  /** Folders to build in that nobody builds in, and nobody has for so long. */
  async #pruneSlots(unusedMs: number): Promise<void> {
    for (const project of await readdir(this.#slots).catch(() => [])) {
      const folder = join(this.#slots, project);
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        const usedAt = await stat(join(path, 'log.txt')).then(
          (one) => one.mtimeMs,
          () => 0,
        );
        if (usedAt > Date.now() - unusedMs) continue;
        const unlock = await takeLock(path);
        if (unlock instanceof Fault) continue;
        await rm(path, { recursive: true, force: true });
        await unlock();
      }
      // Only where it is empty by now.
      await rmdir(folder).catch(() => {});
    }
  }
}

/** Where builds are kept on this machine. */
export function localBuilds(): Builds {
  return new Builds(join(cacheFolder(thisMachine()), 'builds'));
}

/** Others are on their way, or were when their process was killed. */
const isKey = /^[0-9a-f]{32}$/;

function keyOf(tree: string, recipe: Recipe): string {
  return createHash('sha256')
    .update(`${tree} ${recipeKey(recipe)} ${process.arch}`)
    .digest('hex')
    .slice(0, 32);
}

function projectName({ gitDir }: Repository, recipe: Recipe): string {
  return createHash('sha256')
    .update(`${gitDir} ${recipeKey(recipe)}`)
    .digest('hex')
    .slice(0, 16);
}

function toBuild(manifest: Manifest, folder: string, isNew: boolean): Build {
  if (manifest.failed !== undefined || manifest.program === undefined)
    return {
      kind: 'failed',
      why: manifest.failed ?? 'its program is missing',
      log: join(folder, 'log.txt'),
      isLasting: true,
    };
  return { kind: 'built', program: join(folder, basename(manifest.program)), ms: manifest.ms, isNew };
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    const parsed = manifestSchema.safeParse(
      JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')),
    );
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Moved out of the way first: a kill in the middle leaves nothing that looks whole. */
async function removeWhole(folder: string): Promise<void> {
  const aside = `${folder}.${process.pid}.tmp`;
  await rename(folder, aside).catch(() => {});
  await rm(aside, { recursive: true, force: true });
}

/** Is the process that names a temporary folder still there? */
function isRunningOwner(name: string): boolean {
  const pid = Number(name.split('.').at(-2));
  return Number.isSafeInteger(pid) && !hasEnded(pid);
}
