import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../src/machine/index.js';
import { solverScript } from '../../tests/stand-in-solver.js';
import type { Attempt } from '../attempt.js';
import type { Corpus } from '../corpus.js';
import { mutateInput } from '../mutations/mutate.js';
import { writeInput } from './file-name.js';

const quick = ['--timeout', '500ms', '--repeat', '1'];

const calls: readonly (readonly string[])[] = [
  ['solvers', 'list'],
  ['solvers', 'list', '--json'],
  ['solvers', 'check', 'mine'],
  ['run', 'a.smt2', '--on', 'mine', ...quick],
  ['run', 'a.smt2', '--on', 'a,b.c-d', ...quick, '--json'],
  ['doctor'],
];

/** The user's own configuration with errors. Its commands may run, but nothing else may happen. */
export function configAttempt({ configurations, formulas, specs }: Corpus, random: Random): Attempt {
  const place = (folder: string, input: string): void => {
    writeInput(folder, 'culprit.json', input);
    writeInput(folder, 'a.smt2', formulas[0] ?? '');
    writeInput(folder, 'solver.sh', solverScript());
    chmodSync(join(folder, 'solver.sh'), 0o755);
  };
  if (random.chance(0.25)) {
    const spec = mutateInput(specs, random).replaceAll('\0', '').slice(0, 2000);
    return {
      input: random.pick(configurations),
      prepare: place,
      args: ['run', 'a.smt2', `--on=${spec}`, ...quick],
      limitMs: 5000,
    };
  }
  return {
    input: mutateInput(configurations, random, 'json'),
    prepare: place,
    args: random.pick(calls),
    limitMs: 2000,
  };
}
