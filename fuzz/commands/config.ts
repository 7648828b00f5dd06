import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../src/machine/index.js';
import { solverScript } from '../../tests/stand-in-solver.js';
import type { Attempt } from '../attempt.js';
import type { Corpus } from '../corpus.js';
import { mutated } from '../mutations/mutate.js';
import { put } from './file-name.js';

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
    put(folder, 'culprit.json', input);
    put(folder, 'a.smt2', formulas[0] ?? '');
    put(folder, 'solver.sh', solverScript());
    chmodSync(join(folder, 'solver.sh'), 0o755);
  };
  if (random.chance(0.25)) {
    const spec = mutated(specs, random).replaceAll('\0', '').slice(0, 2000);
    return {
      input: random.pick(configurations),
      place,
      args: ['run', 'a.smt2', `--on=${spec}`, ...quick],
      toldMs: 5000,
    };
  }
  return { input: mutated(configurations, random, 'json'), place, args: random.pick(calls), toldMs: 2000 };
}
