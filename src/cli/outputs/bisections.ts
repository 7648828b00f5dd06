/** JSON of `bisect`, `blame`, `triage`, and of `report` on their folders. */

import { z } from 'zod';
import { bisectionSchema, classes, intentions } from '../../history/index.js';
import { amounts } from '../../machine/index.js';
import { by, commitId, date, direction, level } from './shared.js';

const caseName = z.string().describe('file of a formula, or another case given to the bisection');

const { culprits, ends, without, ...counts } = bisectionSchema.shape;

const culprit = z
  .strictObject({
    ...culprits.element.shape,
    case: caseName,
    subject: z.string().optional().describe('subject line of the commit message'),
  })
  .meta({ id: 'culprit', title: 'a commit at which a case became slower or quicker' });

const bisection = {
  isFinished: z.literal(true),
  by,
  culprits: z.array(culprit).describe('sorted by case, then by commit'),
  ...counts,
  ends: z
    .array(z.strictObject({ case: caseName, ...ends.unwrap().element.shape }))
    .describe('levels of each case at the good and the bad commit, if measured'),
  without: z
    .array(z.strictObject({ case: caseName, why: without.element.shape.why }))
    .describe('cases without a culprit'),
};

export const bisect = z.strictObject(bisection);

export const unfinished = z.strictObject({
  isFinished: z.literal(false),
  by,
  commits: amounts.measure.describe('commits from the good to the bad commit'),
  looked: amounts.measure.describe('tested commits'),
  steps: z
    .array(
      z.strictObject({
        case: caseName,
        direction,
        before: commitId.describe('the last commit known without the step'),
        at: commitId.describe('the first commit known with the step'),
        candidates: amounts.measure.describe('commits that may have caused the step'),
        unseen: amounts.measure.describe('candidates not tested yet'),
        beforeLevel: level,
        afterLevel: level,
      }),
    )
    .describe('steps of cases, with the range of commits narrowed down so far'),
});

const commit = z
  .strictObject({
    id: commitId,
    parents: z.array(commitId),
    author: z.string(),
    date,
    subject: z.string(),
    body: z.string().describe('commit message without its subject'),
  })
  .meta({ id: 'commit', title: 'a commit' });

export const triage = z.strictObject({
  commit: commit.describe('the commit to blame'),
  by,
  triage: z
    .strictObject({
      intention: z.enum(intentions).describe('intention of the commit'),
      class: z.enum(classes).describe('bug: unintended; compromise: deliberate'),
      evidence: z.array(
        z.strictObject({
          means: z.enum([...intentions, 'bug', 'compromise']),
          weight: amounts.measure.describe('weight of the evidence'),
          says: z.string(),
          on: z.string().describe('words or files that match the rule'),
        }),
      ),
      issues: z.array(z.string()).describe('issues named in the message, such as #3062'),
      files: z.array(
        z.strictObject({
          path: z.string(),
          added: amounts.measure.optional().describe('lines; absent for a binary file'),
          deleted: amounts.measure.optional().describe('lines; absent for a binary file'),
        }),
      ),
      functions: z.array(z.string()).describe('functions that the commit changed'),
      size: amounts.measure.describe('lines added and deleted'),
    })
    .describe('verdict of the triage rules'),
  cases: z.array(culprit).describe('cases that the commit made slower, the largest difference first'),
  healedBy: z.array(commit).describe('commits that made some of these cases quick again'),
  stillSlow: z.array(caseName).describe('cases that are still slow at the bad commit'),
});

export const blame = z.strictObject({
  ...bisection,
  dossiers: z
    .array(z.strictObject(triage.shape).meta({ id: 'dossier', title: 'a dossier on a culprit commit' }))
    .describe('a dossier for each commit that made a case slower'),
  reports: z.array(z.string()).describe('files with a text for the issue tracker, one per dossier'),
});
