import { describe, expect, it } from 'vitest';
import { runToEnd } from '../../../src/machine/processes/command.js';

const { signal } = new AbortController();
const run = (text: string, limitMs = 30_000) =>
  runToEnd({ words: ['sh', '-c', text], limitMs, signal, output: 'keep' });

describe('any program run to its end', () => {
  it('is not waited for because of what it left behind', async () => {
    // Would hold the output open for a minute.
    const { code, stdout } = await run('echo said; setsid sleep 60 & exit 3');
    expect(code).toBe(3);
    expect(stdout).toBe('said\n');
  });

  it('gives the beginning and the end of a long output', async () => {
    const { stdout, tail } = await run('echo first; yes 7 | head -c 3000000; echo; echo last');
    expect(stdout.startsWith('first\n')).toBe(true);
    expect(tail.endsWith('last\n')).toBe(true);
  });

  it('is ended where whoever starts it fails', async () => {
    const started = runToEnd({
      words: ['sleep', '60'],
      limitMs: 30_000,
      signal,
      onStart: () => {
        throw new Error('no room');
      },
    });
    await expect(started).rejects.toThrow('no room');
  });
});
