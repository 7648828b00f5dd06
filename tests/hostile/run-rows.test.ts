/** Checks that a run prints each result at once, so that an interrupted run loses nothing. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { culprit, startCulprit } from '../cli/culprit.js';
import { templateSolver } from '../stand-in-solver.js';
import { temporaryFolder } from '../temporary-folder.js';

/** A folder with a solver that answers sat, but never ends on formulas that declare `slow`. */
function folderWith(formulas: Readonly<Record<string, 'quick' | 'slow'>>): string {
  const folder = temporaryFolder('rows');
  const solvers = { simple: templateSolver({ on: { '*slow*': { before: 'exec sleep 100000' } } }) };
  writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ solvers }));
  for (const [name, pace] of Object.entries(formulas))
    writeFileSync(join(folder, `${name}.smt2`), `(declare-const ${pace} Bool)(assert ${pace})(check-sat)`);
  return folder;
}

const start = (folder: string, ...more: string[]) =>
  startCulprit(
    ['run', '.', '--on', 'simple', '--repeat', '1', '--timeout', '1h', '--threshold', '1s', ...more],
    folder,
  );

/** Waits until standard output contains the text. */
async function printed({ child }: ReturnType<typeof start>, text: string): Promise<void> {
  let seen = '';
  for await (const [chunk] of eachChunk(child.stdout)) {
    seen += String(chunk);
    if (seen.includes(text)) return;
  }
}

async function* eachChunk(stream: NodeJS.ReadableStream | null): AsyncGenerator<unknown[]> {
  while (stream !== null) yield await once(stream, 'data');
}

describe('culprit run', () => {
  it.each([
    ['a table', [], /^formula .*\na\.smt2 +sat .*\n$/],
    ['JSON', ['--json'], /^\{"formula":"a\.smt2".*\}\n$/],
  ])('has printed its measured rows when it is killed, as %s', async (_, more, expected) => {
    const running = start(folderWith({ a: 'quick', b: 'slow' }), ...more);
    await printed(running, 'a.smt2');
    running.child.kill('SIGKILL');
    expect((await running.ended).stdout).toMatch(expected);
  });

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('reports its progress when %s ends it', async (name) => {
    const running = start(folderWith({ a: 'quick', b: 'slow' }));
    await printed(running, 'a.smt2');
    running.child.kill(name);
    const { stdout, stderr, exitCode } = await running.ended;
    expect(stdout).toMatch(/^formula .*\na\.smt2 +sat .*\n$/);
    expect(stderr).toBe(
      'culprit: interrupted after 1 of 2 formulas; the same command runs all of them again\n',
    );
    expect(exitCode).toBe(130);
  });

  it('ends with its solvers when its output is closed', async () => {
    const running = start(folderWith({ a: 'quick', b: 'quick', c: 'slow' }));
    running.child.stdout?.destroy();
    const { stderr, exitCode } = await running.ended;
    expect(stderr).toBe('');
    expect(exitCode).toBe(141);
  });

  it('prints rows in the order of measurement with several workers', async () => {
    const running = start(folderWith({ a: 'slow', b: 'quick' }), '--workers', '2');
    await printed(running, 'b.smt2');
    running.child.kill('SIGTERM');
    expect((await running.ended).stderr).toContain('interrupted after 1 of 2');
  });

  it('prints earlier rows if a later formula cannot be run', () => {
    const folder = folderWith({ a: 'quick' });
    writeFileSync(join(folder, 'b.smt2'), '(assert true)');
    const { stdout, stderr, exitCode } = culprit(['run', '.', '--on', 'simple', '--repeat', '1'], {
      cwd: folder,
    });
    expect(stdout).toMatch(/^formula .*\na\.smt2 +sat /);
    expect(stderr).toContain('b.smt2 holds no check-sat: there is nothing to run; it is left out');
    expect(exitCode).toBe(1);
  });
});
