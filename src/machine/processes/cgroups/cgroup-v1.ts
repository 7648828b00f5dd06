import { join } from 'node:path';
import type { Limits } from '../../limits.js';
import {
  type Enclosure,
  type EnclosureRequirements,
  type Isolation,
  leastGroupBytes,
  processLimit,
  type Usage,
} from '../enclosure.js';
import {
  groupCounter,
  groupWantsCore,
  killGroup,
  makeGroup,
  readGroupFile,
  removeGroup,
  writeGroupFile,
} from './cgroup-files.js';

const controllers = ['memory', 'cpuacct', 'pids'] as const;
type Groups = Readonly<Record<(typeof controllers)[number], string>>;

/** Without `memory.oom.group`, the kernel kills only one process of a run at the limit; polling finds the rest. */
const pollEveryMs = 50;

/** cgroups v1: one group in each of three hierarchies, below culprit's own groups. */
export function cgroupV1(own: ReadonlyMap<string, string>, owner: string): Isolation | undefined {
  const [memory, cpuacct, pids] = controllers.map((controller) => own.get(controller));
  if (memory === undefined || cpuacct === undefined || pids === undefined) return undefined;
  const home: Groups = {
    memory: join(memory, owner),
    cpuacct: join(cpuacct, owner),
    pids: join(pids, owner),
  };
  const homes = places(home);
  if (!homes.every(makeGroup)) {
    void Promise.all(homes.map(removeGroup));
    return undefined;
  }
  return {
    kind: 'cgroup v1',
    groupHomes: homes,
    enclose: (run) => new CgroupV1Enclosure(home, run),
    close: async () => {
      await Promise.all(homes.map(removeGroup));
    },
  };
}

function places(groups: Groups): readonly string[] {
  return [...new Set(controllers.map((controller) => groups[controller]))];
}

class CgroupV1Enclosure implements Enclosure {
  readonly countsTime = true;
  readonly #groups: Groups;
  /** A memory limit that the kernel does not enforce. */
  #polledLimitBytes = Number.POSITIVE_INFINITY;

  constructor(home: Groups, run: string) {
    this.#groups = {
      memory: join(home.memory, run),
      cpuacct: join(home.cpuacct, run),
      pids: join(home.pids, run),
    };
    for (const group of places(this.#groups)) makeGroup(group);
    writeGroupFile(this.#groups.pids, 'pids.max', String(processLimit));
  }

  entered(): void {}

  confine({ memoryBytes }: Limits): EnclosureRequirements {
    if (memoryBytes === undefined) return { rlimits: [] };
    const bytes = String(Math.floor(memoryBytes));
    const isHeld =
      memoryBytes >= leastGroupBytes && writeGroupFile(this.#groups.memory, 'memory.limit_in_bytes', bytes);
    if (!isHeld) {
      this.#polledLimitBytes = memoryBytes;
      return { rlimits: [], pollEveryMs };
    }
    // Exists only if the kernel counts swap; must not be below the limit set above.
    writeGroupFile(this.#groups.memory, 'memory.memsw.limit_in_bytes', bytes);
    return { rlimits: [], pollEveryMs };
  }

  usage(): Usage {
    const nanoseconds = readGroupFile(this.#groups.cpuacct, 'cpuacct.usage');
    const peak = readGroupFile(this.#groups.memory, 'memory.max_usage_in_bytes');
    return {
      cpuMs: nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e6,
      peakMemoryBytes: peak === undefined ? undefined : Number(peak),
      outOfMemory:
        Number(peak ?? 0) > this.#polledLimitBytes ||
        (groupCounter(this.#groups.memory, 'memory.oom_control', 'oom_kill') ?? 0) > 0,
    };
  }

  wantsCore(): boolean {
    return groupWantsCore(this.#groups.pids);
  }

  async killAll(): Promise<void> {
    await killGroup(this.#groups.pids);
  }

  async remove(): Promise<void> {
    await Promise.all(places(this.#groups).map(removeGroup));
  }
}
