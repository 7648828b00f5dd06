import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environmentFault, Fault, ThrownFault } from '../fault.js';
import { argumentList, pathArgument } from './argument-list.js';
import { type OwnGroups, ownGroups } from './cgroup-mounts.js';
import { cgroupV1 } from './cgroup-v1.js';
import { cgroupV2 } from './cgroup-v2.js';
import { runToEnd } from './command.js';
import type { Enclosure, Isolation } from './enclosure.js';
import { Launcher } from './launcher.js';
import { newOwnerName } from './owner.js';
import { processTree } from './process-tree.js';
import { removeTree } from './remove-tree.js';
import { RunFiles } from './run-files.js';
import { sweep } from './sweep.js';
import { Watchdog } from './watchdog.js';

/** Everything one run needs, made ready: a process waits inside the enclosure for its command. */
export interface Bench {
  readonly files: RunFiles;
  readonly enclosure: Enclosure;
  readonly launcher: Launcher;
}

interface House {
  readonly owner: string;
  readonly directory: string;
  readonly isolation: Isolation;
  readonly watchdog: Watchdog;
}

export interface WorkshopOptions {
  /** Where the workshop's directory is made. */
  readonly parent: string;
  readonly cgroups: boolean;
  /** Words in front of a slot's launchers. */
  readonly prefix: (slot: number) => readonly string[];
  /** Folders besides its own that a run may write to; `$CULPRIT_WRITABLE` when left out, folders with `:` between. */
  readonly writable?: readonly string[] | undefined;
}

/**
 * What the runs of one runner share: a directory, a way to hold runs apart, launchers, and a watchdog over all of it.
 * Opened by the first run, so a runner that is never used leaves the machine alone.
 *
 * While one run of a slot goes on, the bench of the next is made ready: entering a cgroup can take as long as a small
 * formula. Therefore each slot has two launchers that take turns.
 */
export class Workshop {
  readonly #options: WorkshopOptions;
  readonly #launchers = new Map<string, Launcher>();
  /** Which of a slot's two launchers was used last. */
  readonly #turns = new Map<number, number>();
  readonly #ready = new Map<number, Promise<Bench>>();
  readonly #cleanups = new Set<Promise<void>>();
  #house: Promise<House> | undefined;
  #isolation: Isolation | undefined;
  #runs = 0;

  constructor(options: WorkshopOptions) {
    this.#options = options;
  }

  get isolation(): Isolation['kind'] | undefined {
    return this.#isolation?.kind;
  }

  /** The bench that is ready for a slot's next run. */
  async take(slot: number): Promise<Bench> {
    const ready = this.#ready.get(slot);
    this.#ready.delete(slot);
    const bench = await ready?.catch(() => undefined);
    if (bench?.launcher.isAlive && bench.files.isReady) return bench;
    if (bench !== undefined) {
      // A process that waits in it must not take the next run's words for its own.
      await bench.launcher.close();
      await this.clear(bench);
    }
    return this.#prepare(slot);
  }

  /** For a bench that was not used after all. */
  giveBack(slot: number, bench: Bench): void {
    this.#ready.set(slot, Promise.resolve(bench));
  }

  /** Call when a slot's run has started. */
  prepareNext(slot: number): void {
    const bench = this.#prepare(slot);
    // Whoever wants to take it tries again and hears of it.
    bench.catch(() => {});
    this.#ready.set(slot, bench);
  }

  /** For a bench that was used; what takes long goes on while the next run starts, and closing waits for it. */
  async clear({ enclosure, files }: Bench): Promise<void> {
    const cleared = files.clear();
    this.#clear(
      enclosure.remove(),
      cleared.then(() => files.removeDirectory()),
    );
    await cleared;
  }

  async close(): Promise<void> {
    const house = await this.#house?.catch(() => undefined);
    if (house === undefined) return;
    const benches = await Promise.allSettled(this.#ready.values());
    await Promise.all([...this.#launchers.values()].map((launcher) => launcher.close()));
    for (const bench of benches) {
      if (bench.status === 'fulfilled') await this.clear(bench.value);
    }
    await Promise.all(this.#cleanups);
    await house.isolation.close();
    await removeTree(house.directory);
    await house.watchdog.close();
  }

  async #prepare(slot: number): Promise<Bench> {
    this.#house ??= this.#open();
    const house = await this.#house;
    this.#runs += 1;
    const run = `run-${this.#runs}`;
    const files = filesIn(house.directory, run);
    const enclosure = house.isolation.enclose(run);
    const launcher = this.#launcher(slot, house);
    const prepared = await launcher.prepare(run);
    if (prepared === undefined) {
      this.#clear(enclosure.remove(), files.removeDirectory());
      throw new ThrownFault(
        environmentFault(
          `no process can be started in a ${house.isolation.kind} of its own: too many may be running, or memory is short`,
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

  #launcher(slot: number, { owner, directory, isolation }: House): Launcher {
    const turn = 1 - (this.#turns.get(slot) ?? 1);
    this.#turns.set(slot, turn);
    const key = `${slot}.${turn}`;
    const present = this.#launchers.get(key);
    if (present?.isAlive) return present;
    const { prefix, writable = writableByWish() } = this.#options;
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

  async #open(): Promise<House> {
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

/** Folders for temporary files are emptied by others now and then. */
function filesIn(directory: string, run: string): RunFiles {
  if (!existsSync(directory)) makeDirectory(directory);
  return new RunFiles(directory, run);
}

/** Only one that was not there before: what somebody else has made is theirs. */
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

function writableByWish(): readonly string[] {
  return (process.env.CULPRIT_WRITABLE ?? '').split(':').filter((folder) => folder.startsWith('/'));
}

export async function usableCgroups(own: OwnGroups, owner: string): Promise<Isolation | undefined> {
  const offers = [() => own.v2 && cgroupV2(own.v2, owner), () => cgroupV1(own.v1, owner)];
  for (const offer of offers) {
    const isolation = offer();
    if (!isolation) continue;
    if (await works(isolation)) return isolation;
    await isolation.close();
  }
  return undefined;
}

const tryGates = 'for gate; do echo 0 >"$gate" || exit 1; done';

/** Permissions on cgroups are intricate enough that only a try tells: a process goes in, and its time is counted. */
async function works(isolation: Isolation): Promise<boolean> {
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
