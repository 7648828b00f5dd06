/** A finished bisection: a dozen commits of a tiny program, one of which is the culprit. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../src/machine/index.js';
import { makeRepository, recipe } from '../tests/history/made-repository.js';
import type { Playground } from './playground.js';

export interface MadeBisection {
  readonly folder: string;
  readonly settings: string;
  readonly journal: string;
  readonly found: string;
}

export function makeBisection(playground: Playground): MadeBisection | undefined {
  if (findProgram('cc') === undefined || findProgram('git') === undefined) return undefined;
  const top = join(playground.top, 'made', 'bisection');
  mkdirSync(top, { recursive: true });
  const commits = Array.from({ length: 12 }, (_, at) => ({
    levels: [at < 5 ? 20 : 800],
    subject: `change ${at}`,
  }));
  const { line } = makeRepository(join(top, 'repository'), commits);
  const [program = '', ...words] = playground.command;
  const range = ['--repo', 'repository', '--good', line[0] ?? '', '--bad', 'main', '--out', 'found'];
  const build = ['--build', recipe.build[0] ?? '', '--binary', recipe.binary, '--prints'];
  const { status } = spawnSync(
    program,
    [...words, 'bisect', '0', ...range, ...build, '--', '{program}', '{case}'],
    {
      cwd: top,
      env: playground.environment,
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
