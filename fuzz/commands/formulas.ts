import type { Random } from '../../src/machine/index.js';
import type { Attempt } from '../attempt.js';
import type { Corpus } from '../corpus.js';
import { mutateInput } from '../mutations/mutate.js';
import { asArgument, fileName, writeInput } from './file-name.js';

const embedded = 'z3@4.8.17,z3@5.2.0';

interface Call {
  readonly args: readonly string[];
  readonly toldMs?: number;
  readonly allowed?: readonly string[];
  readonly printsData?: boolean;
}

/** Each call with its weight. */
const calls: readonly (readonly [number, (file: string, random: Random) => Call])[] = [
  [3, (file) => ({ args: ['formula', 'check', file] })],
  [2, (file) => ({ args: ['formula', 'check', file, '--json'] })],
  [2, (file) => ({ args: ['formula', 'format', file], printsData: true })],
  [1, (file) => ({ args: ['formula', 'stats', file] })],
  [
    2,
    (file, random) => ({
      args: ['formula', 'mutate', file, '--seed', String(random.below(99))],
      printsData: true,
    }),
  ],
  [
    2,
    (file) => ({ args: ['run', file, '--on', embedded, '--timeout', '1s', '--repeat', '1'], toldMs: 2000 }),
  ],
  [
    2,
    (file) => ({
      args: ['run', file, '--on', 'path:z3,path:cvc5', '--timeout', '1s', '--repeat', '1'],
      toldMs: 2000,
    }),
  ],
  [
    1,
    (file) => ({
      args: ['run', file, '--on', 'path:z3', '--timeout', '1s', '--memory', '200MB', '--json'],
      toldMs: 5000,
    }),
  ],
  [
    1,
    (file) => ({
      args: ['timeline', file, '--on', embedded, '--timeout', '1s', '--repeat', '1'],
      toldMs: 2000,
    }),
  ],
  [
    1,
    (file) => ({
      args: ['confirm', file, '--on', embedded, '--timeout', '500ms', '--seeds', '1-2'],
      toldMs: 8000,
    }),
  ],
  [
    2,
    (file) => ({
      args: ['reduce', file, '--on', 'path:z3', '--timeout', '500ms', '--for', '2s', '--out', 'out.smt2'],
      toldMs: 3000,
      allowed: ['out.smt2'],
    }),
  ],
  [
    1,
    (file) => ({
      args: ['reduce', file, '--for', '2s', '--', 'grep', '-q', 'assert', '{file}'],
      toldMs: 2000,
      printsData: true,
    }),
  ],
  [
    1,
    (file) => ({
      args: [
        'hunt',
        '--on',
        embedded,
        '--corpus',
        file,
        '--for',
        '1s',
        '--timeout',
        '300ms',
        '--out',
        'hunted',
      ],
      toldMs: 21_000,
      allowed: ['hunted'],
    }),
  ],
];

const weighted = calls.flatMap(([times, call]) => Array.from({ length: times }, () => call));

export function formulaAttempt({ formulas }: Corpus, random: Random): Attempt {
  const name = fileName(random, 'a.smt2');
  return {
    input: mutateInput(formulas, random),
    prepare: (folder, input) => writeInput(folder, name, input),
    ...random.pick(weighted)(asArgument(random, name), random),
  };
}
