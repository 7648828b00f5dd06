/** Programs built from commits, kept by what they were built from. */

import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { environmentFault, type Fault } from '../solver/fault.js';
import { runToEnd } from '../solver/process/command.js';
import { type Recipe, recipeKey } from './recipe.js';
import { type Repository, short } from './repository.js';

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
  | { readonly kind: 'failed'; readonly why: string; readonly log: string };

export interface StoredBuild extends Manifest {
  readonly key: string;
  readonly folder: string;
  /** Milliseconds since 1970 when it was last asked for. */
  readonly usedAt: number;
}

/** Less room than this is not enough to begin a build. */
const leastFreeBytes = 1 << 30;

/** What a complaint of a failed build is made of: the end of its log. */
const toldLines = 3;

export class Builds {
  readonly #done: string;
  readonly #slots: string;

  /** @param folder where builds are kept, such as a folder of the user's cache */
  constructor(private readonly folder: string) {
    this.#done = join(folder, 'done');
    this.#slots = join(folder, 'slots');
  }

  /** The program of a commit, built now unless something that holds the same was built before. */
  async build(
    repository: Repository,
    commit: string,
    recipe: Recipe,
    { slot, jobs, signal }: { slot: number; jobs: number; signal: AbortSignal },
  ): Promise<Build | Fault> {
    const key = keyOf(await repository.treeOf(commit, signal), recipe);
    const known = await this.#known(key);
    if (known !== undefined) return known;
    const work = join(this.#slots, slotName(repository, recipe), String(slot));
    try {
      await mkdir(work, { recursive: true });
      await mkdir(this.#done, { recursive: true });
      const { bavail, bsize } = await statfs(this.folder);
      if (bavail * bsize < leastFreeBytes)
        return environmentFault(
          `there is too little room in ${this.folder} to build ${short(commit)}: culprit builds prune makes some`,
        );
      return await this.#buildIn(work, key, repository, commit, recipe, jobs, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC')
        return environmentFault(`there is no room left in ${this.folder}: culprit builds prune makes some`);
      if (code === 'EACCES' || code === 'EROFS')
        return environmentFault(`${this.folder} cannot be written to: ${message}`);
      throw error;
    }
  }

  async #known(key: string): Promise<Build | undefined> {
    const folder = join(this.#done, key);
    const manifest = await readManifest(folder);
    if (manifest === undefined) return undefined;
    const now = new Date();
    await utimes(folder, now, now).catch(() => {});
    return toBuild(manifest, folder, false);
  }

  async #buildIn(
    work: string,
    key: string,
    repository: Repository,
    commit: string,
    recipe: Recipe,
    jobs: number,
    signal: AbortSignal,
  ): Promise<Build> {
    const startedAt = performance.now();
    const log = join(work, 'log.txt');
    await repository.checkOut(commit, work, signal);
    let why = await this.#run(work, recipe, jobs, log, signal);
    if (why !== undefined) {
      // What an earlier commit left behind may be to blame.
      await rm(join(work, 'build'), { recursive: true, force: true });
      why = await this.#run(work, recipe, jobs, log, signal);
    }
    const made = await this.#keep(work, key, log, recipe, why, {
      format: 1,
      repository: repository.path,
      commit,
      ms: Math.round(performance.now() - startedAt),
      bytes: 0,
    });
    return toBuild(made, join(this.#done, key), true);
  }

  /** Undefined if every command succeeded and the program is there; otherwise why not. */
  async #run(
    work: string,
    recipe: Recipe,
    jobs: number,
    log: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const build = join(work, 'build');
    await mkdir(build, { recursive: true });
    await writeFile(log, '');
    for (const command of recipe.build) {
      const code = await shell(command, work, recipe, jobs, log, signal);
      if (code !== 0)
        return `${command.split(' ', 1)[0]} ${code === undefined ? 'took too long' : `ended with ${code}`}: ${await lastLines(log)}`;
    }
    const program = programOf(work, recipe);
    const isThere = await stat(program).then(
      (one) => one.isFile(),
      () => false,
    );
    return isThere ? undefined : `the build succeeded, but there is no ${recipe.binary}`;
  }

