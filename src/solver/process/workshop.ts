import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type OwnGroups, ownGroups } from './cgroup-mounts.js';
import { cgroupV1 } from './cgroup-v1.js';
import { cgroupV2 } from './cgroup-v2.js';
import type { Isolation } from './enclosure.js';
import { launch } from './launch.js';
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
  #place: Promise<Place> | undefined;
  #isolation: Isolation | undefined;
  #watchdog: Watchdog | undefined;

  constructor(parent: string, cgroups: boolean) {
    this.#parent = parent;
    this.#cgroups = cgroups;
  }

  get isolation(): Isolation['kind'] | undefined {
    return this.#isolation?.kind;
  }

  open(): Promise<Place> {
    this.#place ??= this.#open();
    return this.#place;
  }

  async close(): Promise<void> {
    if (this.#place === undefined) return;
    const { directory, isolation } = await this.#place;
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
    this.#watchdog = new Watchdog(owner, directory, isolation.directories);
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

/** Permissions on cgroups are intricate enough that only a try tells: one process goes in and uses some memory. */
async function works(isolation: Isolation): Promise<boolean> {
  const enclosure = isolation.enclose('probe', { wallMs: 0, memoryBytes: 64 << 20 });
  const { file, arguments: words } = launch(enclosure, [], ['/bin/sh', '-c', ':']);
  const { status } = spawnSync(file, words, { stdio: 'ignore' });
  const usage = enclosure.usage();
  await enclosure.killAll();
  await enclosure.remove();
  return status === 0 && usage.cpuMs !== undefined && usage.cpuMs > 0;
}
