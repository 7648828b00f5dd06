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
  before: z.string().describe('last measured release before it'),
  release: z.string(),
  direction,
  from: level,
  to: level,
});

const figures = <Value extends z.ZodType>(value: Value) => ({
  totalLines: value.describe('lines, or functions, that any formula of a campaign executed'),
  averageLines: value.describe('mean lines, or functions, per formula of the final population'),
  averageTimeScore: value.describe('mean of the time that the variant maximizes, in seconds'),
  timeouts: value.describe('formulas of the final population without an answer of the target in a long run'),
  averageComplexity: value.describe('mean of Eq. 2'),
});

export const studyMultiObjective = z.strictObject({
  settings: z.strictObject({
    ...{ culprit, versions, forMs, workers },
    population: amounts.count.describe('number of formulas in a population'),
    repeats: amounts.count.describe('campaigns of each variant'),
    longMs: amounts.milliseconds
      .optional()
      .describe('time limit of long runs, in milliseconds; absent before the first long run'),
    timeoutMs: amounts.milliseconds.describe('time limit per formula during the hunt, in milliseconds'),
  }),
  counts: z.enum(['lines', 'functions']).describe('unit of the target’s coverage'),
  rows: z
    .array(
      z.strictObject({
        variant: strategy,
        campaigns: amounts.count,
        figures: z
          .strictObject(figures(z.array(amounts.measure)))
          .describe('columns of Table I, a number for each campaign with a value'),
        luck: z
          .strictObject(figures(amounts.measure))
          .optional()
          .describe('p-value of the difference to mulstringfuzz, from 0 to 1'),
      }),
    )
    .describe('a row for each variant'),
  campaigns: z.array(
    z.strictObject({
      variant: strategy,
      repeat: amounts.count.describe('number of the campaign of the variant, from 1'),
      formulas: amounts.measure.describe('formulas tried'),
      generations: amounts.measure,
      totalLines: amounts.measure,
      members: z
        .array(
          z.strictObject({
            text: z.string().describe('the formula'),
            timeScoreMs: amounts.milliseconds,
            lines: amounts.measure,
            complexity: amounts.measure,
            longOutcome: z.string().optional().describe('outcome on the target in a long run'),
            longMs: amounts.milliseconds.optional(),
          }),
        )
        .describe('final population'),
      convergence: z
        .array(
          z.strictObject({
            generation: amounts.measure,
            atMs: amounts.milliseconds,
            meanMs: amounts.milliseconds,
          }),
        )
        .describe('mean time score of the population after each generation'),
    }),
  ),
  sizes: z
    .array(
      z.strictObject({
        population: amounts.count.describe('formulas in the population'),
        campaigns: amounts.count,
        convergedMs: z
          .array(amounts.milliseconds)
          .describe(
            'times at which the mean time score converged to within 5 % of its final value, in milliseconds',
          ),
        timeouts: z.array(amounts.count).describe('timeouts, as in rows'),
      }),
    )
    .describe('with --populations: mulstringfuzz with each size, a number for each campaign (Fig. 6)'),
  published: z.array(z.strictObject({ variant: strategy, ...figures(amounts.measure) })).describe('Table I'),
});

