import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { needsTools } from '../needs.js';

needsTools('build');

const module = new URL('../../dist/cli/screen/interrupt.js', import.meta.url).href;

/** A process that blocks its event loop forever after printing a line. */
function computing() {
  const text = `
    import { endsAtOnce, interruptible } from ${JSON.stringify(module)};
    await interruptible(async () => {
      endsAtOnce();
      process.stdout.write('computing');
      for (;;);
    });`;
  return spawn(process.execPath, ['--input-type=module', '-e', text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('a job that blocks the event loop', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is ended by %s at once', async (name) => {
    const child = computing();
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill(name);
    expect(await ended).toEqual([null, name]);
  });
});

it('dozens of runs can listen to an abort without a leak warning of Node.js', () => {
  const text = `
    import { interruptible } from ${JSON.stringify(module)};
    await interruptible(async (signal) => {
      for (let run = 0; run < 30; run++) signal.addEventListener('abort', () => run);
    });`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' });
  expect(stderr).toBe('');
});
