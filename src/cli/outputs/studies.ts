/** The papers' experiments: `study`. */

import { z } from 'zod';
import { strategyNames } from '../../explain/index.js';
import { intentions as meanings } from '../../history/index.js';
import { settingsSchema } from '../../hunt/index.js';
import { witnessStrategyNames } from '../../locate/index.js';
import { amounts } from '../../machine/index.js';
import { published, stability } from './machine.js';
import { by, commitId, date, direction, level } from './shared.js';

const { culprit, versions, forMs, workers, slowness, strategy } = settingsSchema.shape;

const spread = z.strictObject({ min: amounts.measure, max: amounts.measure, average: amounts.measure });

const releaseStep = z.strictObject({
  before: z.string().describe('the last release before it that says anything'),
  release: z.string(),
  direction,
  from: level,
  to: level,
});

const figures = <Value extends z.ZodType>(value: Value) => ({
  totalLines: value.describe('lines, or functions, that any formula of a campaign executed'),
  averageLines: value.describe('the same of one formula of the last population, on average'),
  averageTimeScore: value.describe('the time the variant made larger, in seconds, on average'),
  timeouts: value.describe(
    'formulas of the last population that the target does not answer in the long time',
  ),
  averageComplexity: value.describe('Eq. 2, on average'),
});

export const studyMultiObjective = z.strictObject({
  settings: z.strictObject({
    ...{ culprit, versions, forMs, workers },
    population: amounts.count.describe('number of formulas in a population'),
    repeats: amounts.count.describe('campaigns of each variant'),
    longMs: amounts.milliseconds
      .optional()
      .describe('what the last formulas may take, in milliseconds; absent where none was given that yet'),
    timeoutMs: amounts.milliseconds.describe('what formulas may take while it hunts, in milliseconds'),
  }),
  counts: z.enum(['lines', 'functions']).describe('what the target counts'),
  rows: z
    .array(
      z.strictObject({
        variant: strategy,
        campaigns: amounts.count,
        figures: z
          .strictObject(figures(z.array(amounts.measure)))
          .describe('a number for each campaign that can tell it: the columns of Table I'),
        luck: z
          .strictObject(figures(amounts.measure))
          .optional()
          .describe('how likely a difference to mulstringfuzz as large is by luck, from 0 to 1'),
      }),
    )
    .describe('one for each variant'),
  campaigns: z.array(
    z.strictObject({
      variant: strategy,
      repeat: amounts.count.describe('which campaign of the variant, from 1'),
      formulas: amounts.measure.describe('how many were tried'),
      generations: amounts.measure,
      totalLines: amounts.measure,
      members: z
        .array(
          z.strictObject({
            text: z.string().describe('the formula'),
            timeScoreMs: amounts.milliseconds,
            lines: amounts.measure,
            complexity: amounts.measure,
            longOutcome: z.string().optional().describe('on the target, in the long time'),
            longMs: amounts.milliseconds.optional(),
          }),
        )
        .describe('the last population'),
      convergence: z
        .array(
          z.strictObject({
            generation: amounts.measure,
            atMs: amounts.milliseconds,
            meanMs: amounts.milliseconds,
          }),
        )
        .describe('the mean time score of the population after each generation'),
    }),
  ),
  sizes: z
    .array(
      z.strictObject({
        population: amounts.count.describe('formulas in it'),
        campaigns: amounts.count,
        convergedMs: z
          .array(amounts.milliseconds)
          .describe('when the mean time score came within 5 % of where it ended, in milliseconds'),
        timeouts: z.array(amounts.count).describe('as in the rows'),
      }),
    )
    .describe('with --populations: mulstringfuzz with each size, a number for each campaign (Fig. 6)'),
  published: z.array(z.strictObject({ variant: strategy, ...figures(amounts.measure) })).describe('Table I'),
});

