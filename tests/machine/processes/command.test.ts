import { describe, expect, it } from 'vitest';
import { Fault } from '../../../src/machine/fault.js';
import type { Limits } from '../../../src/machine/limits.js';
import { userCommand } from '../../../src/machine/processes/argument-list.js';
import { type Command, type CommandEnd, runToEnd } from '../../../src/machine/processes/command.js';

const { signal } = new AbortController();
const run = async (text: string, options: Partial<Command> = {}): Promise<CommandEnd> => {
  const end = await runToEnd({
    words: userCommand(['sh', '-c', text]),
    limitMs: 30_000,
    signal,
    output: 'keep',
    ...options,
  });
  if (end instanceof Fault) throw new Error(end.message);
  return end;
};

describe('runToEnd', () => {
  it('does not wait for background processes that hold the output open', async () => {
    // The background process holds the output open for a minute.
    const { exitCode, stdout } = await run('echo said; setsid sleep 60 & exit 3');
    expect(exitCode).toBe(3);
    expect(stdout.toString()).toBe('said\n');
  });

  it('returns the beginning and the end of a long output', async () => {
    const { stdout, tail } = await run('echo first; yes 7 | head -c 3000000; echo; echo last');
    expect(stdout.length).toBe(1 << 20);
    expect(stdout.toString().startsWith('first\n')).toBe(true);
    expect(tail.endsWith('last\n')).toBe(true);
  });

  it('ends the program if onStart throws', async () => {
    const started = runToEnd({
      words: userCommand(['sleep', '60']),
      limitMs: 30_000,
      signal,
      onStart: () => {
        throw new Error('no room');
      },
    });
    await expect(started).rejects.toThrow('no room');
  });

  it('passes the input, and accepts a program that does not read it', async () => {
    expect((await run('cat', { input: 'spoken' })).stdout.toString()).toBe('spoken');
    expect((await run('exit 4', { input: Buffer.alloc(1 << 22) })).exitCode).toBe(4);
  });

  it('ends the program at the time limit and returns its output so far', async () => {
    const end = await run('echo begun; sleep 60', { limitMs: 300 });
    expect(end).toMatchObject({ hasTimedOut: true, exitCode: undefined, signal: undefined });
    expect(end.stdout.toString()).toBe('begun\n');
  });

  it('ends the process tree at the first limit it reaches and reports that limit', async () => {
    const ended = async (text: string, limits: Partial<Limits>) => {
      const { hasTimedOut, limit, exitCode } = await run(text, {
        limits: { wallMs: 300_000, ...limits },
        limitMs: undefined,
      });
      return { hasTimedOut, limit, exitCode };
    };
    const endless = 'while :; do :; done';
    expect(await ended(`(${endless})`, { cpuMs: 100 })).toMatchObject({ hasTimedOut: true, limit: 'cpu' });
    expect(await ended('sleep 600', { idleMs: 100 })).toMatchObject({ hasTimedOut: true, limit: 'idle' });
    expect(await ended('sleep 600', { wallMs: 100 })).toMatchObject({ hasTimedOut: true, limit: 'wall' });
    const greedy = { memoryBytes: 64 << 20 };
    expect(await ended('tail /dev/zero; exit 3', greedy)).toMatchObject({
      hasTimedOut: false,
      limit: 'memory',
    });
    expect(await ended('exit 3', { cpuMs: 10_000, ...greedy })).toMatchObject({
      ...{ hasTimedOut: false, limit: undefined, exitCode: 3 },
    });
  });

  it('ends a program that prints too much', async () => {
    const end = await run('yes', { maxBytes: 1000, endsOnFlood: true });
    expect(end).toMatchObject({ hasFlooded: true, exitCode: undefined });
    expect(end.stdout).toHaveLength(1000);
  });

  it('reports the signal that ended the program', async () => {
    expect(await run('kill -SEGV $$')).toMatchObject({
      signal: 'SIGSEGV',
      exitCode: undefined,
      hasTimedOut: false,
    });
  });

  it('returns a fault for a missing program', async () => {
    const end = await runToEnd({ words: userCommand(['no-such-program']) });
    expect(end).toEqual(new Fault('environment', 'no-such-program is not installed (not found on PATH)'));
  });

  it('rejects with the reason of an aborted signal', async () => {
    const controller = new AbortController();
    const ended = runToEnd({
      words: userCommand(['sleep', '60']),
      signal: controller.signal,
      onStart: () => {},
    });
    controller.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
  });

  it('returns standard error separately', async () => {
    const { stdout, stderr } = await run('echo out; echo err >&2');
    expect([stdout.toString(), stderr]).toEqual(['out\n', 'err\n']);
  });
});
