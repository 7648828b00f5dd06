import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environmentFault, Fault, ThrownFault } from '../fault.js';
import { argumentList, pathArgument } from './argument-list.js';
import { type OwnGroups, ownGroups } from './cgroups/cgroup-mounts.js';
import { cgroupV1 } from './cgroups/cgroup-v1.js';
import { cgroupV2 } from './cgroups/cgroup-v2.js';
import { runToEnd } from './command.js';
import type { Enclosure, Isolation } from './enclosure.js';
import { Launcher } from './launcher.js';
import { newOwnerName } from './owner.js';
import { processTree } from './process-tree.js';
import { removeTree } from './remove-tree.js';
import { RunFiles } from './run-files.js';
import { sweep } from './sweep.js';
import { Watchdog } from './watchdog.js';

/** The prepared resources of one run: a process waits inside the enclosure for its command. */
export interface PreparedRun {
  readonly files: RunFiles;
  readonly enclosure: Enclosure;
  readonly launcher: Launcher;
}

interface OpenPool {
  readonly owner: string;
  readonly directory: string;
  readonly isolation: Isolation;
  readonly watchdog: Watchdog;
}

export interface RunPoolOptions {
  readonly parent: string;
  readonly cgroups: boolean;
  readonly prefix: (slot: number) => readonly string[];
  /** Folders besides its own that a run may write to; default `$CULPRIT_WRITABLE`, a list separated by `:`. */
  readonly writable?: readonly string[] | undefined;
}

/**
 * Shared resources of one runner's runs: a directory, an isolation, launchers, and a watchdog. The first run opens
 * it, so an unused runner leaves the machine alone.
 *
 * While one run of a slot goes on, the next is prepared, because entering a cgroup can take as long as a small
 * formula. Each slot therefore alternates between two launchers.
 */
export class RunPool {
  readonly #options: RunPoolOptions;
  readonly #launchers = new Map<string, Launcher>();
  readonly #turns = new Map<number, number>();
  readonly #ready = new Map<number, Promise<PreparedRun>>();
  readonly #cleanups = new Set<Promise<void>>();
  #pool: Promise<OpenPool> | undefined;
  #isolation: Isolation | undefined;
  #runs = 0;

  constructor(options: RunPoolOptions) {
    this.#options = options;
  }

  get isolation(): Isolation['kind'] | undefined {
    return this.#isolation?.kind;
  }

  async take(slot: number): Promise<PreparedRun> {
    const ready = this.#ready.get(slot);
    this.#ready.delete(slot);
    const prepared = await ready?.catch(() => undefined);
    if (prepared?.launcher.isAlive && prepared.files.isReady) return prepared;
    if (prepared !== undefined) {
      // Its waiting process must not read the next run's words.
      await prepared.launcher.close();
      await this.clear(prepared);
    }
    return this.#prepare(slot);
  }

  giveBack(slot: number, prepared: PreparedRun): void {
    this.#ready.set(slot, Promise.resolve(prepared));
  }

  prepareNext(slot: number): void {
    const prepared = this.#prepare(slot);
    // `take` tries again and reports the error.
    prepared.catch(() => {});
    this.#ready.set(slot, prepared);
  }