export const studyDetection = z.strictObject({
  settings: z.strictObject({
    ...{ culprit, versions, forMs, workers, slowness },
    repeats: amounts.count.describe('campaigns of each strategy'),
    causes: z.enum(['kinds', 'commits', 'releases']).describe('measure that counts as a cause'),
  }),
  rows: z
    .array(
      z.strictObject({
        strategy,
        formulas: amounts.measure.describe('mean number of formulas tried'),
        tests: spread.describe('slowdowns found: #Test of the paper'),
        causes: spread.describe('causes: #Commit of the paper'),
        refuted: amounts.measure.describe('mean number of slowdowns that a second measurement refuted'),
        luck: amounts.measure
          .optional()
          .describe('p-value of the first strategy finding more causes, from 0 to 1'),
      }),
    )
    .describe('a row for each strategy, over its campaigns'),
  counts: z
    .array(
      z.strictObject({
        strategy,
        repeat: amounts.count.describe('number of the campaign of the strategy, from 1'),
        formulas: amounts.measure,
        tests: amounts.count,
        causes: amounts.count,
        refuted: amounts.count,
        testsAtMs: z
          .array(amounts.milliseconds)
          .describe('times at which slowdowns were found, in milliseconds'),
        causesAtMs: z
          .array(amounts.milliseconds)
          .describe('times at which new causes were found, in milliseconds'),
      }),
    )
    .describe('an item for each campaign'),
  releases: z
    .strictObject({
      releases: z.array(z.string()).describe('oldest first'),
      findings: z.array(
        z.strictObject({
          text: z.string().describe('the formula'),
          by: z.enum(['effort', 'time']).describe('unit of levels: units of effort, or milliseconds'),
          most: level.describe('limit of a run, in the unit of by'),
          points: z.array(
            z.strictObject({
              release: z.string(),
              outcome: z.string(),
              level: amounts.measure
                .nullable()
                .describe('level in the unit of by; null without a measurement'),
            }),
          ),
          steps: z.array(releaseStep).describe('releases at which the formula became slower or quicker'),
        }),
      ),
    })
    .optional()
    .describe('findings by release, with --releases'),
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
  ownMs: amounts.milliseconds.describe('time to measure it without the compiler, in milliseconds'),
};

const nothing = z.strictObject({ why: z.string().describe('reason if there is nothing to measure') });
const measured = z.union([z.strictObject({ ...measures, date }), nothing]);

export const studyComplexity = z.strictObject({
  figures: z
    .array(
      z.strictObject({
        says: z.string(),
        own: z.string().describe('result of this study'),
        published: z.string().describe('result in the thesis'),
      }),
    )
    .describe('figures of the thesis, as printed'),
  errors: z.array(
    z.strictObject({
      subject: z.string().describe('the project'),
      error: z.strictObject({
        introducing: commitId,
        fixing: commitId,
        report: z.string(),
        isInteraction: z
          .boolean()
          .optional()
          .describe('true for a change interaction error; absent if the list does not state it'),
      }),
      introducing: measured.describe('commit that introduced the error'),
      fixing: measured.describe('commit that fixed the error'),
      days: amounts.measure.optional().describe('life span in days; absent if a commit is missing'),
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
  cases: amounts.count.describe('counted cases'),
  gone: amounts.count.describe('further cases that are not slower any more'),
  shares: z
    .record(z.string(), amounts.share)
    .describe('share of cases in each class of culprit confirm, from 0 to 1'),
  published: z
    .array(
      z.strictObject({
        solver: z.string(),
        none: amounts.share.describe('share of cases that no seed of 30 shows, from 0 to 1'),
        some: amounts.share.describe('share of cases that at least one seed shows, from 0 to 1'),
        every: amounts.share.describe('share of cases that every seed shows, from 0 to 1'),
      }),
    )
    .describe('published figures, if the paper states them (Fig. 4)'),
});

export const studyNoise = z.strictObject({
  versions: z.array(stability),
  published: z.array(published).describe('published figures'),
});

const strategies = ['batch', 'sprfinder', 'git-bisect'] as const;

const intentions = z
  .strictObject({
    name: z.string(),
    intentions: z.record(z.enum(meanings), amounts.count).describe('number of commits per intention'),
    compromise: amounts.count.describe('commits that accepted a slowdown'),
    bug: amounts.count.describe('commits with an unintended slowdown'),
  })
  .meta({ id: 'intentions', title: 'intentions of commits' });

export const studyLocalization = z.strictObject({
  histories: z.array(
    z.strictObject({
      name: z.string(),
      commits: amounts.count.describe('commits in the history'),
      cases: amounts.count.describe('cases'),
      by,
      cost: z
        .strictObject({
          buildMs: amounts.milliseconds.describe('cost of a build, in milliseconds'),
          runFactor: amounts.measure.describe('cost of a run, as a multiple of its time'),
        })
        .describe('assumed costs'),
      notes: z.array(z.string()).describe('caveats'),
      replays: z
        .array(
          z.strictObject({
            strategy: z.enum(strategies),
            builds: amounts.count,
            runs: amounts.measure,
            endMs: amounts.measure.describe('end of the bisection, in milliseconds'),
            locatedMs: z
              .array(amounts.measure.describe('milliseconds'))
              .describe('times at which cases with a culprit were finished, in milliseconds'),
            steps: z
              .array(
                z.strictObject({
                  case: amounts.ordinal.describe('number of the case, from 0'),
                  before: amounts.ordinal.describe('number of the commit, from 0'),
                  at: amounts.ordinal.describe('number of the commit, from 0'),
                  direction,
                  from: level,
                  to: level,
                }),
              )
              .describe('steps that the strategy names'),
          }),
        )
        .describe('replay of each bisection strategy: builds, runs and results (Fig. 6)'),
      classes: z
        .array(
          z.strictObject({
            class: z.string().describe('class of timelines'),
            cases: amounts.count,
            dominating: amounts.count.describe('commits that dominate their slowdowns'),
            found: z
              .record(z.enum(strategies), amounts.count)
              .describe('dominating commits that each strategy names'),
          }),
        )
        .describe('classes of timelines of the cases (Fig. 5)'),
      exposed: z
        .record(z.string(), amounts.count)
        .describe('number of cases, by the number of commits they expose (Fig. 7)'),
      beforeAfter: z
        .strictObject({
          commits: amounts.count,
          before: level,
          after: level,
          overCases: z
            .strictObject({ cases: amounts.count, before: level, after: level })
            .describe('means over all pairs of a case and a commit that made it slow, as in the paper'),
        })
        .describe('levels before and after a commit: means over commits of means over their cases (Table 3)'),
      intentions: intentions.optional().describe('intentions of commits, for a finished bisection (Table 4)'),
    }),
  ),
  published: z
    .strictObject({
      beforeAfter: z.array(
        z.strictObject({
          name: z.string(),
          commits: amounts.count
            .optional()
            .describe('number of commits; absent in the mean of the three solvers'),
          beforeMs: amounts.milliseconds,
          afterMs: amounts.milliseconds,
        }),
      ),
      intentions: z.array(intentions),
    })
    .describe('published figures'),
});

export const studyTriage = z.strictObject({
  told: z.array(
    z.strictObject({
      commit: commitId,
      subject: z.string(),
      half: z.enum(['first', 'second']).optional().describe('half of the label, if labels have halves'),
      label: z.enum(meanings).describe('label by a person who read the diff'),
      told: z.enum(meanings).describe('verdict of the rules'),
      because: z.array(z.string()).describe('evidence for the verdict'),
    }),
  ),
  agreements: z
    .array(
      z.strictObject({
        of: z.enum(['all', 'first half', 'second half']),
        commits: amounts.count.describe('labelled commits'),
        right: amounts.count.describe('commits on which rules and labels agree'),
        commonest: amounts.count.describe('commits that would be correct if all had the most common label'),
        confusion: z
          .record(z.enum(meanings), z.record(z.enum(meanings), amounts.count))
          .describe('number of commits, by label and then by verdict'),
      }),
    )
    .describe('agreement over all commits, and over each half if labels have halves'),
});

const witnessStrategy = z.enum(witnessStrategyNames).describe('source of witnesses');

const rankingQuality = {
  bugs: amounts.measure,
  top: z.array(amounts.measure).describe('bugs whose file is among the first 1, 5, 10, 20'),
  meanFirst: amounts.measure.describe('MFR'),
  meanAverage: amounts.measure.describe('MAR'),
};

export const studyLocate = z.strictObject({
  ways: z.array(
    z.strictObject({
      name: z.string().describe('name of the variant in the paper'),
      strategy: witnessStrategy,
      weight: amounts.measure
        .optional()
        .describe('weight of coverage against history; absent for culprit’s own score'),
      ...rankingQuality,
    }),
  ),
  parts: z
    .array(z.strictObject({ name: z.string(), ...rankingQuality }))
    .describe('culprit’s own score, and its variants: without a part, or with another formula'),
  choices: z
    .array(
      z.strictObject({
        name: z.string().describe('judged bugs, and the other bugs that determined the choice'),
        chosen: z.array(z.string()).describe('chosen variants'),
        ...rankingQuality,
      }),
    )
    .describe('cross-validation: quality of variants chosen on other bugs than those judged'),
  bugs: z.array(
    z.strictObject({
      id: z.string(),
      strategy: witnessStrategy,
      why: z.string().optional().describe('reason if there is no result'),
      failure: z.string().optional(),
      witnesses: amounts.measure,
      tried: amounts.measure,
      similarities: z
        .array(amounts.measure)
        .describe('similarity of each witness to the failing formula (Eq. 7)'),
      files: amounts.measure.describe('ranked files'),
      ranks: z
        .array(z.array(amounts.measure))
        .describe('ranks of the fixed files, for weights from 0 to 1 in tenths'),
      own: z
        .array(z.strictObject({ name: z.string(), ranks: z.array(amounts.measure) }))
        .describe('ranks of the fixed files by culprit’s own score and its variants'),
    }),
  ),
});

export const studyExplain = z.strictObject({
  subjects: z.array(
    z.strictObject({
      name: z.string(),
      strategy: z.enum(strategyNames),
      why: z.string().optional().describe('reason if there is no result'),
      changes: amounts.count.describe('changes between the versions'),
      reported: amounts.count.describe('blamed changes'),
      auxiliary: amounts.count.describe('changes to revert as well so that it compiles'),
      match: z
        .enum(['matched', 'partial', 'missed'])
        .describe('matched: includes the fixed places; partial: the fix is elsewhere; missed: no repair'),
      tests: amounts.count,
      builds: amounts.count,
      causes: amounts.count.describe('causes that force the failure'),
      solverMs: amounts.milliseconds.describe('solver time for the causes, in milliseconds'),
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
      reported: amounts.measure.describe('mean'),
      tests: amounts.measure.describe('mean'),
      builds: amounts.measure.describe('mean'),
      ms: amounts.measure.describe('mean, in milliseconds'),
    }),
  ),
});
