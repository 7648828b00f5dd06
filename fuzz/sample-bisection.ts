/** A finished bisection: a dozen commits of a tiny program, one of which is the culprit. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../src/machine/index.js';
import { makeRepository, recipe } from '../tests/history/made-repository.js';
import type { Sandbox } from './sandbox.js';

export interface SampleBisection {
  readonly folder: string;
  readonly settings: string;
  readonly journal: string;
  readonly found: string;
}

export function makeBisection(sandbox: Sandbox): SampleBisection | undefined {
  if (findProgram('cc') === undefined || findProgram('git') === undefined) return undefined;
  const top = join(sandbox.top, 'made', 'bisection');
  mkdirSync(top, { recursive: true });
  const commits = Array.from({ length: 12 }, (_, at) => ({
    levels: [at < 5 ? 20 : 800],
    subject: `change ${at}`,
  }));
  const { line } = makeRepository(join(top, 'repository'), commits);
  const [program = '', ...words] = sandbox.command;
  const range = ['--repo', 'repository', '--good', line[0] ?? '', '--bad', 'main', '--out', 'found'];
  const build = ['--build', recipe.build[0] ?? '', '--binary', recipe.binary, '--prints'];
  const { status } = spawnSync(
    program,
    [...words, 'bisect', '0', ...range, ...build, '--', '{program}', '{case}'],
    {
      cwd: top,
      env: sandbox.environment,
    },
  );
  if (status !== 0) return undefined;
  const read = (name: string): string => readFileSync(join(top, 'found', name), 'latin1');
  return {
    folder: join(top, 'found'),
    settings: read('campaign.json'),
    journal: read('journal.ndjson'),
    found: read('bisection.json'),
  };
}
