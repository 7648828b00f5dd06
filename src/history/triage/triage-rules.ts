/**
 * The rules that classify a commit's intention. Users add rules with `triage` in `culprit.json`. Rules contain words
 * and paths instead of regular expressions, so that they are readable and match in linear time.
 */

import { z } from 'zod';
import { readConfigurationFile } from '../../configuration/index.js';
import { Fault } from '../../machine/index.js';
import { isPhrase } from './phrase.js';

/** SPRFinder, section 6.2. With equal weights, the first applies. */
export const intentions = ['program fix', 'algorithm update', 'theory selection', 'unknown'] as const;

export type Intention = (typeof intentions)[number];

/** `bug`: unintended, as later commits show. `compromise`: accepted for another benefit. */
export const classes = ['bug', 'compromise', 'unclear'] as const;

export type Class = (typeof classes)[number];

const phrases = z
  .array(
    z.string().max(100).refine(isPhrase, 'words, with at most two of *, … and <n>; not a regular expression'),
  )
  .min(1)
  .max(100)
  .optional();

const ruleSchema = z
  .strictObject({
    means: z.enum([...intentions, 'bug', 'compromise']),
    weight: z
      .number()
      .positive()
      .max(100)
      .describe('how much it counts: the weights of all rules that fit are added up'),
    says: z.string().min(1).max(200).describe('what the evidence is, as a sentence begins'),
    subject: phrases.describe('words in the first line of the message'),
    message: phrases.describe('words anywhere in the message'),
    files: phrases.describe('at least half of the changed lines are in such files'),
    changes: phrases.describe('words in a line that was added or taken away'),
    onlyChanges: phrases.describe('every added or deleted line that is no comment has such words'),
    later: phrases.describe('words in the message of a commit after it that names it, or that mended it'),
  })
  .refine(
    ({ subject, message, files, changes, onlyChanges, later }) =>
      [subject, message, files, changes, onlyChanges, later].some((part) => part !== undefined),
    'a rule looks for something: subject, message, files, changes, onlyChanges or later',
  );

export type TriageRule = z.infer<typeof ruleSchema>;

export const triageSchema = z.object({
  triage: z
    .array(ruleSchema)
    .max(200)
    .default([])
    .describe('rules for triage in addition to those of culprit'),
});

/** The built-in rules and the user's rules. */
export async function triageRulesIn(folder: string): Promise<readonly TriageRule[] | Fault> {
  const file = readConfigurationFile(folder);
  const section = file instanceof Fault ? file : file.section(triageSchema);
  return section instanceof Fault ? section : [...builtInRules, ...section.triage];
}

const fixing = [
  ...['fix*', 'bug*', 'crash*', 'unsound*', 'soundness', 'segfault*', 'leak*', 'regression*', 'hotfix'],
  ...['repair*', 'wrong', 'incorrect*', 'correctly', 'assertion violation', 'missing'],
];

