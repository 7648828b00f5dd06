import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type OwnGroups, ownGroups } from './cgroup-mounts.js';
import { cgroupV1 } from './cgroup-v1.js';
import { cgroupV2 } from './cgroup-v2.js';
import type { Isolation } from './enclosure.js';
import { Launcher } from './launcher.js';
import { newOwnerName } from './owner.js';
import { processTree } from './process-tree.js';
import { sweep } from './sweep.js';
import { Watchdog } from './watchdog.js';

export interface Place {
  readonly owner: string;
  readonly directory: string;
  readonly isolation: Isolation;
}

/**
 * What the runs of one runner share: a directory, a way to hold runs apart, and a watchdog over both. Opened by
 * the first run, so a runner that is never used leaves the machine alone.
 */
export class Workshop {
  readonly #parent: string;
  readonly #cgroups: boolean;
  readonly #pin: (slot: number) => readonly string[];
  readonly #launchers = new Map<number, Launcher>();
  #place: Promise<Place> | undefined;
  #isolation: Isolation | undefined;
  #watchdog: Watchdog | undefined;

  constructor(parent: string, cgroups: boolean, pin: (slot: number) => readonly string[]) {
    this.#parent = parent;
    this.#cgroups = cgroups;
    this.#pin = pin;
  }

  get isolation(): Isolation['kind'] | undefined {
    return this.#isolation?.kind;
  }

  open(): Promise<Place> {
    this.#place ??= this.#open();
    return this.#place;
  }

  /** The launcher of a slot; a new one when a solver has killed the last. */
  launcher(slot: number, { owner, directory, isolation }: Place): Launcher {
    const present = this.#launchers.get(slot);
    if (present?.isAlive) return present;
    const prefix = this.#pin(slot);
    const launcher = new Launcher({ owner, root: directory, groupHomes: isolation.groupHomes, prefix });
    this.#launchers.set(slot, launcher);
    return launcher;
  }

  async close(): Promise<void> {
    const place = await this.#place?.catch(() => undefined);
    if (place === undefined) return;
    const { directory, isolation } = place;
    await Promise.all([...this.#launchers.values()].map((launcher) => launcher.close()));
    await isolation.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    await this.#watchdog?.close();
  }

  async #open(): Promise<Place> {
    const own = ownGroups();
    await sweep(this.#parent, own);
    const owner = newOwnerName();
    const directory = join(this.#parent, owner);
    mkdirSync(directory, { mode: 0o700 });
    const isolation = (this.#cgroups ? await usableCgroups(own, owner) : undefined) ?? processTree(owner);
    this.#isolation = isolation;
    this.#watchdog = new Watchdog(owner, directory, isolation.groupHomes);
    return { owner, directory, isolation };
  }
}

async function usableCgroups(own: OwnGroups, owner: string): Promise<Isolation | undefined> {
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
  const enclosure = isolation.enclose(run, { wallMs: 0, memoryBytes: 64 << 20 });
  const gates = isolation.groupHomes.map((home) => join(home, run, 'cgroup.procs'));
  const { status } = spawnSync('/bin/sh', ['-c', tryGates, 'sh', ...gates], { stdio: 'ignore' });
  const { cpuMs = 0 } = enclosure.usage();
  await enclosure.killAll();
  await enclosure.remove();
  return status === 0 && cpuMs > 0;
}
