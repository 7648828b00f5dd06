import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CountingRunner } from '../../src/coverage/counted-run.js';
import { CoverageTable } from '../../src/coverage/table.js';
import { dialects, parseScript } from '../../src/smtlib/index.js';
import type { RunRequest } from '../../src/solver/index.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

/** A table without lines, for a program with this size of counters. */
const tableWith = (counterBytes: number): CoverageTable =>
  new CoverageTable({
    files: [],
    functions: [],
    lineFiles: new Uint32Array(),
    lineNumbers: new Uint32Array(),
    codeStarts: new Uint32Array(1),
    code: new Int32Array(),
    counterBytes,
  });

const counterBytes = 64 << 10;

/** Runs a script in place of a counting Z3. */
async function counted(script: string, request: Partial<RunRequest> = {}) {
  const program = join(temporaryFolder('counted-run'), 'z3');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  const runner = await CountingRunner.open({ workers: 1 });
  try {
    return await runner.run(
      {
        formula: parseScript('(check-sat)'),
        version: {
          ...{ name: 'z3', spec: `path:${program}`, family: 'z3', number: '1', source: 'path', options: {} },
          program: { kind: 'native', command: [program] },
          dialect: dialects['2.6'],
        },
        limits: { wallMs: 60_000, outputBytes: 4 << 10 },
        ...request,
      },
      tableWith(counterBytes),
      new AbortController().signal,
    );
  } finally {
    await runner.close();
  }
}

const count = `head -c ${counterBytes} /dev/zero > "$CULPRIT_COUNTERS"`;

it('CountingRunner reads counters that are larger than the output limit', async () => {
  expect(withoutFault(await counted(`${count} && echo sat`)).run.outcome).toBe('sat');
});

it('CountingRunner runs each formula in a process of its own, even for a short first look', async () => {
  // Answers unsat if it is a reused process, which reads from a pipe.
  const script = `${count}
[ -p /dev/stdin ] && answer=unsat || answer=sat
while read -r line; do
  case "$line" in
    '(check-sat)') echo $answer;;
    '(echo "'*) line="\${line#*\\"}"; echo "\${line%%\\"*}";;
  esac
done`;
  expect(withoutFault(await counted(script, { glance: true })).run.outcome).toBe('sat');
});

it('CountingRunner reports no executed lines for a run that ended before it could count', async () => {
  const limits = { cpuMs: 100, wallMs: 300, outputBytes: 4 << 10 };
  const { run, executed } = withoutFault(await counted('sleep 60', { limits }));
  expect(run.outcome).toBe('timeout');
  expect(executed.lines).toHaveLength(0);
  // The file as it is between open and its first resize.
  const early = withoutFault(await counted(': > "$CULPRIT_COUNTERS"; sleep 60', { limits }));
  expect(early.executed.lines).toHaveLength(0);
});

it('CountingRunner reports a fault, not zero, if a program left no counters or had no room for them', async () => {
  expect(await counted('echo sat')).toMatchObject({ message: expect.stringContaining('left no counters') });
  expect(await counted(': > "$CULPRIT_COUNTERS"; echo sat')).toMatchObject({
    message: expect.stringContaining('no room for its counters'),
  });
});
