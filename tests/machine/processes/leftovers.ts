import { readdirSync } from 'node:fs';
import { ownGroups } from '../../../src/machine/processes/cgroups/cgroup-mounts.js';
import { allPids, processEnvironment } from '../../../src/machine/processes/proc-files.js';

/** All files, cgroups and processes that runners of a process left on this machine. */
export function leftovers(directory: string, pid = process.pid): readonly string[] {
  const { v1, v2 } = ownGroups();
  const groups = [...v1.values(), ...(v2 === undefined ? [] : [v2])].flatMap((group) =>
    readdirSync(group)
      .filter((name) => name.startsWith(`culprit-${pid}-`))
      .map((name) => `${group}/${name}`),
  );
  const running = allPids().filter((one) => processEnvironment(one)?.includes(`CULPRIT_RUN=culprit-${pid}-`));
  return [
    ...groups,
    ...readdirSync(directory).map((name) => `${directory}/${name}`),
    ...running.map((one) => `process ${one}`),
  ];
}
