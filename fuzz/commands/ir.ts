import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../src/machine/index.js';
import type { Attempt } from '../attempt.js';
import type { Corpus } from '../corpus.js';
import { mutated } from '../mutations/mutate.js';
import { put } from './file-name.js';

const questions: readonly (readonly string[])[] = [
  [],
  ['--json'],
  ['--function', 'main'],
  ['--backward', 'main.c:12'],
  ['--forward', 'main.c:20', '--json'],
];

/** A damaged program, or a malformed compile database. */
export function irAttempt(corpus: Corpus, random: Random): Attempt {
  const question = random.pick(questions);
  const { built } = corpus;
  if (built !== undefined && random.chance(0.5))
    return {
      input: mutated([built], random),
      place: (folder, input) => {
        put(folder, 'main', input);
        chmodSync(join(folder, 'main'), 0o755);
        put(folder, 'main.c', corpus.sources[0] ?? '');
      },
      args: ['program', './main', ...question],
    };
  const command = { directory: '.', file: 'main.c', arguments: ['clang', '-c', 'main.c', '-o', 'main.o'] };
  const texts = [
    JSON.stringify([command]),
    JSON.stringify([{ ...command, arguments: undefined, command: 'clang -c main.c' }]),
  ];
  const source = random.pick(corpus.sources);
  return {
    input: mutated(texts, random, 'json'),
    place: (folder, input) => {
      put(folder, 'compile_commands.json', input);
      put(folder, 'main.c', source);
    },
    args: ['program', 'compile_commands.json', ...question],
  };
}
