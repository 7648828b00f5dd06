/** Builds programs from commits and caches them by content. */

import { existsSync } from 'node:fs';
import { copyFile, cp, readdir, rm, rmdir, stat, statfs, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  cacheFolder,
  environmentFault,
  Fault,
  makeFolder,
  moveIntoPlace,
  removeFolderAtomically,
  stagingFolder,
  sweepStagingFolders,
  takeLock,
  thisMachine,
  writeAtomically,
} from '../machine/index.js';
import { GitFault, type Repository, shortId } from '../repository/index.js';
import { buildKey, isBuildKey, projectName } from './build-key.js';
import { type Build, type Manifest, readManifest, type StoredBuild, toBuild } from './manifest.js';
import type { Recipe } from './recipe.js';
import { applyIfItFits, builtProgram, diskFullPattern, type RecipeEnd, runRecipe } from './run-recipe.js';
import { Slot } from './slot.js';

/** Extra files to store with a new build, by name. */
export type CollectArtifacts = (
  made: { readonly source: string; readonly build: string; readonly program: string },
  signal: AbortSignal,
) => Promise<Readonly<Record<string, Buffer>> | Fault>;

/** A commit to build and its cache key. */
interface BuildJob {
  readonly key: string;
  readonly repository: Repository;
  readonly commit: string;
  readonly recipe: Recipe;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly collectArtifacts?: CollectArtifacts | undefined;
  /** Sorted sources that are not compiled. Calling a function in them reports that it is missing. */
  readonly leftOut: readonly string[];
}

/** Minimum free space to begin a build. */
const minFreeBytes = 1 << 30;

/** Maximum size of the cache; the least recently used builds are removed first. */
const maxCacheBytes = 20 * 2 ** 30;

/** Build folders take gigabytes; they are removed when unused for this long. */
const unusedFolderMs = 30 * 86_400_000;

/** A build used this recently may still be in use. */
const recentlyUsedMs = 6 * 3_600_000;

export class Builds {
  readonly #done: string;
  readonly #slots: string;
  readonly #building = new Map<string, Promise<Build | Fault>>();

  constructor(
    private readonly folder: string,
    private readonly maxBytes: number = maxCacheBytes,
  ) {
    this.#done = join(folder, 'done');
    this.#slots = join(folder, 'slots');
  }

  async build(
    repository: Repository,
    commit: string,
    recipe: Recipe,
    options: Pick<BuildJob, 'jobs' | 'signal' | 'collectArtifacts'> & Partial<Pick<BuildJob, 'leftOut'>>,
  ): Promise<Build | Fault> {
    const job = { ...options, leftOut: options.leftOut ?? [], repository, commit, recipe };
    const tree = await repository.treeOf(commit, job.signal);
    if (tree instanceof Fault) return tree;
    const key = buildKey(tree, recipe, job.leftOut);
    // Commits with equal content are built once, also if requested concurrently.
    const known = this.#building.get(key) ?? this.#findCached(key);
    const first = await known;
    if (first !== undefined) return first;
    const again = this.#building.get(key);
    if (again !== undefined) return again;
    const building = this.#build({ ...job, key });
    this.#building.set(key, building);
    try {
      return await building;
    } finally {
      this.#building.delete(key);
    }
  }

