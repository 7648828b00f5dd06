import { Random } from '../../src/machine/index.js';
import type { Attempt } from '../attempt.js';
import type { Corpus } from '../corpus.js';
import { hostileFileNames } from '../mutations/hostile-words.js';
import { mutateInput } from '../mutations/mutate.js';
import { between } from '../pure/targets.js';
import { writeInput } from './file-name.js';
import { damageRepository, makeStrangeRepository, type TreeFile } from './strange-repository.js';

interface Call {
  readonly args: readonly string[];
  readonly allowed?: readonly string[];
}

const calls: readonly Call[] = [
  { args: ['HEAD'] },
  { args: ['HEAD', '--json'] },
  { args: ['HEAD', '--no-compiler'] },
  { args: ['HEAD', '--no-compiler', '--json', '--as-published'] },
  { args: ['HEAD~1..HEAD', '--top', '2', '--max', '3'] },
  { args: ['HEAD', '--whole', '--graph', 'graph.svg'], allowed: ['graph.svg'] },
  { args: ['HEAD', '--graph', 'graph.dot'], allowed: ['graph.dot'] },
];

/** The path of a file in a commit: mostly at the top, with a hostile name in half of the cases. */
function pathFor(random: Random): readonly string[] {
  const name = random.chance(0.5) ? 'a.c' : random.pick(hostileFileNames);
  if (random.chance(0.7)) return [name];
  return [random.pick(['src', '-I', '@x', '..', '.git', '.', '\xff', 'a b', '__proto__', '\x1b[1m']), name];
}

/** `culprit complexity` on a commit or on two folders. */
export function sourceAttempt({ sources }: Corpus, random: Random): Attempt {
  const old = mutateInput(sources, random);
  const input = `${old}${between}${mutateInput([old, ...random.sample(sources, 2)], random)}`;
  const { args, allowed = [] } = random.pick(calls);
  if (random.chance(0.2)) {
    const [, ...options] = args;
    return {
      input,
      prepare: (folder, both) => {
        const [before = '', after = ''] = both.split(between);
        writeInput(folder, 'old/a.c', before);
        writeInput(folder, 'new/a.c', after);
      },
      args: [
        'complexity',
        '--folders',
        'old',
        'new',
        ...options.filter((word) => !/^--(whole|top|max)$|^\d$/.test(word)),
      ],
      writable: allowed,
    };
  }
  const path = pathFor(random);
  const others = Array.from(
    { length: random.below(3) },
    (): TreeFile => ({ path: pathFor(random), bytes: random.pick(sources) }),
  );
  const link = random.chance(0.1) ? '120000' : undefined;
  const damage = random.chance(0.15) ? random.split().state() : undefined;
  return {
    input,
    prepare: (folder, both) => {
      const [before = '', after = ''] = both.split(between);
      makeStrangeRepository(folder, [
        [{ path, bytes: before }, ...others.slice(1)],
        [{ path, bytes: after, mode: link }, ...others],
      ]);
      if (damage !== undefined) damageRepository(folder, Random.fromState(damage));
    },
    args: ['complexity', ...args, '--repo', 'repository'],
    writable: allowed,
  };
}