  /** Written beside its place and moved there whole: a build that was cut off was never there. */
  async #keep(
    work: string,
    key: string,
    log: string,
    recipe: Recipe,
    failed: string | undefined,
    manifest: Manifest,
  ): Promise<Manifest> {
    const target = join(this.#done, key);
    const temporary = `${target}.${process.pid}.tmp`;
    await rm(temporary, { recursive: true, force: true });
    await mkdir(temporary, { recursive: true });
    await copyFile(log, join(temporary, 'log.txt'));
    let whole: Manifest = manifest;
    if (failed === undefined) {
      const program = programOf(work, recipe);
      const name = basename(program);
      await cp(program, join(temporary, name), { dereference: true });
      const { size } = await stat(program);
      whole = { ...manifest, program: name, bytes: size };
    } else whole = { ...manifest, failed };
    await writeFile(join(temporary, 'manifest.json'), JSON.stringify(whole));
    await rm(target, { recursive: true, force: true });
    await rename(temporary, target);
    return whole;
  }

  /** What is kept, the latest used first. */
  async list(): Promise<readonly StoredBuild[]> {
    const names = await readdir(this.#done).catch(() => []);
    const found = await Promise.all(
      names.map(async (key): Promise<StoredBuild[]> => {
        const folder = join(this.#done, key);
        const manifest = await readManifest(folder);
        if (manifest === undefined) return [];
        const { mtimeMs } = await stat(folder);
        return [{ ...manifest, key, folder, usedAt: mtimeMs }];
      }),
    );
    return found.flat().toSorted((a, b) => b.usedAt - a.usedAt);
  }

  /** Removes what was used the longest ago until the rest takes no more than so many bytes; gives what went. */
  async prune(mostBytes: number): Promise<readonly StoredBuild[]> {
    const gone: StoredBuild[] = [];
    let total = 0;
    for (const one of await this.list()) {
      total += one.bytes;
      if (total > mostBytes) {
        await rm(one.folder, { recursive: true, force: true });
        gone.push(one);
      }
    }
    if (mostBytes === 0) await rm(this.#slots, { recursive: true, force: true });
    return gone;
  }
}

function keyOf(tree: string, recipe: Recipe): string {
  return createHash('sha256')
    .update(`${tree} ${recipeKey(recipe)} ${process.arch}`)
    .digest('hex')
    .slice(0, 32);
}

function slotName({ gitDir }: Repository, recipe: Recipe): string {
  return createHash('sha256')
    .update(`${gitDir} ${recipeKey(recipe)}`)
    .digest('hex')
    .slice(0, 16);
}

function programOf(work: string, { binary }: Recipe): string {
  const inBuild = '$CULPRIT_BUILD/';
  return binary.startsWith(inBuild)
    ? join(work, 'build', binary.slice(inBuild.length))
    : join(work, 'source', binary);
}

function toBuild(manifest: Manifest, folder: string, isNew: boolean): Build {
  if (manifest.failed !== undefined || manifest.program === undefined)
    return { kind: 'failed', why: manifest.failed ?? 'its program is missing', log: join(folder, 'log.txt') };
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

/** The exit code; undefined if it took too long. */
async function shell(
  command: string,
  work: string,
  recipe: Recipe,
  jobs: number,
  log: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const output = openSync(log, 'a');
  try {
    const { code, isLate } = await runToEnd({
      words: ['sh', '-c', command],
      cwd: join(work, 'source'),
      output,
      env: { ...recipe.env, CULPRIT_BUILD: join(work, 'build'), CULPRIT_JOBS: String(jobs) },
      limitMs: recipe.minutes * 60_000,
      signal,
    });
    return isLate ? undefined : (code ?? 128);
  } finally {
    closeSync(output);
  }
}

async function lastLines(log: string): Promise<string> {
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => /error|fatal|not found|undefined reference/i.test(line));
  return (telling.length > 0 ? telling.slice(0, toldLines) : lines.slice(-toldLines))
    .join(' | ')
    .slice(0, 500);
}