export const studyDetection = z.strictObject({
  settings: z.strictObject({
    ...{ culprit, versions, forMs, workers, slowness },
    repeats: amounts.count.describe('campaigns of each strategy'),
    causes: z.enum(['kinds', 'commits', 'releases']).describe('what is counted as a cause'),
  }),
  rows: z
    .array(
      z.strictObject({
        strategy,
        formulas: amounts.measure.describe('tried, on average'),
        tests: spread.describe('slowdowns met: #Test of the paper'),
        causes: spread.describe('of how many causes: #Commit of the paper'),
        refuted: amounts.measure.describe('that did not hold when they were measured again, on average'),
        luck: amounts.measure
          .optional()
          .describe('how likely the first strategy would find so many more causes by luck, from 0 to 1'),
      }),
    )
    .describe('one for each strategy, over its campaigns'),
  counts: z
    .array(
      z.strictObject({
        strategy,
        repeat: amounts.count.describe('which campaign of the strategy, from 1'),
        formulas: amounts.measure,
        tests: amounts.count,
        causes: amounts.count,
        refuted: amounts.count,
        testsAtMs: z.array(amounts.milliseconds).describe('when each slowdown was met, in milliseconds'),
        causesAtMs: z.array(amounts.milliseconds).describe('when each new cause was met, in milliseconds'),
      }),
    )
    .describe('one for each campaign'),
  releases: z
    .strictObject({
      releases: z.array(z.string()).describe('oldest first'),
      findings: z.array(
        z.strictObject({
          text: z.string().describe('the formula'),
          by: z.enum(['effort', 'time']).describe('what levels are: units of effort, or milliseconds'),
          most: level.describe('where a run was ended, in the unit of by'),
          points: z.array(
            z.strictObject({
              release: z.string(),
              outcome: z.string(),
              level: amounts.measure.nullable().describe('in the unit of by; null where it says nothing'),
            }),
          ),
          steps: z.array(releaseStep).describe('where it became slower or quicker'),
        }),
      ),
    })
    .optional()
    .describe('with --releases'),
  published: z
    .array(
      z.strictObject({
        strategy,
        solver: z.string(),
        tests: spread.describe('#Test'),
        commits: spread.describe('#Commit'),
      }),
    )
    .describe('Table 2 of the paper: 12 hours, five campaigns, slower by 10 s of 20 s'),
});

const measures = {
  complexity: amounts.measure.describe('CyCC'),
  lines: amounts.measure.describe('CLoC: executable lines that changed'),
  ownMs: amounts.milliseconds.describe('what measuring it took besides the compiler, in milliseconds'),
};

const nothing = z.strictObject({ why: z.string().describe('where there is nothing to measure') });
const measured = z.union([z.strictObject({ ...measures, date }), nothing]);

export const studyComplexity = z.strictObject({
  figures: z
    .array(
      z.strictObject({
        says: z.string(),
        own: z.string().describe('what was measured now'),
        published: z.string().describe('what the thesis has'),
      }),
    )
    .describe('figures of the thesis, as they are printed'),
  errors: z.array(
    z.strictObject({
      subject: z.string().describe('the project'),
      error: z.strictObject({
        introducing: commitId,
        fixing: commitId,
        report: z.string(),
        isInteraction: z.boolean().optional().describe('where the list says so'),
      }),
      introducing: measured.describe('the commit that brought it'),
      fixing: measured.describe('the commit that fixed it'),
      days: amounts.measure
        .optional()
        .describe('how long it lived, in days; absent where a commit is not there'),
    }),
  ),
  seeded: z.array(
    z.strictObject({
      subject: z.string(),
      version: z.string(),
      fixing: z.union([z.strictObject(measures), nothing]),
    }),
  ),
  recent: z
    .array(z.strictObject({ subject: z.string(), id: commitId, ...measures, date }))
    .describe('the most recent commits that change code'),
});