/** To add a rule, add a row. */
export const builtInRules: readonly TriageRule[] = [
  { means: 'program fix', weight: 6, says: 'it fixes something', subject: fixing },
  { means: 'program fix', weight: 2, says: 'its text speaks of something fixed', message: fixing },
  {
    means: 'program fix',
    weight: 5,
    says: 'it belongs to an issue',
    message: ['#<n>', 'issue <n>', 'issue #<n>', 'issues/<n>'],
  },
  {
    means: 'theory selection',
    weight: 7,
    says: 'it changes which solver or theory is used',
    subject: [
      ...['switch* … default', 'switch* … solver', 'change* … default', 'set … default', 'use … default'],
      ...['enable* … default', 'disable* … default', 'enable* theory', 'disable* theory', 'new solver'],
    ],
  },
  {
    means: 'theory selection',
    weight: 5,
    says: 'most of it is in the arithmetic or another background theory',
    files: [
      ...['*math/lp/*', '*math/simplex/*', '*math/polynomial/*', '*math/grobner/*', '*math/interval/*'],
      ...['*smt/theory_arith*', '*smt/theory_lra*', '*smt/theory_array*', '*smt/theory_bv*', '*nlsat/*'],
      ...['*smt/theory_utvpi*', '*smt/arith_*', '*smt/bv_*', '*theory/arith/*', '*theory/arrays/*'],
      ...['*theory/bv/*', '*theory/uf/*'],
    ],
  },
  {
    means: 'algorithm update',
    weight: 3,
    says: 'it changes how something is solved',
    subject: [
      ...['improv*', 'optimi*', 'perf*', 'faster', 'speed*', 'axiom*', 'propagat*', 'rewrit*', 'heuristic*'],
      ...['simplif*', 'lemma*', 'unfold*', 'decompos*', 'derivative*', 'strateg*', 'tune*', 'tuning'],
    ],
  },
  {
    means: 'algorithm update',
    weight: 1,
    says: 'it adds something or takes it away',
    subject: ['add*', 'new', 'support*', 'implement*', 'remove*', 'merge*', 'move*', 'moving'],
  },
  {
    means: 'algorithm update',
    weight: 3,
    says: 'most of it is in the string solver',
    files: ['*seq_*', '*_seq*', '*/strings/*', '*theory_str*', '*regex*'],
  },
  {
    means: 'unknown',
    weight: 9,
    says: 'it is about building and not about solving',
    subject: [
      ...[
        'build',
        'builds',
        'build fix*',
        'compil*',
        'warning*',
        'cmake*',
        'makefile*',
        'linker',
        'pipeline',
      ],
      ...['instantiation*', 'typo*', 'indent*', 'format*', 'release notes', 'ci'],
    ],
  },
  {
    means: 'unknown',
    weight: 6,
    says: 'it tidies up',
    subject: [
      ...['refactor*', 'clean*', 'rename*', 'unused', 'dead code', 'debug code', 'comment*', 'whitespace'],
      ...['assert', 'asserts', 'assertions', 'move code'],
    ],
  },
  {
    means: 'unknown',
    weight: 9,
    says: 'nothing in it runs, or only in builds for debugging',
    onlyChanges: ['SASSERT', 'lp_assert', 'assert', 'TRACE', 'CTRACE', 'STRACE', 'ENSURE', 'tout', 'Assert'],
  },
  {
    means: 'unknown',
    weight: 5,
    says: 'it is about an interface or its papers',
    subject: ['API', 'bindings', 'documentation', 'docs', 'readme'],
  },
  {
    means: 'unknown',
    weight: 5,
    says: 'most of it is not the solver',
    files: ['*src/api/*', 'doc/*', 'docs/*', 'examples/*', '*.md', '*/CMakeLists.txt', '*.yml', '*test/*'],
  },
  {
    means: 'compromise',
    weight: 3,
    says: 'it gives up speed for being right',
    message: [
      ...['soundness', 'unsound*', 'correctness', 'completeness', 'incomplete*', 'wrong answer*'],
      ...['wrong result*', 'wrong model*'],
    ],
  },
  {
    means: 'compromise',
    weight: 3,
    says: 'it says that something will get worse',
    message: [
      ...['breaking change', 'likely to … regression*', 'likely to … slow*', 'expected to … regression*'],
      'expected to … slow*',
    ],
  },
  {
    means: 'compromise',
    weight: 2,
    says: 'it says that it is not the last word',
    message: [
      'for now',
      'temporar*',
      'workaround',
      'work around',
      'todo',
      'stopgap',
      'conservative*',
      'until',
    ],
  },
  { means: 'bug', weight: 10, says: 'a later commit reverts it', later: ['revert*'] },
  {
    means: 'bug',
    weight: 10,
    says: 'a later commit that names it, or mends it, speaks of speed',
    later: ['perf*', 'slow', 'slower', 'slowdown', 'regression*', 'timeout*', 'loop', 'diverg*'],
  },
];
