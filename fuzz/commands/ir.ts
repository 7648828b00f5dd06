import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../src/machine/index.js';
import type { Attempt } from '../attempt.js';
import type { Corpus } from '../corpus.js';
import { mutateInput } from '../mutations/mutate.js';
import { writeInput } from './file-name.js';

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
  const { compiledProgram: built } = corpus;
  if (built !== undefined && random.chance(0.5))
    return {
      input: mutateInput([built], random),
      prepare: (folder, input) => {
        writeInput(folder, 'main', input);
        chmodSync(join(folder, 'main'), 0o755);
        writeInput(folder, 'main.c', corpus.sources[0] ?? '');
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
    input: mutateInput(texts, random, 'json'),
    prepare: (folder, input) => {
      writeInput(folder, 'compile_commands.json', input);
      writeInput(folder, 'main.c', source);
    },
    args: ['program', 'compile_commands.json', ...question],
  };
}
