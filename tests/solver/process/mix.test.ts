import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, it } from 'vitest';
import type { Limits } from '../../../src/machine/index.js';
import type { Outcome } from '../../../src/solver/run/run.js';
import { openRunner } from '../../../src/solver/runners/chain.js';
import { leftovers } from '../../machine/processes/leftovers.js';
import { rounds } from '../../rounds.js';
import { removeFolder, temporaryFolder } from '../../temporary-folder.js';
import { asking, standin } from '../standins/standin.js';

const patient: Limits = { wallMs: 60_000, memoryBytes: 256 << 20 };
const short: Limits = { wallMs: 150 };

/** Each stand-in with its limits and the expected outcome. */
/** Each stand-in with the possible outcomes. */
const mix: readonly (readonly [name: string, Limits, ...Outcome[]])[] = [
  ['answer', patient, 'sat'],
  ['two-answers', patient, 'error'],
  ['hang', short, 'timeout'],
  ['spin', { wallMs: 60_000, cpuMs: 50 }, 'timeout'],
  ['stubborn', short, 'timeout'],
  ['stopped', short, 'timeout'],
  ['daemon-hang', short, 'timeout'],
  ['crash', patient, 'crash'],
  ['abort-wrapper', patient, 'crash'],
  ['orphan', patient, 'unsat'],
  ['daemon', patient, 'sat'],
  ['eat-memory', { wallMs: 60_000, memoryBytes: 16 << 20 }, 'memout'],
  ['eat-memory-in-child', { wallMs: 60_000, memoryBytes: 16 << 20 }, 'memout'],
  ['flood', { wallMs: 60_000, outputBytes: 1 << 20 }, 'error'],
  ['flood-stderr', { wallMs: 60_000, outputBytes: 1 << 20 }, 'error'],
  ['error', patient, 'error'],
  ['unsupported', patient, 'unsupported'],
  ['echo', patient, 'unsat'],
  ['silent', patient, 'error'],
  ['deaf', patient, 'unsat'],
  // The outcome depends on the system.
  ['kill-parent', patient, 'crash', 'sat'],
  ['litter', patient, 'sat'],
];

/** Determines the stand-ins and their order. */
const seed = 2024;

describe.each([
  { cgroups: true, runs: rounds(1000) },
  { cgroups: false, runs: rounds(500) },
])('$runs runs of misbehaving solvers with cgroups: $cgroups', ({ cgroups, runs }) => {
  it('end with the expected outcomes and leave nothing behind', { timeout: 300_000 }, async () => {
    const directory = temporaryFolder('mix');
    const runner = openRunner({ print: () => '(check-sat)\n', workers: 4, cgroups, directory });
    const random = xoroshiro128plus(seed);
    const wrong: string[] = [];
    await Promise.all(
      Array.from({ length: runs }, async () => {
        const [name, limits, ...expected] = mix[uniformInt(random, 0, mix.length - 1)] ?? [
          'answer',
          patient,
          'sat',
        ];
        const run = await runner.run({ formula: asking(1), version: standin(name), limits });
        if (!expected.includes(run.outcome)) wrong.push(`${name}: ${JSON.stringify(run)}`);
      }),
    );
    await runner.close();
    expect(wrong, `seed ${seed}`).toEqual([]);
    expect(leftovers(directory)).toEqual([]);
    removeFolder(directory);
  });
});
