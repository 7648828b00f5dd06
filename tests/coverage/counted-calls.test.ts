import { describe, expect, it } from 'vitest';
import { runWithCalls } from '../../src/coverage/counted-calls.js';
import { Fault } from '../../src/machine/index.js';
import type { Run } from '../../src/solver/index.js';
import { withoutFault } from '../without-fault.js';

const killed: Run = { outcome: 'crash', signal: 'SIGKILL', wallMs: 5, answers: [] };
const hung: Run = { outcome: 'timeout', wallMs: 2000, answers: [] };
const counted: Run = { ...hung, called: { functions: [3], calls: [7] } };

/** Returns these runs one after another. */
function asker(...runs: readonly Run[]) {
  const left = [...runs];
  return {
    left,
    ask: async (): Promise<Run> => {
      const run = left.shift();
      if (run === undefined) throw new Error('asked too often');
      return run;
    },
  };
}

describe('runWithCalls', () => {
  it('returns the counts of the first run that has them', async () => {
    const { ask, left } = asker(counted, killed);
    expect(await runWithCalls(ask)).toEqual({ run: counted, called: counted.called });
    expect(left).toEqual([killed]);
  });

  it.each([
    ['killed', killed],
    ['hung', hung],
  ])('retries once if the host was %s', async (_, lost) => {
    expect(withoutFault(await runWithCalls(asker(lost, counted).ask)).run).toBe(counted);
  });

  it('returns a fault, not empty counts, if the second run has none either', async () => {
    const { ask, left } = asker(killed, hung, counted);
    const done = await runWithCalls(ask);
    expect(done).toBeInstanceOf(Fault);
    expect(done).toMatchObject({
      kind: 'environment',
      message: expect.stringMatching(/^the run left no counts: /),
    });
    expect(left).toEqual([counted]);
  });

  it('returns empty counts for a formula that never reached the solver', async () => {
    const unsupported: Run = { outcome: 'unsupported', message: 'no such sort', wallMs: 0, answers: [] };
    const done = withoutFault(await runWithCalls(asker(unsupported).ask));
    expect(done.called).toEqual({ functions: [], calls: [] });
  });
});
