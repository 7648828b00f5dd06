import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import { Launcher } from '../../../src/machine/processes/launcher.js';
import { allPids } from '../../../src/machine/processes/proc-files.js';
import { RunFiles } from '../../../src/machine/processes/run-files.js';
import { landlockStarter } from '../../../src/machine/processes/starters/landlock.js';
import { bashStarter, shStarter } from '../../../src/machine/processes/starters/shell-starter.js';
import type { Starter } from '../../../src/machine/processes/starters/starter.js';
import { removeFolder, temporaryFolder } from '../../temporary-folder.js';

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

const starters = Object.entries({ bash: bashStarter(), sh: shStarter(), perl: landlockStarter() }).flatMap(
  ([name, starter]): [string, Starter][] => (starter === undefined ? [] : [[name, starter]]),
);

describe.each(starters)('a launcher with the %s starter', (_, starter) => {
  async function launched(command: readonly string[], fileBytes = 1 << 20) {
    const root = temporaryFolder('launcher');
    const launcher = new Launcher({ owner: 'owner', root, groupHomes: [] }, starter);
    const files = new RunFiles(root, 'run-1');
    files.writeInput('the input\n');
    const pid = (await launcher.prepare('run-1'))?.pid;
    const ended = await launcher.start([['-f', fileBytes]], command);
    const result = { pid, ended, stdout: files.stdout, stderr: files.stderr, bytes: files.outputBytes };
    await launcher.close();
    expect(launcher.isAlive).toBe(false);
    removeFolder(root);
    return result;
  }

  it('starts a process with input, arguments and marker, and reports status and time', async () => {
    const script = 'read -r line; echo "$line,$1,$CULPRIT_RUN,$(basename "$PWD"),$$"; exit 42';
    const { pid, ended, stdout } = await launched(['sh', '-c', script, 'sh', 'a b\'"$x\\']);
    expect(stdout).toBe(`the input,a b'"$x\\,owner:run-1;,run-1,${pid}\n`);
    expect(ended.status).toBe(42);
    expect(ended.cpuMs).toBeGreaterThanOrEqual(0);
  });

  it('gives the process a group of its own', async () => {
    const { pid, stdout } = await launched(['sh', '-c', 'cut -d " " -f 5 /proc/$$/stat']);
    expect(Number(stdout)).toBe(pid);
  });

  it('reports a signal as shells do', async () => {
    expect((await launched(['sh', '-c', 'kill -KILL $$'])).ended.status).toBe(137);
  });

  it('does not let files grow past their limit', async () => {
    const { bytes, ended } = await launched(['yes'], 4096);
    expect(bytes).toEqual([4096, 0]);
    expect(ended.status).toBeGreaterThan(128);
  });

  it('can be closed while a process waits for its command', async () => {
    const launcher = new Launcher({ owner: 'owner', root: tmpdir(), groupHomes: [] }, starter);
    const { pid = 0 } = (await launcher.prepare('run-1')) ?? {};
    await launcher.close();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('reports that a process cannot enter its cgroup', async () => {
    const launcher = new Launcher(
      { owner: 'owner', root: tmpdir(), groupHomes: ['/no/such/group'] },
      starter,
    );
    expect(await launcher.prepare('run-1')).toBeUndefined();
    await launcher.close();
  });

  it('leaves nothing running when a prepared child is killed before it reads its command', async () => {
    const owner = `owner-${randomUUID()}`;
    const root = temporaryFolder('launcher');
    const launcher = new Launcher({ owner, root, groupHomes: [] }, starter);
    const { pid = 0 } = (await launcher.prepare('run-1')) ?? {};
    process.kill(pid, 'SIGKILL');
    // The launcher misreads the unread words as a run's name and its command.
    await launcher.start([['-f', 4096]], ['2', 'sleep', '60']);
    await launcher.close();
    await vi.waitFor(
      () => expect(allPids().filter((other) => commandOf(other).includes(owner))).toEqual([]),
      {
        timeout: 20_000,
      },
    );
  });

  it('returns no status when it is killed', async () => {
    const root = temporaryFolder('launcher');
    const launcher = new Launcher({ owner: 'owner', root, groupHomes: [] }, starter);
    const files = new RunFiles(root, 'run-1');
    files.writeInput('');
    await launcher.prepare('run-1');
    const ended = launcher.start([], ['sh', '-c', 'echo $PPID; exec sleep 1000']);
    await vi.waitFor(() => expect(files.stdout).toMatch(/\n/), { timeout: 20_000 });
    process.kill(Number(files.stdout), 'SIGKILL');
    expect(await ended).toEqual({});
    removeFolder(root);
  });
});

it('the shell starter never parses its input as shell text', () => {
  const file = new URL('../../../src/machine/processes/starters/shell-starter.ts', import.meta.url);
  const source = readFileSync(file, 'utf8');
  const script = source.slice(source.indexOf('const script = `'), source.indexOf('`;'));
  expect(script).toContain('read -r run');
  expect(script).not.toContain('${');
  expect(script).not.toMatch(/\beval\b/);
});
