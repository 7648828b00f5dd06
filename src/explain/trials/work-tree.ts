/** A copy of a version in which changes are reverted, built and tested; only files that differ are rewritten. */

import { lstat, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  appendOwn,
  cannotWrite,
  Fault,
  hasEnded,
  makeFolderWithin,
  processStartTime,
  writeWithin,
} from '../../machine/index.js';
import type { ChangedFile } from '../changes/change.js';
import { withReverted } from '../changes/reverted.js';
import type { SlowLimit } from './measured-trial.js';
import type { Built, TestedVersion } from './tested-version.js';
import type { Trial } from './verdict.js';

const stateName = 'reverted.json';
const runningName = 'running.txt';
const stateSchema = z.array(z.number());

export class WorkTree {
  /** The current text of each file; undefined if the file does not exist. */
  readonly #texts = new Map<string, string | undefined>();
  /** The last build was interrupted and may have left an incomplete object file. */
  #isInterrupted = false;

  private constructor(
    /** Holds the folder `source` and the state of this tree. */
    private readonly folder: string,
    readonly source: string,
    readonly version: TestedVersion,
    private readonly files: readonly ChangedFile[],
    private readonly slow: SlowLimit | undefined,
  ) {}

  /** Reuses the tree of an earlier run if its last trial was completed: an interrupted build may leave incomplete objects. */
  static async open(
    folder: string,
    version: TestedVersion,
    files: readonly ChangedFile[],
    signal: AbortSignal,
    slow?: SlowLimit,
  ): Promise<WorkTree | Fault> {
    await killLeftover(folder);
    const left = await completedTrialIn(folder);
    const source =
      left === undefined ? await WorkTree.layOut(folder, version, signal) : join(folder, 'source');
    if (source instanceof Fault) return source;
    const noting = version.with({ onStart: (pid) => noteRunning(folder, pid) });
    const tree = new WorkTree(folder, source, noting, files, slow);
    tree.#resetTexts(new Set(left));
    return tree;
  }

  /** Copies the sources into the folder, with no change reverted. */
  static async layOut(folder: string, version: TestedVersion, signal: AbortSignal): Promise<string | Fault> {
    const source = await version.layOut(folder, signal);
    if (!(source instanceof Fault)) await writeWithin(folder, stateName, '[]', { isDisposable: true });
    return source;
  }

  async try(reverted: ReadonlySet<number>, signal: AbortSignal): Promise<Trial | Fault> {
    const built = await this.#built(reverted, signal);
    if (built instanceof Fault) return built;
    const trial = built.isBuilt
      ? await this.version.test(this.source, signal, this.slow)
      : { verdict: 'does not build' as const, output: built.output, hitWallLimit: built.hitWallLimit };
    if (trial instanceof Fault) return trial;
    if (!this.#isInterrupted) await this.#saveState(reverted);
    return trial;
  }

  /** Builds the version with no change reverted. */
  async build(signal: AbortSignal): Promise<Built | Fault> {
    const nothing: ReadonlySet<number> = new Set();
    const built = await this.#built(nothing, signal);
    if (!(built instanceof Fault) && !this.#isInterrupted) await this.#saveState(nothing);
    return built;
  }

  async #built(reverted: ReadonlySet<number>, signal: AbortSignal): Promise<Built | Fault> {
    if (this.#isInterrupted) {
      const source = await WorkTree.layOut(this.folder, this.version, signal);
      if (source instanceof Fault) return source;
      this.#resetTexts(new Set());
    }
    const fault = await this.#write(reverted);
    if (fault !== undefined) return fault;
    const built = await this.version.build(this.source, signal);
    this.#isInterrupted = !(built instanceof Fault) && built.hitWallLimit;
    return built;
  }

  #resetTexts(reverted: ReadonlySet<number>): void {
    for (const file of this.files)
      this.#texts.set(
        file.versions.path,
        withReverted(file, (id) => reverted.has(id)),
      );
  }

  /** A tree without this file is laid out again when it is opened. */
  async #saveState(reverted: ReadonlySet<number>): Promise<void> {
    await writeWithin(this.folder, stateName, JSON.stringify([...reverted]), { isDisposable: true });
  }

  async #write(reverted: ReadonlySet<number>): Promise<Fault | undefined> {
    try {
      for (const name of [stateName, runningName]) await rm(join(this.folder, name), { force: true });
      for (const file of this.files) {
        const { path, oldMode } = file.versions;
        const text = withReverted(file, (id) => reverted.has(id));
        if (this.#texts.get(path) === text) continue;
        await this.#put(path, text, oldMode);
        this.#texts.set(path, text);
      }
    } catch (error) {
      return cannotWrite(this.source, error);
    }
    return undefined;
  }

  /** A replaced file keeps its permissions; a restored one gets those of the old version. */
  async #put(path: string, text: string | undefined, oldMode: number | undefined): Promise<void> {
    const full = join(this.source, path);
    // Refuses symbolic links in the path, so that nothing outside the tree is changed.
    if (dirname(path) !== '.') await makeFolderWithin(this.source, dirname(path));
    if (text === undefined) {
      await rm(full, { force: true });
      return;
    }
    const mode = await lstat(full).then(
      (info) => info.mode & 0o777,
      () => oldMode,
    );
    await writeWithin(this.source, path, Buffer.from(text, 'latin1'), { isDisposable: true, mode });
  }
}

/** The changes that the last trial reverted; undefined if that trial was not completed. */
async function completedTrialIn(folder: string): Promise<readonly number[] | undefined> {
  try {
    // A symbolic link in place of the sources would lead outside the folder.
    for (const path of [folder, join(folder, 'source')])
      if (!(await lstat(path)).isDirectory()) return undefined;
    const parsed = stateSchema.safeParse(JSON.parse(await readFile(join(folder, stateName), 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Records the running command, so that a resumed run can kill it if this process was killed. */
function noteRunning(folder: string, pid: number): void {
  appendOwn(join(folder, runningName), `${pid} ${processStartTime(pid) ?? ''}\n`);
}

const waitMs = 10;
const maxWaits = 200;

/** Kills a build that an interrupted run left behind, which would continue to write into the tree. */
async function killLeftover(folder: string): Promise<void> {
  const text = await readFile(join(folder, runningName), 'utf8').catch(() => '');
  const [, number, started = ''] = /^(\d+) (.*)$/.exec(text.trimEnd().split('\n').at(-1) ?? '') ?? [];
  const pid = Number(number);
  if (started === '' || processStartTime(pid) !== started) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
  for (let waited = 0; !hasEnded(pid) && waited < maxWaits; waited++) await sleep(waitMs);
}