export const studySeeds = z.strictObject({
  cases: amounts.count.describe('how many are counted'),
  gone: amounts.count.describe('how many more do not show any more'),
  shares: z
    .record(z.string(), amounts.share)
    .describe('the share of cases in each class of culprit confirm, from 0 to 1'),
  published: z
    .array(
      z.strictObject({
        solver: z.string(),
        none: amounts.share.describe('the share of cases that none of 30 seeds shows, from 0 to 1'),
        some: amounts.share.describe('the share of cases that one of them shows at least, from 0 to 1'),
        every: amounts.share.describe('the share of cases that each of them shows, from 0 to 1'),
      }),
    )
    .describe('as the paper has it, as far as it gives the figure (Fig. 4)'),
});

export const studyNoise = z.strictObject({
  versions: z.array(stability),
  published: z.array(published).describe('as the paper has it'),
});

const strategies = ['batch', 'sprfinder', 'git-bisect'] as const;

const intentions = z
  .strictObject({
    name: z.string(),
    intentions: z.record(z.enum(meanings), amounts.count).describe('how many commits were meant to do what'),
    compromise: amounts.count.describe('how many were done knowingly'),
    bug: amounts.count.describe('how many nobody meant'),
  })
  .meta({ id: 'intentions', title: 'what commits were meant to do' });

export const studyLocalization = z.strictObject({
  histories: z.array(
    z.strictObject({
      name: z.string(),
      commits: amounts.count.describe('how many there are'),
      cases: amounts.count.describe('how many there are'),
      by,
      cost: z
        .strictObject({
          buildMs: amounts.milliseconds.describe('what a build costs, in milliseconds'),
          runFactor: amounts.measure.describe('cost of a run, as a multiple of its time'),
        })
        .describe('what things are taken to cost'),
      notes: z.array(z.string()).describe('what is not as it seems'),
      replays: z
        .array(
          z.strictObject({
            strategy: z.enum(strategies),
            builds: amounts.count,
            runs: amounts.measure,
            endMs: amounts.measure.describe('when nothing was left to do, in milliseconds'),
            locatedMs: z
              .array(amounts.measure.describe('milliseconds'))
              .describe(
                'when all was known about a case, for each that a commit is named for, in milliseconds',
              ),
            steps: z
              .array(
                z.strictObject({
                  case: amounts.ordinal.describe('its number, from 0'),
                  before: amounts.ordinal.describe('the number of a commit, from 0'),
                  at: amounts.ordinal.describe('the number of a commit, from 0'),
                  direction,
                  from: level,
                  to: level,
                }),
              )
              .describe('what it names'),
          }),
        )
        .describe('what each way of bisecting would build, run and find (Fig. 6)'),
      classes: z
        .array(
          z.strictObject({
            class: z.string().describe('what course a case takes'),
            cases: amounts.count,
            dominating: amounts.count.describe('commits that dominate their slowdowns'),
            found: z
              .record(z.enum(strategies), amounts.count)
              .describe('how many of them each strategy names'),
          }),
        )
        .describe('courses of the cases (Fig. 5)'),
      exposed: z
        .record(z.string(), amounts.count)
        .describe('by a number of commits, how many cases expose so many (Fig. 7)'),
      beforeAfter: z
        .strictObject({
          commits: amounts.count,
          before: level,
          after: level,
          overCases: z
            .strictObject({ cases: amounts.count, before: level, after: level })
            .describe('the same over all cases, each at every commit that made it slow, as in the paper'),
        })
        .describe('before and after a commit: averages over commits of those over their cases (Table 3)'),
      intentions: intentions.optional().describe('of a finished bisection (Table 4)'),
    }),
  ),
  published: z
    .strictObject({
      beforeAfter: z.array(
        z.strictObject({
          name: z.string(),
          commits: amounts.count.optional().describe('absent of the average of the three solvers'),
          beforeMs: amounts.milliseconds,
          afterMs: amounts.milliseconds,
        }),
      ),
      intentions: z.array(intentions),
    })
    .describe('as the paper has it'),
});

