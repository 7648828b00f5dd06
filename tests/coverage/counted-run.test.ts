import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CountingRunner } from '../../src/coverage/counted-run.js';
import { CoverageTable } from '../../src/coverage/table.js';
import { dialects, parseScript } from '../../src/smtlib/index.js';
import type { RunRequest } from '../../src/solver/index.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

/** A table of a program with so many counters and no lines. */
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

/** What comes of a script in the place of Z3 that counts. */
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

it('counters may take more room than what a program may print', async () => {
  expect(withoutFault(await counted(`${count} && echo sat`)).run.outcome).toBe('sat');
});

it('what is executed for one formula is asked of a process of its own, also where a first look would do', async () => {
  // Says unsat as a solver that stays, which reads from a pipe.
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

it('a run that was ended before it could count has executed nothing', async () => {
  const limits = { cpuMs: 100, wallMs: 300, outputBytes: 4 << 10 };
  const { run, executed } = withoutFault(await counted('sleep 60', { limits }));
  expect(run.outcome).toBe('timeout');
  expect(executed.lines).toHaveLength(0);
  // As it is left between being opened and being given its size.
  const early = withoutFault(await counted(': > "$CULPRIT_COUNTERS"; sleep 60', { limits }));
  expect(early.executed.lines).toHaveLength(0);
});

it('a program that left no counters, or had no room for them, is no reason to think that nothing was executed', async () => {
  expect(await counted('echo sat')).toMatchObject({ message: expect.stringContaining('left no counters') });
  expect(await counted(': > "$CULPRIT_COUNTERS"; echo sat')).toMatchObject({
    message: expect.stringContaining('no room for its counters'),
  });
});
