/** A copy of a version in which changes are taken back, built and tested: only what differs is written anew. */

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
import { type Built, type Commands, runBuild, runTest } from './commands.js';
import { measuredTest, type SlowLimit } from './measured-test.js';
import { layOutSources, type Sources } from './sources.js';
import type { Trial } from './verdict.js';

const markName = 'reverted.json';
const runningName = 'running.txt';
const markSchema = z.array(z.number());

export class WorkTree {
  /** What stands in each file now; undefined where it is not there. */
  readonly #texts = new Map<string, string | undefined>();
  readonly #commands: Commands;
  /** The last build was ended before its end: half an object may look finished. */
  #isCut = false;

  private constructor(
    /** Around the sources: what is known about them stands beside. */
    private readonly folder: string,
    readonly source: string,
    private readonly sources: Sources,
    private readonly files: readonly ChangedFile[],
    commands: Commands,
    private readonly slow: SlowLimit | undefined,
  ) {
    this.#commands = { ...commands, onStart: (pid) => noteRunning(folder, pid) };
  }

  /**
   * The one that an earlier run left, if that run came to the end of its last trial; else a new one. What was cut off
   * may have left half an object that looks finished.
   */
  static async open(
    folder: string,
    sources: Sources,
    files: readonly ChangedFile[],
    commands: Commands,
    signal: AbortSignal,
    slow?: SlowLimit,
  ): Promise<WorkTree | Fault> {
    await endWhatRuns(folder);
    const left = await markIn(folder);
    const source = left === undefined ? await WorkTree.lay(folder, sources, signal) : join(folder, 'source');
    if (source instanceof Fault) return source;
    const tree = new WorkTree(folder, source, sources, files, commands, slow);
    const reverted = new Set(left ?? []);
    for (const file of files)
      tree.#texts.set(
        file.versions.path,
        withReverted(file, (id) => reverted.has(id)),
      );
    return tree;
  }

  /** The sources as they are, anew, and nothing taken back. */
  static async lay(folder: string, sources: Sources, signal: AbortSignal): Promise<string | Fault> {
    const source = await layOutSources(sources, folder, signal);
    if (!(source instanceof Fault)) await writeWithin(folder, markName, '[]', { isDisposable: true });
    return source;
  }

  async try(reverted: ReadonlySet<number>, signal: AbortSignal): Promise<Trial | Fault> {
    const built = await this.#built(reverted, signal);
    if (built instanceof Fault) return built;
    const trial = built.isBuilt
      ? await this.#test(signal)
      : { verdict: 'does not build' as const, said: built.said, isUnsure: built.isUnsure };
    if (trial instanceof Fault) return trial;
    if (!this.#isCut) await this.#mark(reverted);
    return trial;
  }

  /** Builds it as it is, for tests of the caller's own. */
  async build(signal: AbortSignal): Promise<Built | Fault> {
    const nothing: ReadonlySet<number> = new Set();
    const built = await this.#built(nothing, signal);
    if (!(built instanceof Fault) && !this.#isCut) await this.#mark(nothing);
    return built;
  }

  async #built(reverted: ReadonlySet<number>, signal: AbortSignal): Promise<Built | Fault> {
    const fault = (this.#isCut ? await this.#layAnew(signal) : undefined) ?? (await this.#write(reverted));
    if (fault !== undefined) return fault;
    const built = await runBuild(this.source, this.#commands, signal);
    this.#isCut = !(built instanceof Fault) && built.isUnsure;
    return built;
  }

  async #layAnew(signal: AbortSignal): Promise<Fault | undefined> {
    const source = await WorkTree.lay(this.folder, this.sources, signal);
    if (source instanceof Fault) return source;
    for (const file of this.files)
      this.#texts.set(
        file.versions.path,
        withReverted(file, () => false),
      );
    return undefined;
  }

  /** What is begun without coming to this has to be laid out anew. */
  async #mark(reverted: ReadonlySet<number>): Promise<void> {
    await writeWithin(this.folder, markName, JSON.stringify([...reverted]), { isDisposable: true });
  }

  #test(signal: AbortSignal): Promise<Trial | Fault> {
    return this.slow === undefined
      ? runTest(this.source, this.#commands, signal)
      : measuredTest(this.source, this.#commands, this.slow, signal);
  }

  async #write(reverted: ReadonlySet<number>): Promise<Fault | undefined> {
    try {
      for (const name of [markName, runningName]) await rm(join(this.folder, name), { force: true });
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

  /** A file that is replaced keeps its rights; one that comes back has those it had. */
  async #put(path: string, text: string | undefined, oldMode: number | undefined): Promise<void> {
    const full = join(this.source, path);
    // Refuses a link on the way: nothing is written or removed behind one.
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

/** Which changes were taken back when the last trial there ended; undefined where none came to its end. */
async function markIn(folder: string): Promise<readonly number[] | undefined> {
  try {
    // A link in the place of the sources leads to somebody else's.
    for (const path of [folder, join(folder, 'source')])
      if (!(await lstat(path)).isDirectory()) return undefined;
    const parsed = markSchema.safeParse(JSON.parse(await readFile(join(folder, markName), 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** What runs now, so that it can be ended if this process is killed. */
function noteRunning(folder: string, pid: number): void {
  appendOwn(join(folder, runningName), `${pid} ${processStartTime(pid) ?? ''}\n`);
}

/** What was killed is gone within a few of these. */
const waitMs = 10;
const mostWaits = 200;

/** A build that its culprit left running would go on writing into the tree. */
async function endWhatRuns(folder: string): Promise<void> {
  const text = await readFile(join(folder, runningName), 'utf8').catch(() => '');
  const [, number, started = ''] = /^(\d+) (.*)$/.exec(text.trimEnd().split('\n').at(-1) ?? '') ?? [];
  const pid = Number(number);
  if (started === '' || processStartTime(pid) !== started) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself just now.
  }
  for (let waited = 0; !hasEnded(pid) && waited < mostWaits; waited++) await sleep(waitMs);
}
