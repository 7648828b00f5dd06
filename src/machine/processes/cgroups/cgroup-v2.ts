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
  groupProcesses,
  groupWantsCore,
  killGroup,
  makeGroup,
  readGroupFile,
  removeGroup,
  writeGroupFile,
} from './cgroup-files.js';

const controllers = ['memory', 'pids'] as const;
const switchOn = controllers.map((controller) => `+${controller}`).join(' ');
const switchOff = controllers.map((controller) => `-${controller}`).join(' ');

const pollEveryMs = 50;

/** cgroups v2: one group for each run, below culprit's own group. */
export function cgroupV2(own: string, owner: string): Isolation | undefined {
  const stepBack = openBelow(own, `${owner}.self`);
  if (stepBack === undefined) return undefined;
  const home = join(own, owner);
  if (!makeGroup(home) || !writeGroupFile(home, 'cgroup.subtree_control', switchOn)) {
    void removeGroup(home).then(stepBack);
    return undefined;
  }
  return {
    kind: 'cgroup v2',
    groupHomes: [home],
    enclose: (run) => new CgroupV2Enclosure(join(home, run)),
    close: async () => {
      await removeGroup(home);
      await stepBack();
    },
  };
}

/**
 * Enables the controllers for groups below `own` and returns how to undo that. A group that holds processes cannot
 * enable them. If culprit is alone in its group (as under `systemd-run --scope -p Delegate=yes`), it moves into a
 * subgroup. Other processes are never moved.
 */
function openBelow(own: string, self: string): (() => Promise<void>) | undefined {
  const isOpen = () => {
    const open = readGroupFile(own, 'cgroup.subtree_control')?.split(' ') ?? [];
    return controllers.every((controller) => open.includes(controller));
  };
  if (isOpen()) return async () => {};
  const available = readGroupFile(own, 'cgroup.controllers')?.split(' ') ?? [];
  if (!controllers.every((controller) => available.includes(controller))) return undefined;
  if (writeGroupFile(own, 'cgroup.subtree_control', switchOn) && isOpen()) return async () => {};
  if (groupProcesses(own).some((pid) => pid !== process.pid)) return undefined;

  const aside = join(own, self);
  if (!makeGroup(aside)) return undefined;
  const stepBack = async () => {
    writeGroupFile(own, 'cgroup.subtree_control', switchOff);
    writeGroupFile(own, 'cgroup.procs', String(process.pid));
    await removeGroup(aside);
  };
  writeGroupFile(aside, 'cgroup.procs', String(process.pid));
  if (writeGroupFile(own, 'cgroup.subtree_control', switchOn) && isOpen()) return stepBack;
  void stepBack();
  return undefined;
}

class CgroupV2Enclosure implements Enclosure {
  readonly countsTime = true;
  readonly #group: string;
  /** A memory limit that the kernel does not enforce. */
  #polledLimitBytes = Number.POSITIVE_INFINITY;

  constructor(group: string) {
    this.#group = group;
    makeGroup(group);
    writeGroupFile(group, 'pids.max', String(processLimit));
  }

  entered(): void {}

  confine({ memoryBytes }: Limits): EnclosureRequirements {
    if (memoryBytes === undefined) return { rlimits: [] };
    const isHeld =
      memoryBytes >= leastGroupBytes &&
      writeGroupFile(this.#group, 'memory.max', String(Math.floor(memoryBytes)));
    if (!isHeld) {
      this.#polledLimitBytes = memoryBytes;
      return { rlimits: [], pollEveryMs };
    }
    writeGroupFile(this.#group, 'memory.swap.max', '0');
    writeGroupFile(this.#group, 'memory.oom.group', '1');
    return { rlimits: [] };
  }

  usage(): Usage {
    const microseconds = groupCounter(this.#group, 'cpu.stat', 'usage_usec');
    // Linux 5.19 and newer.
    const peak = readGroupFile(this.#group, 'memory.peak');
    const used = Number(peak ?? readGroupFile(this.#group, 'memory.current') ?? 0);
    return {
      cpuMs: microseconds === undefined ? undefined : microseconds / 1e3,
      peakMemoryBytes: peak === undefined ? undefined : Number(peak),
      outOfMemory:
        used > this.#polledLimitBytes || (groupCounter(this.#group, 'memory.events', 'oom_kill') ?? 0) > 0,
    };
  }

  wantsCore(): boolean {
    return groupWantsCore(this.#group);
  }

  async killAll(): Promise<void> {
    await killGroup(this.#group);
  }

  async remove(): Promise<void> {
    await removeGroup(this.#group);
  }
}
