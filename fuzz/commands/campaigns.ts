import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Random } from '../../src/machine/index.js';
import type { Attempt } from '../attempt.js';
import type { Corpus } from '../corpus.js';
import { mutateInput } from '../mutations/mutate.js';
import type { SampleBisection } from '../sample-bisection.js';
import type { Sandbox } from '../sandbox.js';
import { writeInput } from './file-name.js';

interface Call {
  readonly args: readonly string[];
  readonly allowed?: readonly string[];
  readonly toldMs?: number;
}

/** Each call with its weight. Calls that start solvers take seconds. */
const huntCalls: readonly (readonly [number, Call])[] = [
  [6, { args: ['report', 'hunt'] }],
  [3, { args: ['report', 'hunt', '--json'] }],
  [
    4,
    {
      args: ['report', 'hunt', '--html', 'out.html', '--markdown', 'out.md'],
      allowed: ['out.html', 'out.md'],
    },
  ],
  [2, { args: ['report', 'hunt', '--markdown', '-'] }],
  [3, { args: ['hunt', '--replay', 'hunt'] }],
  [2, { args: ['triage', 'hunt'] }],
  // A hunt may confirm for twenty seconds beyond its time. After a journal that was cut off, it has the campaign's
  // full time.
  [1, { args: ['hunt', '--resume', 'hunt', '--for', '1s'], allowed: ['hunt'], toldMs: 101_000 }],
  [1, { args: ['confirm', 'hunt', '--seeds', '1-2'], allowed: ['hunt'], toldMs: 40_000 }],
  [
    1,
    {
      args: ['timeline', 'hunt/cases', '--on', 'path:z3', '--timeout', '200ms', '--repeat', '1'],
      toldMs: 10_000,
    },
  ],
];

const bisectionCalls: readonly (readonly [number, Call])[] = [
  [4, { args: ['triage', 'found'] }],
  [2, { args: ['triage', 'found', '--json'] }],
  [2, { args: ['report', 'found', '--tracker', 'texts'], allowed: ['texts'] }],
  [2, { args: ['bisect', '--resume', 'found'], allowed: ['found'], toldMs: 20_000 }],
  [1, { args: ['report', 'found'] }],
];

function picked(calls: readonly (readonly [number, Call])[], random: Random): Call {
  return random.pick(calls.flatMap(([times, call]) => Array.from({ length: times }, () => call)));
}

export function campaignAttempt(corpus: Corpus, random: Random, sandbox: Sandbox): Attempt {
  const { bisection } = corpus;
  return bisection !== undefined && random.chance(0.3)
    ? bisectionAttempt(bisection, random)
    : huntAttempt(corpus, random, sandbox);
}

function huntAttempt(corpus: Corpus, random: Random, sandbox: Sandbox): Attempt {
  const file = random.pick(['campaign.json', 'journal.ndjson', 'journal.ndjson'] as const);
  const texts = file === 'campaign.json' ? corpus.settings : corpus.journals;
  // Untrusted campaigns name a program that must not be run.
  const trapped = texts.map((text) => text.replaceAll('z3@5.2.0', `path:${sandbox.trap}`));
  const link = random.chance(0.1)
    ? random.pick(['journal.ndjson', 'cases', 'campaign.json', 'report.html'])
    : undefined;
  return {
    input: mutateInput(file === 'campaign.json' && random.chance(0.2) ? trapped : texts, random, 'json'),
    prepare: (folder, input) => {
      cpSync(corpus.campaign, join(folder, 'hunt'), { recursive: true });
      writeInput(folder, `hunt/${file}`, input);
      if (link !== undefined) {
        rmSync(join(folder, 'hunt', link), { recursive: true, force: true });
        symlinkSync(
          link === 'cases' ? '../../beside/folder' : '../../beside/file',
          join(folder, 'hunt', link),
        );
      }
    },
    ...picked(huntCalls, random),
  };
}

function bisectionAttempt(
  { folder: from, settings, journal, found }: SampleBisection,
  random: Random,
): Attempt {
  const files = { 'campaign.json': settings, 'journal.ndjson': journal, 'bisection.json': found } as const;
  const file = random.pick(Object.keys(files) as (keyof typeof files)[]);
  return {
    input: mutateInput([files[file]], random, 'json'),
    prepare: (folder, input) => {
      cpSync(from, join(folder, basename(from)), { recursive: true });
      writeInput(folder, `${basename(from)}/${file}`, input);
    },
    ...picked(bisectionCalls, random),
  };
}