export const studyTriage = z.strictObject({
  told: z.array(
    z.strictObject({
      commit: commitId,
      subject: z.string(),
      half: z.enum(['first', 'second']).optional().describe('of the labels, where they have halves'),
      label: z.enum(meanings).describe('what somebody who read the diff says'),
      told: z.enum(meanings).describe('what the rules say'),
      because: z.array(z.string()).describe('the evidence that counted'),
    }),
  ),
  agreements: z
    .array(
      z.strictObject({
        of: z.enum(['all', 'first half', 'second half']),
        commits: amounts.count.describe('how many there are'),
        right: amounts.count.describe('how many the rules and the labels agree on'),
        commonest: amounts.count.describe('how many would be right if all were of the commonest category'),
        confusion: z
          .record(z.enum(meanings), z.record(z.enum(meanings), amounts.count))
          .describe('by label, then by what was told'),
      }),
    )
    .describe('over all commits, and over each half where labels have halves'),
});

const witnessStrategy = z.enum(witnessStrategyNames).describe('where witnesses come from');

const rankingQuality = {
  bugs: amounts.measure,
  top: z.array(amounts.measure).describe('bugs whose file is among the first 1, 5, 10, 20'),
  meanFirst: amounts.measure.describe('MFR'),
  meanAverage: amounts.measure.describe('MAR'),
};

export const studyLocate = z.strictObject({
  ways: z.array(
    z.strictObject({
      name: z.string().describe('as the paper calls it'),
      strategy: witnessStrategy,
      weight: amounts.measure.optional().describe('of coverage beside history; none for culprit’s own score'),
      ...rankingQuality,
    }),
  ),
  parts: z
    .array(z.strictObject({ name: z.string(), ...rankingQuality }))
    .describe('culprit’s own score, and what is left of it without one of its parts or in another form'),
  choices: z
    .array(
      z.strictObject({
        name: z.string().describe('which bugs were judged, and by which others the choice was made'),
        chosen: z.array(z.string()).describe('those of the parts that were chosen'),
        ...rankingQuality,
      }),
    )
    .describe('what comes of choosing among the parts by other bugs than it is judged by'),
  bugs: z.array(
    z.strictObject({
      id: z.string(),
      strategy: witnessStrategy,
      why: z.string().optional().describe('why nothing came of it'),
      failure: z.string().optional(),
      witnesses: amounts.measure,
      tried: amounts.measure,
      similarities: z.array(amounts.measure).describe('of each witness to the formula that fails (Eq. 7)'),
      files: amounts.measure.describe('how many were ranked'),
      ranks: z
        .array(z.array(amounts.measure))
        .describe('of the files that were mended, for weights from 0 to 1 in tenths'),
      own: z
        .array(z.strictObject({ name: z.string(), ranks: z.array(amounts.measure) }))
        .describe('the same by culprit’s own score, and by what is left of it without one of its parts'),
    }),
  ),
});

export const studyExplain = z.strictObject({
  subjects: z.array(
    z.strictObject({
      name: z.string(),
      strategy: z.enum(strategyNames),
      why: z.string().optional().describe('why nothing came of it'),
      changes: amounts.count.describe('changes between the versions'),
      reported: amounts.count.describe('changes that are blamed'),
      auxiliary: amounts.count.describe('changes that must go with them so that it compiles'),
      match: z
        .enum(['matched', 'partial', 'missed'])
        .describe('what was mended is among them, it was mended elsewhere, or they are no repair'),
      tests: amounts.count,
      builds: amounts.count,
      causes: amounts.count.describe('what was found to force the failure, one by one'),
      solverMs: amounts.milliseconds.describe('milliseconds that the solver took for them'),
      ms: amounts.milliseconds,
    }),
  ),
  strategies: z.array(
    z.strictObject({
      strategy: z.string(),
      subjects: amounts.count,
      matched: amounts.count,
      partial: amounts.count,
      missed: amounts.count,
      reported: amounts.measure.describe('on average'),
      tests: amounts.measure.describe('on average'),
      builds: amounts.measure.describe('on average'),
      ms: amounts.measure.describe('on average, in milliseconds'),
    }),
  ),
});
