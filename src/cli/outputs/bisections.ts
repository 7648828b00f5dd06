/** JSON of `bisect`, `blame`, `triage`, and of `report` on their folders. */

import { z } from 'zod';
import { bisectionSchema, classes, intentions } from '../../history/index.js';
import { amounts } from '../../machine/index.js';
import { by, commitId, date, direction, level } from './shared.js';

const caseName = z.string().describe('a formula’s file, or what else the bisection was given');

const { culprits, ends, without, ...counts } = bisectionSchema.shape;

const culprit = z
  .strictObject({
    ...culprits.element.shape,
    case: caseName,
    subject: z.string().optional().describe('of the commit’s message'),
  })
  .meta({ id: 'culprit', title: 'a commit at which a case became slower or quicker' });

const bisection = {
  isFinished: z.literal(true),
  by,
  culprits: z.array(culprit).describe('of each case in the order of the commits'),
  ...counts,
  ends: z
    .array(z.strictObject({ case: caseName, ...ends.unwrap().element.shape }))
    .describe('how slow each case is at the good commit and at the bad one, as far as they say'),
  without: z
    .array(z.strictObject({ case: caseName, why: without.element.shape.why }))
    .describe('cases no commit was found for'),
};

export const bisect = z.strictObject(bisection);

export const unfinished = z.strictObject({
  isFinished: z.literal(false),
  by,
  commits: amounts.measure.describe('how many there are from the good one to the bad one'),
  looked: amounts.measure.describe('how many of them were looked at'),
  steps: z
    .array(
      z.strictObject({
        case: caseName,
        direction,
        before: commitId.describe('it was not there at this commit'),
        at: commitId.describe('it is there at this one'),
        candidates: amounts.measure.describe('how many commits could be it'),
        unseen: amounts.measure.describe('how many of them are still to be looked at'),
        beforeLevel: level,
        afterLevel: level,
      }),
    )
    .describe('where cases became slower or quicker, as far as it was narrowed down'),
});

const commit = z
  .strictObject({
    id: commitId,
    parents: z.array(commitId),
    author: z.string(),
    date,
    subject: z.string(),
    body: z.string().describe('the message without its subject'),
  })
  .meta({ id: 'commit', title: 'a commit' });

export const triage = z.strictObject({
  commit: commit.describe('the commit to blame'),
  by,
  triage: z
    .strictObject({
      intention: z.enum(intentions).describe('what it was meant to do'),
      class: z.enum(classes).describe('bug: nobody meant it; compromise: done knowingly'),
      evidence: z.array(
        z.strictObject({
          means: z.enum([...intentions, 'bug', 'compromise']),
          weight: amounts.measure.describe('what it counts'),
          says: z.string(),
          on: z.string().describe('the words or files it rests on'),
        }),
      ),
      issues: z.array(z.string()).describe('that its message names, such as #3062'),
      files: z.array(
        z.strictObject({
          path: z.string(),
          added: amounts.measure.optional().describe('lines; absent for a binary file'),
          deleted: amounts.measure.optional().describe('lines; absent for a binary file'),
        }),
      ),
      functions: z.array(z.string()).describe('that it changed'),
      size: amounts.measure.describe('lines added and deleted'),
    })
    .describe('what the rules make of it'),
  cases: z.array(culprit).describe('those it made slower, the largest difference first'),
  healedBy: z.array(commit).describe('commits that made some of those cases quick again'),
  stillSlow: z.array(caseName).describe('those that are still slow at the bad commit'),
});

export const blame = z.strictObject({
  ...bisection,
  dossiers: z
    .array(z.strictObject(triage.shape).meta({ id: 'dossier', title: 'what is known of a commit to blame' }))
    .describe('one for each commit that made something slower'),
  reports: z.array(z.string()).describe('the files with a text for each, for its tracker'),
});
