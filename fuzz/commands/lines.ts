import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../src/machine/index.js';
import type { Attempt } from '../attempt.js';
import type { Corpus } from '../corpus.js';
import { hostileWords } from '../mutations/hostile-words.js';
import { writeInput } from './file-name.js';

/**
 * Typical command lines. Arguments of `--out` and similar options stay unchanged, because culprit may write there. So
 * do the user's own commands, which may do anything.
 */
const lines: readonly (readonly string[])[] = [
  ['formula', 'check', 'a.smt2', '--json'],
  ['formula', 'format', 'a.smt2', '--dialect', '2.5'],
  ['formula', 'generate', '--count', '2', '--seed', '3', '--logic', 'QF_S'],
  ['formula', 'mutate', 'a.smt2', '--count', '2', '--seed', '1'],
  ['formula', 'stats', '.'],
  [
    'run',
    'a.smt2',
    '--on',
    'path:z3',
    '--timeout',
    '500ms',
    '--memory',
    '100MB',
    '--repeat',
    '1',
    '--seeds',
    '1-2',
  ],
  ['solvers', 'list', '--json'],
  ['solvers', 'add', 'z3@4.13.0'],
  ['solvers', 'remove', 'z3@4.13.0'],
  ['builds', 'list'],
  ['report', 'hunt', '--json'],
  ['report', 'hunt', '--markdown', '-'],
  ['triage', 'hunt'],
  [
    'hunt',
    '--on',
    'path:z3,path:z3',
    '--strategy',
    'random',
    '--set',
    'queue=5',
    '--seed',
    '3',
    '--logic',
    'QF_S',
  ],
  ['hunt', '--replay', 'hunt', '--json'],
  [
    'confirm',
    'a.smt2',
    '--on',
    'path:z3,path:z3',
    '--seeds',
    '1-2',
    '--timeout',
    '200ms',
    '--threshold',
    '50ms',
  ],
  ['reduce', 'a.smt2', '--on', 'path:z3', '--outcome', 'sat', '--timeout', '200ms'],
  ['timeline', 'a.smt2', '--on', 'path:z3', '--repeat', '1', '--threshold', '1s'],
  ['complexity', 'HEAD', '--repo', '.', '--max', '3'],
  ['complexity', '--folders', 'hunt', 'hunt', '--json'],
  ['program', 'a.smt2', '--function', 'main'],
  ['doctor', '--json'],
  ['--version'],
  ['nothing', '--of', 'the kind'],
];

/** Commands that take minutes by design, or download files. */
const excluded = new Set(['study', 'calibrate', 'tools', 'blame', 'bisect']);

function mutatedLine(random: Random): readonly string[] {
  const words = [...random.pick(lines)];
  for (let left = random.below(4); left > 0; left--) {
    const at = random.below(words.length);
    const hostile = random.pick(hostileWords).replaceAll('\0', '');
    const others = random.pick(lines);
    switch (random.below(6)) {
      case 0:
        words.splice(at, 1);
        break;
      case 1:
        words.splice(at, 0, words[at] ?? '');
        break;
      case 2:
        words.splice(at, 0, random.pick(others));
        break;
      case 3:
        words[at] = `${words[at]}${hostile}`;
        break;
      default:
        words[at] = hostile;
    }
    if (words.length === 0) return words;
  }
  return words;
}

/** Anything that a user may type. */
export function lineAttempt({ formulas, campaign }: Corpus, random: Random): Attempt {
  const words = mutatedLine(random);
  const isKeptOut = words.some((word) => excluded.has(word));
  // The last option counts.
  const isLong = words.includes('hunt') || words.includes('reduce');
  const args = [...(isKeptOut ? ['--help'] : words), ...(isLong ? ['--for', '1s'] : [])];
  return {
    input: random.pick(formulas),
    prepare: (folder, input) => {
      writeInput(folder, 'a.smt2', input);
      cpSync(campaign, join(folder, 'hunt'), { recursive: true });
    },
    args,
    // The default folder of campaigns.
    writable: words.includes('hunt') ? ['campaigns', 'said', 'hunt'] : ['said'],
    limitMs: 30_000,
    printsData: words.includes('formula') || words.includes('reduce'),
  };
}
