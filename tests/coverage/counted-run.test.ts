import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CountingRunner } from '../../src/coverage/counted-run.js';
import { CoverageTable } from '../../src/coverage/table.js';
import { dialects, parseScript } from '../../src/smtlib/index.js';
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

it('counters may take more room than what a program may print', async () => {
  const counterBytes = 64 << 10;
  const program = join(temporaryFolder('counted-run'), 'z3');
  writeFileSync(program, `#!/bin/sh\nhead -c ${counterBytes} /dev/zero > "$CULPRIT_COUNTERS" && echo sat\n`);
  chmodSync(program, 0o755);
  const runner = await CountingRunner.open({ workers: 1 });
  try {
    const done = withoutFault(
      await runner.run(
        {
          formula: parseScript('(check-sat)'),
          version: {
            ...{
              name: 'z3',
              spec: `path:${program}`,
              family: 'z3',
              number: '1',
              source: 'path',
              options: {},
            },
            program: { kind: 'native', command: [program] },
            dialect: dialects['2.6'],
          },
          limits: { wallMs: 60_000, outputBytes: 4 << 10 },
        },
        tableWith(counterBytes),
        new AbortController().signal,
      ),
    );
    expect(done.run.outcome).toBe('sat');
  } finally {
    await runner.close();
  }
});