  async #build(job: BuildJob): Promise<Build | Fault> {
    const { repository, commit, recipe, signal } = job;
    try {
      await makeFolder(this.#done);
      const { bavail, bsize } = await statfs(this.folder);
      if (bavail * bsize < minFreeBytes)
        return environmentFault(
          `too little disk space in ${this.folder} to build ${shortId(commit)}: culprit builds prune frees some`,
        );
      const slot = await Slot.take(join(this.#slots, projectName(repository, recipe)), recipe.resumable);
      if (slot instanceof Fault) return slot;
      try {
        return await this.#buildIn(slot, job);
      } finally {
        await slot.free();
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC') return this.#diskFullFault();
      if (code === 'EACCES' || code === 'EROFS')
        return environmentFault(`${this.folder} cannot be written to: ${message}`);
      throw error;
    }
  }

  #diskFullFault(): Fault {
    return environmentFault(`no space is left in ${this.folder}: culprit builds prune frees some`);
  }

  async findCached(repository: Repository, commit: string, recipe: Recipe, signal: AbortSignal) {
    const tree = await repository.treeOf(commit, signal);
    return tree instanceof Fault ? undefined : this.#findCached(buildKey(tree, recipe));
  }

  async #findCached(key: string): Promise<Build | undefined> {
    const folder = join(this.#done, key);
    const manifest = await readManifest(folder);
    if (manifest === undefined) return undefined;
    const build = toBuild(manifest, folder, false);
    // A kill while pruning can leave a manifest without its program.
    if (build.kind === 'built' && !existsSync(build.program)) return undefined;
    const now = new Date();
    await utimes(folder, now, now).catch(() => {});
    return build;
  }

  async #buildIn(
    slot: Slot,
    { key, repository, commit, recipe, jobs, signal, collectArtifacts, leftOut }: BuildJob,
  ): Promise<Build | Fault> {
    const startedAt = performance.now();
    await slot.begin();
    let missing: readonly string[] = [];
    const attempt = async (): Promise<RecipeEnd | Fault> => {
      await slot.forgetCreated();
      const laidOut = await repository.checkOut(commit, slot.path, signal);
      if (laidOut instanceof Fault) {
        if (diskFullPattern.test(laidOut.message)) return this.#diskFullFault();
        if (!(laidOut instanceof GitFault)) return laidOut;
        await slot.beginLog(laidOut.complaint);
        return { kind: 'lacking', why: `its files cannot be checked out: ${laidOut.complaint}` };
      }
      missing = laidOut;
      for (const { text } of recipe.patches) {
        const fault = await applyIfItFits(text, slot, signal);
        if (fault !== undefined) return diskFullPattern.test(fault.message) ? this.#diskFullFault() : fault;
      }
      return runRecipe(slot, recipe, jobs, signal, leftOut);
    };
    const hadOthers = existsSync(slot.source);
    let end = await attempt();
    const wanted = end instanceof Fault || end.kind !== 'failed' ? undefined : await slot.wantedSymbols();
    if (wanted !== undefined && !(end instanceof Fault) && end.kind === 'failed') {
      // Everything was compiled: the left-out sources may be to blame, not the commit.
      await slot.end();
      return { kind: 'failed', why: end.why, log: slot.log, isLasting: false, wanted };
    }
    if (hadOthers && !(end instanceof Fault) && (end.kind === 'failed' || end.kind === 'lacking')) {
      // Leftovers of an earlier commit may be to blame.
      await slot.wipe();
      end = await attempt();
    }
    if (end instanceof Fault) return end;
    if (end.kind === 'no room') return this.#diskFullFault();
    // The mark stays, because an interrupted command leaves partial results.
    if (end.kind === 'cut off' || end.kind === 'lacking')
      return { kind: 'failed', why: end.why, log: slot.log, isLasting: false };
    await slot.end();
    if (end.kind === 'failed' && missing.length > 0)
      return {
        kind: 'failed',
        why: `${end.why}; the submodule ${missing.join(', ')} is missing: run git submodule update --init --recursive`,
        log: slot.log,
        isLasting: false,
      };
    const program = builtProgram(slot, recipe);
    if (program instanceof Fault) return program;
    const beside =
      end.kind === 'failed'
        ? {}
        : await collectArtifacts?.({ source: slot.source, build: slot.build, program }, signal);
    if (beside instanceof Fault) return beside;
    const what = end.kind === 'failed' ? { failed: end.why } : { program, beside: beside ?? {} };
    const made = await this.#store(slot, key, what, {
      format: 1,
      repository: repository.path,
      commit,
      ms: Math.round(performance.now() - startedAt),
      bytes: 0,
    });
    await this.prune(this.maxBytes, recentlyUsedMs);
    return toBuild(made, join(this.#done, key), true);
  }

  /** Stores a build atomically, so that an interrupted one never appears. */
  async #store(
    slot: Slot,
    key: string,
    what:
      | { readonly failed: string }
      | { readonly program: string; readonly beside: Readonly<Record<string, Buffer>> },
    manifest: Manifest,
  ): Promise<Manifest> {
    const target = join(this.#done, key);
    const part = stagingFolder(this.#done);
    await makeFolder(part);
    await copyFile(slot.log, join(part, 'log.txt'));
    let whole: Manifest = manifest;
    if ('program' in what) {
      const { program, beside } = what;
      const name = basename(program);
      await cp(program, join(part, name), { dereference: true });
      for (const [file, content] of Object.entries(beside)) await writeAtomically(join(part, file), content);
      const { size } = await stat(program);
      const besideBytes = Object.values(beside).reduce((sum, { length }) => sum + length, 0);
      whole = { ...manifest, program: name, bytes: size + besideBytes };
    } else whole = { ...manifest, failed: what.failed };
    await writeAtomically(join(part, 'manifest.json'), JSON.stringify(whole));
    while (!(await moveIntoPlace(part, target))) {
      const there = await readManifest(target);
      const isWhole =
        there !== undefined &&
        (there.program === undefined || existsSync(join(target, basename(there.program))));
      if (isWhole) {
        // Another process stored it first and may be using it.
        await rm(part, { recursive: true, force: true });
        return there;
      }
      await removeFolderAtomically(target);
    }
    return whole;
  }

  async list(): Promise<readonly StoredBuild[]> {
    const names = (await readdir(this.#done).catch(() => [])).filter((name) => isBuildKey(name));
    const found = await Promise.all(
      names.map(async (key): Promise<StoredBuild[]> => {
        const folder = join(this.#done, key);
        const manifest = await readManifest(folder);
        if (manifest === undefined) return [];
        const usedAt = await stat(folder).then(
          ({ mtimeMs }) => mtimeMs,
          () => undefined,
        );
        return usedAt === undefined ? [] : [{ ...manifest, key, folder, usedAt }];
      }),
    );
    return found.flat().toSorted((a, b) => b.usedAt - a.usedAt);
  }

  /**
   * Removes the least recently used builds until the rest fits, except those used in the last `spared` milliseconds;
   * returns the removed builds.
   */
  async prune(maxBytes: number, spared = 0): Promise<readonly StoredBuild[]> {
    const gone: StoredBuild[] = [];
    let total = 0;
    for (const build of await this.list()) {
      total += build.bytes;
      // Failed builds take no space, and are removed only together with all others.
      const isTooMuch = maxBytes === 0 || total > maxBytes;
      if (isTooMuch && build.usedAt < Date.now() - spared) {
        await removeFolderAtomically(build.folder);
        gone.push(build);
      }
    }
    await sweepStagingFolders(this.#done);
    await this.#pruneSlots(maxBytes === 0 ? 0 : unusedFolderMs);
    return gone;
  }

  /** Removes build folders that have been unused for this long. */
  async #pruneSlots(unusedMs: number): Promise<void> {
    for (const project of await readdir(this.#slots).catch(() => [])) {
      const folder = join(this.#slots, project);
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        const usedAt = await stat(join(path, 'log.txt')).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        );
        if (usedAt > Date.now() - unusedMs) continue;
        const unlock = await takeLock(path);
        if (unlock instanceof Fault) continue;
        await rm(path, { recursive: true, force: true });
        await unlock();
      }
      // Succeeds only if it is empty.
      await rmdir(folder).catch(() => {});
    }
  }
}

/** The build cache of this machine. */
export function localBuilds(): Builds {
  return new Builds(join(cacheFolder(thisMachine()), 'builds'));
}