  /** For a run that has ended. Slow steps continue while the next run starts; `close` waits for them. */
  async clear({ enclosure, files }: PreparedRun): Promise<void> {
    const cleared = files.clear();
    this.#clear(
      enclosure.remove(),
      cleared.then(() => files.removeDirectory()),
    );
    await cleared;
  }

  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => undefined);
    if (pool === undefined) return;
    const preparedRuns = await Promise.allSettled(this.#ready.values());
    await Promise.all([...this.#launchers.values()].map((launcher) => launcher.close()));
    for (const prepared of preparedRuns) {
      if (prepared.status === 'fulfilled') await this.clear(prepared.value);
    }
    await Promise.all(this.#cleanups);
    await pool.isolation.close();
    await removeTree(pool.directory);
    await pool.watchdog.close();
  }

  async #prepare(slot: number): Promise<PreparedRun> {
    this.#pool ??= this.#open();
    const pool = await this.#pool;
    this.#runs += 1;
    const run = `run-${this.#runs}`;
    const files = createRunFiles(pool.directory, run);
    const enclosure = pool.isolation.enclose(run);
    const launcher = this.#launcher(slot, pool);
    const prepared = await launcher.prepare(run);
    if (prepared === undefined) {
      this.#clear(enclosure.remove(), files.removeDirectory());
      throw new ThrownFault(
        environmentFault(
          `no process can be started in a ${pool.isolation.kind} of its own: too many may be running, or memory is short`,
        ),
      );
    }
    if (prepared.pid !== undefined) enclosure.entered(prepared.pid, prepared.reaper);
    return { files, enclosure, launcher };
  }

  #clear(...cleanups: readonly Promise<void>[]): void {
    for (const cleanup of cleanups) {
      this.#cleanups.add(cleanup);
      void cleanup.finally(() => this.#cleanups.delete(cleanup));
    }
  }

  #launcher(slot: number, { owner, directory, isolation }: OpenPool): Launcher {
    const turn = 1 - (this.#turns.get(slot) ?? 1);
    this.#turns.set(slot, turn);
    const key = `${slot}.${turn}`;
    const present = this.#launchers.get(key);
    if (present?.isAlive) return present;
    const { prefix, writable = writableFromEnvironment() } = this.#options;
    const launcher = new Launcher({
      owner,
      root: directory,
      groupHomes: isolation.groupHomes,
      prefix: prefix(slot),
      writable,
    });
    this.#launchers.set(key, launcher);
    return launcher;
  }

  async #open(): Promise<OpenPool> {
    const { parent, cgroups } = this.#options;
    const own = ownGroups();
    await sweep(parent, own);
    const owner = newOwnerName();
    const directory = join(parent, owner);
    makeDirectory(directory);
    const isolation = (cgroups ? await usableCgroups(own, owner) : undefined) ?? processTree(owner);
    this.#isolation = isolation;
    return { owner, directory, isolation, watchdog: new Watchdog(owner, directory, isolation.groupHomes) };
  }
}

/** The folder for temporary files may be emptied by others. */
function createRunFiles(directory: string, run: string): RunFiles {
  if (!existsSync(directory)) makeDirectory(directory);
  return new RunFiles(directory, run);
}

/** Fails if the directory exists: it is somebody else's. */
function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new ThrownFault(
      environmentFault(
        `no folder can be made in ${dirname(directory)}, where temporary files go (${why}): set TMPDIR to a folder you can write to`,
      ),
    );
  }
}

function writableFromEnvironment(): readonly string[] {
  return (process.env.CULPRIT_WRITABLE ?? '').split(':').filter((folder) => folder.startsWith('/'));
}

export async function usableCgroups(own: OwnGroups, owner: string): Promise<Isolation | undefined> {
  const offers = [() => own.v2 && cgroupV2(own.v2, owner), () => cgroupV1(own.v1, owner)];
  for (const offer of offers) {
    const isolation = offer();
    if (!isolation) continue;
    if (await isUsable(isolation)) return isolation;
    await isolation.close();
  }
  return undefined;
}

const tryGates = 'for gate; do echo 0 >"$gate" || exit 1; done';

/** Permissions on cgroups are intricate, so a trial decides: a process enters, and its time must be counted. */
async function isUsable(isolation: Isolation): Promise<boolean> {
  const run = 'probe';
  const enclosure = isolation.enclose(run);
  enclosure.confine({ wallMs: 0, memoryBytes: 64 << 20 });
  const gates = isolation.groupHomes.map((home) => join(home, run, 'cgroup.procs'));
  const end = await runToEnd({
    words: argumentList('/bin/sh', '-c', tryGates, 'sh', ...gates.map(pathArgument)),
  });
  const { cpuMs = 0 } = enclosure.usage();
  await enclosure.killAll();
  await enclosure.remove();
  return !(end instanceof Fault) && end.exitCode === 0 && cpuMs > 0;
}
