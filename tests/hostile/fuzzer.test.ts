import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Attempt } from '../../fuzz/attempt.js';
import { attemptRandom } from '../../fuzz/attempt-random.js';
import { mutateInput } from '../../fuzz/mutations/mutate.js';
import { fuzzOptions } from '../../fuzz/options.js';
import { runAttempt, type TimeLimits } from '../../fuzz/run-attempt.js';
import { Sandbox } from '../../fuzz/sandbox.js';
import { shrink } from '../../fuzz/shrink.js';
import { violationsIn } from '../../fuzz/violations.js';
import { temporaryFolder } from '../temporary-folder.js';

const opened: Sandbox[] = [];

afterAll(() => {
  for (const sandbox of opened) sandbox.remove();
});

const brief: TimeLimits = { ownMs: 300, factor: 1, wallMs: 60_000, graceMs: 300 };

/** The violations found for a stand-in culprit that runs this shell script. */
async function violationsOf(script: string, more: Partial<Attempt> = {}, patience: TimeLimits = brief) {
  const file = join(temporaryFolder('fuzzer'), 'culprit.sh');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  const sandbox = new Sandbox([file], []);
  opened.push(sandbox);
  const attempt: Attempt = { input: '', prepare: () => {}, args: [], ...more };
  const ended = await runAttempt(sandbox, attempt, patience);
  return violationsIn(ended, attempt.printsData).map(({ what, detail }) => `${what}: ${detail}`);
}

describe('the fuzzer', () => {
  it.each([0, 1, 2, 3, 130])('accepts exit code %d', async (code) => {
    expect(await violationsOf(`echo fine; exit ${code}`)).toEqual([]);
  });

  it('reports an unknown exit code', async () => {
    expect(await violationsOf('exit 7')).toEqual(['exit code: 7']);
  });

  it('reports a stack trace and its source', async () => {
    const trace =
      'culprit: this is a bug in culprit: TypeError: no\n    at f (file:///x/dist/smtlib/tree.js:3:1)';
    expect(await violationsOf(`printf '%s\\n' '${trace}' >&2; exit 3`)).toEqual([
      'stack trace: TypeError: no in smtlib/tree',
    ]);
  });

  it('reports a signal', async () => {
    expect(await violationsOf('kill -SEGV $$')).toEqual(['killed by a signal: SIGSEGV']);
  });

  it('reports raw escapes outside of printed data', async () => {
    const script = "printf 'a\\033[31m\\n'";
    expect(await violationsOf(script)).toEqual(['raw escape: U+001b after "a"']);
    expect(await violationsOf(script, { printsData: true })).toEqual([]);
    expect(await violationsOf(`${script} >&2`, { printsData: true })).toEqual([
      'raw escape: U+001b after "a"',
    ]);
  });

  it.each([
    ['echo x > ran', 'made /room/here/ran'],
    ['echo x > ../beside/new', 'made /room/beside/new'],
    ['echo x > ../beside/file', 'changed /room/beside/file'],
    ['echo x > ../beside/link', 'changed /room/beside/file'],
    ['rm ../../home/.ssh/id', 'removed /home/.ssh/id'],
    ['chmod 600 ../../outside', 'changed /outside'],
    ['echo x > ../beside/folder/x; rm ../beside/folder/x', 'changed /room/beside/folder'],
  ])('reports %s', async (script, touched) => {
    expect(await violationsOf(script)).toEqual([`file outside: ${touched}`]);
  });

  it('allows a command to write to its outputs only', async () => {
    const script = 'mkdir out; echo x > out/a; echo x > b';
    expect(await violationsOf(script, { writable: ['out', 'b'] })).toEqual([]);
    expect(await violationsOf(script, { writable: ['out'] })).toEqual(['file outside: made /room/here/b']);
  });

  it('stops a command at the processor time limit', async () => {
    expect(await violationsOf('while :; do :; done')).toEqual([
      'over its limit: more than 0.3 s of processor time',
    ]);
  });

  it('stops a waiting command at the wall time limit', async () => {
    const said = await violationsOf('sleep 600', {}, { ...brief, wallMs: 300 });
    expect(said).toEqual(['over its limit: more than 0.3 s on the clock']);
  });

  it('reports leftover processes and files', async () => {
    expect(await violationsOf('sleep 600 >/dev/null 2>&1 & echo x > "$TMPDIR/culprit-123-x"')).toEqual([
      'left running: sleep 600',
      'left in TMPDIR: culprit-N-x',
    ]);
  });

  it('repeats the same attempts for the same seed', () => {
    const inputs = ['(assert (= x 1))\n(check-sat)\n', '{"a": [1, 2]}'];
    const made = (seed: number): readonly string[] =>
      Array.from({ length: 50 }, (_, at) => mutateInput(inputs, attemptRandom(seed, 'test', at), 'json'));
    expect(made(3)).toEqual(made(3));
    expect(made(3)).not.toEqual(made(4));
    expect(new Set(made(3)).size).toBeGreaterThan(25);
  });

  it('shrinks an input to the part that causes the failure', async () => {
    const text = `${'a'.repeat(100)}!${'b'.repeat(100)}`;
    expect(await shrink(text, async (smaller) => smaller.includes('!'), 200)).toBe('!');
    expect(await shrink(text, async () => false, 200)).toBe(text);
  });

  it('reports errors in its own command line', () => {
    expect(fuzzOptions(['--for', '1h', '--only', 'ir,c'])).toMatchObject({
      forMs: 3_600_000,
      only: ['ir', 'c'],
    });
    expect(fuzzOptions(['--only', 'constructor'])).toContain('--only constructor');
    expect(fuzzOptions(['--for', 'ever'])).toContain('--for');
    expect(fuzzOptions(['--nothing'])).toContain('--nothing');
  });
});
