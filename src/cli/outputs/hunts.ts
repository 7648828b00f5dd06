/** Campaigns: `hunt`, `hunt --replay`. */

import { z } from 'zod';
import {
  anomalyKinds,
  grownSchema,
  kindSchema,
  locatedResultSchema,
  measurings,
  origins,
  settingsSchema,
  wrongModelSchema,
} from '../../hunt/index.js';
import { amounts } from '../../machine/index.js';
import { runSchema } from '../../solver/index.js';

const runs = z
  .array(runSchema.nullable())
  .describe('by version, the newest last; null where a version was not run');

const finding = z
  .strictObject({
    id: amounts.ordinal.describe('number of its slowdown, as in the file name cases/s0001.smt2'),
    foundAtMs: amounts.milliseconds.describe(
      'time at which the search found it, in milliseconds from the beginning',
    ),
    atMs: amounts.milliseconds.describe('time of its confirmation, in milliseconds from the beginning'),
    text: z.string().describe('reduced formula'),
    original: z.string().optional().describe('formula before reduction'),
    isMinimal: z.boolean().describe('no single step makes it smaller'),
    madeBy: z.string().describe('origin, such as the operator inserted last'),
    kind: kindSchema,
    work: z
      .record(z.string(), amounts.measure)
      .optional()
      .describe('counters of the newest version’s activity at its time limit'),
    grown: z
      .array(grownSchema)
      .optional()
      .describe(
        'functions that the newest version calls more often than the quickest other, the largest increase first; absent if one of them does not count calls',
      ),
    versions: z
      .array(
        z.strictObject({
          version: z.string(),
          outcome: z.string(),
          medianMs: amounts.milliseconds.describe('the median of processor time, in milliseconds'),
          effort: amounts.effort.optional(),
          runs: amounts.count.describe('number of runs'),
        }),
      )
      .describe('oldest first'),
    referenceMs: amounts.milliseconds.describe('time of the quickest older version, in milliseconds'),
    newestMs: amounts.milliseconds.describe('time of the newest version, in milliseconds'),
    isCut: z
      .boolean()
      .describe('true if the newest version reached its time limit, so that the ratio is a lower bound'),
    ratio: amounts.measure.describe('newestMs over referenceMs'),
    seeds: z
      .strictObject({
        slower: amounts.count.describe('seeds on which it is slower'),
        tried: amounts.count.describe('seeds that were run'),
        robustness: z.string().describe('class, as in culprit confirm'),
      })
      .optional()
      .describe('result of culprit confirm'),
  })
  .meta({ id: 'finding', title: 'a slowdown confirmed by a second measurement' });

const anomaly = z.strictObject({
  id: amounts.ordinal.describe('its number, which names its file'),
  kind: z.enum(anomalyKinds),
  atMs: amounts.milliseconds.describe('time at which it was found, in milliseconds from the beginning'),
  text: z.string().describe('the formula'),
  runs,
  claim: wrongModelSchema.optional().describe('details of a wrong model, and its version'),
});

const location = z.strictObject({
  oddity: amounts.ordinal.describe('number of the anomaly'),
  version: amounts.ordinal.describe('failing version, as an index into versions, from 0'),
  isAssumed: z
    .boolean()
    .describe('true for a disagreement without proof of the wrong version; the newest is suspected'),
  references: z.array(amounts.ordinal).describe('versions it is compared with, the most trusted first'),
  on: z.string().optional().describe('examined version'),
  result: locatedResultSchema.optional().describe('absent before files were located'),
  next: z.string().optional().describe('command to locate files, if they were not located yet'),
});

export const hunt = z.strictObject({
  settings: settingsSchema,
  elapsedMs: amounts.milliseconds.describe('duration of the hunt, in milliseconds'),
  tried: amounts.measure.describe('formulas tried'),
  slowdowns: amounts.count.describe('formulas on which the newest version was slower'),
  slowdownsAtMs: z
    .array(amounts.milliseconds)
    .describe('times at which slowdowns were found, in milliseconds from the beginning'),
  refuted: amounts.count.describe('slowdowns that a second measurement refuted'),
  unconfirmed: amounts.count.describe('unconfirmed slowdowns'),
  solvingMs: amounts.milliseconds.describe('total time of solvers, in milliseconds'),
  workedShare: amounts.measure
    .optional()
    .describe('share of wall-clock time in which solvers ran; less than 1 on a busy machine'),
  groups: z
    .array(
      z.strictObject({
        name: z.string().describe('such as str.indexof with mod'),
        busy: kindSchema.shape.busy,
        findings: z.array(finding).min(1).describe('the smallest formula first'),
        isKnown: z.boolean().describe('true if an earlier campaign between these versions found it'),
        slowdowns: amounts.count.describe('findings with the same cause, confirmed or not'),
      }),
    )
    .describe('findings by kind'),
  oddities: z
    .array(anomaly)
    .describe('anomalies such as wrong answers and crashes, the most significant first'),
  locations: z.array(location).describe('suspected files of the most significant anomalies'),
  curve: z
    .array(
      z.strictObject({
        atMs: amounts.milliseconds,
        slowdowns: amounts.count,
        findings: amounts.count,
        groups: amounts.count,
      }),
    )
    .describe('number of findings over time'),
  scatter: z
    .array(
      z.strictObject({
        referenceMs: amounts.milliseconds,
        newestMs: amounts.milliseconds,
        isSlowdown: z.boolean(),
      }),
    )
    .describe('times of formulas that ran on the newest and on another version'),
  views: z
    .array(
      z.strictObject({
        atMs: amounts.milliseconds,
        tried: amounts.measure.describe('formulas tried by then'),
        beliefs: z
          .array(
            z.strictObject({
              action: z.string(),
              mean: amounts.measure.describe('the expected share of successes'),
              tries: amounts.measure.describe('amount of evidence for it'),
            }),
          )
          .describe('the best first'),
        parameters: z
          .record(z.string(), amounts.measure)
          .describe('parameters of the generator, if the strategy adapts them'),
      }),
    )
    .describe('learned state of the strategy over time'),
});

export const huntReplay = z.strictObject({
  atMs: amounts.milliseconds.describe(
    'time at which its measurement ended, in milliseconds from the beginning',
  ),
  lane: amounts.ordinal.describe('the worker that tried it, from 0'),
  origin: z.enum(origins).describe('origin of the formula'),
  measuring: z.enum(measurings).describe('extent to which versions were run'),
  text: z.string().describe('the formula'),
  runs,
});
