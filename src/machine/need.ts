import { confinement } from './confinement.js';
import { ownGroups } from './processes/cgroups/cgroup-mounts.js';
import { newOwnerName } from './processes/owner.js';
import { usableCgroups } from './processes/run-pool.js';
import { findOnPath, type Machine } from './this-machine.js';

export interface Need {
  readonly name: string;
  readonly found: string | undefined;
  readonly neededFor: string;
  readonly isEssential: boolean;
  readonly remedy: string;
}

/** The first of several program names that is on `PATH`. */
export function programNeed(
  names: readonly string[],
  machine: Machine,
  need: Omit<Need, 'name' | 'found'> & { readonly name?: string },
): Need {
  const file = names.map((name) => findOnPath(name, machine)).find((found) => found !== undefined);
  return { name: names.join(' or '), ...need, found: file };
}

/** The oldest release allowed by `package.json`. */
const oldestNode: readonly [number, number] = [20, 11];

export async function machineNeeds(machine: Machine): Promise<readonly Need[]> {
  return [
    {
      name: 'Node.js',
      found: isNodeNewEnough(process.versions.node) ? process.versions.node : undefined,
      neededFor: 'everything',
      isEssential: true,
      remedy: `install Node.js ${oldestNode.join('.')} or newer; this is ${process.versions.node}`,
    },
    programNeed(['git'], machine, {
      neededFor: 'bisect, blame, triage, complexity and versions that are commits',
      isEssential: true,
      remedy: 'install git',
    }),
    {
      name: 'cgroups',
      found: await cgroups(),
      neededFor:
        'exact memory limits, and ending all processes of a solver; without, culprit tracks the processes itself',
      isEssential: false,
      remedy: 'run as root, or in a systemd session that delegates a group',
    },
    {
      name: 'write protection',
      found: await confinement(),
      neededFor: 'confining solvers to their own folders, whatever a formula tells them to write',
      isEssential: false,
      remedy: 'Linux 5.13 or newer with Landlock, and perl',
    },
    programNeed(['taskset'], machine, {
      neededFor: 'steadier times: each solver run is pinned to a core',
      isEssential: false,
      remedy: 'install util-linux',
    }),
    programNeed(['c++', 'g++', 'clang++'], machine, {
      name: 'C++ compiler',
      neededFor: 'building commits of a solver: bisect, blame, timeline and git: versions',
      isEssential: false,
      remedy: 'install g++ or clang',
    }),
    ...['cmake', 'ninja', 'make', 'python3'].map((name) =>
      programNeed([name], machine, {
        neededFor: 'building commits of a solver',
        isEssential: false,
        remedy: `install ${name}`,
      }),
    ),
  ];
}

function isNodeNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = oldestNode;
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

async function cgroups(): Promise<string | undefined> {
  const own = ownGroups();
  const isolation = await usableCgroups(own, newOwnerName());
  if (isolation === undefined) return undefined;
  await isolation.close();
  return isolation.kind;
}
