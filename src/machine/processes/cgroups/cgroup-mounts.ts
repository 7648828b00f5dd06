import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of culprit's own cgroup in the file system: one for each controller (v1), or one for all (v2). */
export interface OwnGroups {
  /** By controller: `memory`, `cpuacct`, `pids`, … */
  readonly v1: ReadonlyMap<string, string>;
  readonly v2: string | undefined;
}

export function ownGroups(): OwnGroups {
  try {
    return groupsOf(
      readFileSync('/proc/self/cgroup', 'latin1'),
      readFileSync('/proc/self/mountinfo', 'latin1'),
    );
  } catch {
    return { v1: new Map(), v2: undefined };
  }
}

/** Parses `/proc/PID/cgroup` and `/proc/PID/mountinfo` (proc(5)). */
export function groupsOf(cgroup: string, mountinfo: string): OwnGroups {
  const mounts = mountinfo.split('\n').flatMap(mountOf);
  const v1 = new Map<string, string>();
  let v2: string | undefined;
  for (const line of cgroup.split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) continue;
    if (controllers === '') {
      const mount = mounts.find(({ type }) => type === 'cgroup2');
      v2 = mount && placeIn(mount, path);
      continue;
    }
    for (const controller of controllers.split(',')) {
      const mount = mounts.find(({ type, options }) => type === 'cgroup' && options.includes(controller));
      const place = mount && placeIn(mount, path);
      if (place !== undefined) v1.set(controller, place);
    }
  }
  return { v1, v2 };
}

interface Mount {
  readonly type: string;
  /** The mounted part of the hierarchy: `/`, or a container's own path. */
  readonly root: string;
  readonly point: string;
  readonly options: readonly string[];
}

function mountOf(line: string): Mount[] {
  const [front = '', back] = line.split(' - ');
  const [, , , root, point] = front.split(' ');
  const [type, , options = ''] = back?.split(' ') ?? [];
  if (root === undefined || point === undefined || type === undefined) return [];
  return [{ type, root: plain(root), point: plain(point), options: options.split(',') }];
}

function placeIn(mount: Mount, path: string): string | undefined {
  if (mount.root === '/') return join(mount.point, path);
  if (path === mount.root || path.startsWith(`${mount.root}/`)) {
    return join(mount.point, path.slice(mount.root.length));
  }
  return undefined;
}

/** mountinfo escapes blanks as `\040`. */
function plain(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
