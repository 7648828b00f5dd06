import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  groupProcesses,
  killGroup,
  makeGroup,
  removeGroup,
  writeGroupFile,
} from '../../../src/machine/processes/cgroups/cgroup-files.js';
import { groupsOf, ownGroups } from '../../../src/machine/processes/cgroups/cgroup-mounts.js';
import { cgroupV2 } from '../../../src/machine/processes/cgroups/cgroup-v2.js';
import { newOwnerName } from '../../../src/machine/processes/owner.js';

describe('groupsOf', () => {
  it('finds the own cgroups in the hierarchies of cgroups v1', () => {
    const cgroup = '9:name=systemd:/\n4:memory:/jobs/7\n2:cpu,cpuacct:/\n0::/\n';
    const mounts = [
      '30 25 0:26 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct',
      '31 25 0:27 / /sys/fs/cgroup/memory rw,relatime shared:10 - cgroup cgroup rw,memory',
      '32 25 0:28 / /sys/fs/cgroup/unified rw,relatime shared:11 - cgroup2 cgroup2 rw',
    ].join('\n');
    const { v1, v2 } = groupsOf(cgroup, mounts);
    expect(v1.get('memory')).toBe('/sys/fs/cgroup/memory/jobs/7');
    expect(v1.get('cpuacct')).toBe('/sys/fs/cgroup/cpu,cpuacct/');
    expect(v1.get('pids')).toBeUndefined();
    expect(v2).toBe('/sys/fs/cgroup/unified/');
  });

  it('finds the own cgroups in the single hierarchy of cgroups v2', () => {
    const mounts = '29 23 0:25 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate';
    expect(groupsOf('0::/user.slice/a b.scope\n', mounts).v2).toBe('/sys/fs/cgroup/user.slice/a b.scope');
  });

  it('finds the own cgroups if a container has mounted only its own part', () => {
    const mounts = '29 23 0:25 /docker/ab\\040c /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory';
    expect(groupsOf('4:memory:/docker/ab c/d\n', mounts).v1.get('memory')).toBe('/sys/fs/cgroup/memory/d');
    expect(groupsOf('4:memory:/elsewhere\n', mounts).v1.size).toBe(0);
  });

  it('finds no cgroups in malformed text', () => {
    expect(groupsOf('nonsense\n', 'nonsense\n')).toEqual({ v1: new Map(), v2: undefined });
  });
});

describe('a cgroup v2 enclosure', () => {
  /** Ordinary files in place of the kernel's, so that no right to create cgroups is needed. */
  function pretended(files: Readonly<Record<string, string>>): string {
    const own = mkdtempSync(join(tmpdir(), 'cgroup-test-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text);
    return own;
  }

  it('polls the memory if the limit is too small for a group', () => {
    const own = pretended({ 'cgroup.subtree_control': 'cpu memory pids\n' });
    const enclosure = cgroupV2(own, 'owner')?.enclose('run-1');
    expect(enclosure?.confine({ wallMs: 1, memoryBytes: 5000 })).toMatchObject({ pollEveryMs: 50 });
    writeFileSync(join(own, 'owner', 'run-1', 'memory.peak'), '4096\n');
    expect(enclosure?.usage()).toMatchObject({ outOfMemory: false });
    writeFileSync(join(own, 'owner', 'run-1', 'memory.peak'), '8192\n');
    expect(enclosure?.usage()).toMatchObject({ outOfMemory: true });
  });

  it('limits memory, swap and processes, and reports the usage', () => {
    const own = pretended({ 'cgroup.subtree_control': 'cpu memory pids\n' });
    const isolation = cgroupV2(own, 'owner');
    expect(isolation).toMatchObject({ kind: 'cgroup v2', groupHomes: [join(own, 'owner')] });
    const enclosure = isolation?.enclose('run-1');
    expect(enclosure?.confine({ wallMs: 1, memoryBytes: 10_000_000.5 })).toEqual({ rlimits: [] });
    const group = join(own, 'owner', 'run-1');
    const written = (file: string) => readFileSync(join(group, file), 'utf8');
    expect(written('memory.max')).toBe('10000000');
    expect(written('memory.swap.max')).toBe('0');
    expect(written('memory.oom.group')).toBe('1');
    expect(Number(written('pids.max'))).toBeGreaterThan(100);

    writeFileSync(join(group, 'cpu.stat'), 'usage_usec 1500\nuser_usec 1000\n');
    writeFileSync(join(group, 'memory.peak'), '4096\n');
    writeFileSync(join(group, 'memory.events'), 'low 0\noom 0\noom_kill 0\n');
    expect(enclosure?.usage()).toEqual({ cpuMs: 1.5, peakMemoryBytes: 4096, outOfMemory: false });
    writeFileSync(join(group, 'memory.events'), 'low 0\noom 1\noom_kill 1\n');
    expect(enclosure?.usage()).toMatchObject({ outOfMemory: true });
    rmSync(own, { recursive: true });
  });

  it('is not created below a group without controllers', () => {
    const own = pretended({ 'cgroup.subtree_control': '', 'cgroup.controllers': 'cpu pids\n' });
    expect(cgroupV2(own, 'owner')).toBeUndefined();
    rmSync(own, { recursive: true });
  });

  const real = ownGroups().v2;
  const trial = real && join(real, newOwnerName());
  const mayTry = trial !== undefined && makeGroup(trial);
  it.skipIf(!mayTry)('kills all processes of the group and of groups below it', async () => {
    const below = join(trial ?? '', 'below');
    mkdirSync(below);
    const solver = spawn('sleep', ['1000'], { stdio: 'ignore' });
    const ended = once(solver, 'exit');
    expect(writeGroupFile(below, 'cgroup.procs', String(solver.pid))).toBe(true);
    expect(groupProcesses(below)).toEqual([solver.pid]);
    await killGroup(trial ?? '');
    await removeGroup(trial ?? '');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(makeGroup(trial ?? '')).toBe(true);
    await removeGroup(trial ?? '');
  });
});
