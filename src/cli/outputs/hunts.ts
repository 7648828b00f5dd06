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
    id: amounts.ordinal.describe('the number of its slowdown, which names its file: cases/s0001.smt2'),
    foundAtMs: amounts.milliseconds.describe('when the search met it, in milliseconds from the beginning'),
    atMs: amounts.milliseconds.describe('when it was confirmed, in milliseconds from the beginning'),
    text: z.string().describe('the formula, shrunk'),
    original: z.string().optional().describe('what it was shrunk from'),
    isMinimal: z.boolean().describe('no single step makes it smaller'),
    madeBy: z.string().describe('what made it, such as the operator put in last'),
    kind: kindSchema,
    work: z
      .record(z.string(), amounts.measure)
      .optional()
      .describe('what the newest version was busy with when its time was over, by its own counters'),
    grown: z
      .array(grownSchema)
      .optional()
      .describe(
        'the functions the newest version calls more often than the quickest other, most first; absent where one does not count',
      ),
    versions: z
      .array(
        z.strictObject({
          version: z.string(),
          outcome: z.string(),
          medianMs: amounts.milliseconds.describe('the median of processor time, in milliseconds'),
          effort: amounts.effort.optional(),
          runs: amounts.count.describe('how many there were'),
        }),
      )
      .describe('oldest first'),
    referenceMs: amounts.milliseconds.describe('the quickest of the older versions, in milliseconds'),
    newestMs: amounts.milliseconds.describe('the newest version, in milliseconds'),
    isCut: z.boolean().describe('the newest version did not end in time: the ratio is at least this'),
    ratio: amounts.measure.describe('newestMs over referenceMs'),
    seeds: z
      .strictObject({
        slower: amounts.count.describe('on how many seeds it is slower'),
        tried: amounts.count.describe('of how many'),
        robustness: z.string().describe('the class that follows, as culprit confirm names it'),
      })
      .optional()
      .describe('what culprit confirm found'),
  })
  .meta({ id: 'finding', title: 'a slowdown that held when it was measured again' });

const anomaly = z.strictObject({
  id: amounts.ordinal.describe('its number, which names its file'),
  kind: z.enum(anomalyKinds),
  atMs: amounts.milliseconds.describe('when it was met, in milliseconds from the beginning'),
  text: z.string().describe('the formula'),
  runs,
  claim: wrongModelSchema.optional().describe('of a wrong model: what it says, and whose it is'),
});

const location = z.strictObject({
  oddity: amounts.ordinal.describe('the number of what was met'),
  version: amounts.ordinal.describe('the one that fails, by its place among the versions, from 0'),
  isAssumed: z
    .boolean()
    .describe('of a disagreement: nothing shows who is wrong, and the newest is suspected'),
  references: z
    .array(amounts.ordinal)
    .describe('the versions it is held against, the one to be believed first'),
  on: z.string().optional().describe('the version that was looked into'),
  result: locatedResultSchema.optional().describe('absent where nobody has looked for files'),
  next: z.string().optional().describe('the command that looks for them, where nobody has'),
});

export const hunt = z.strictObject({
  settings: settingsSchema,
  elapsedMs: amounts.milliseconds.describe('how long it has hunted, in milliseconds'),
  tried: amounts.measure.describe('how many formulas were tried'),
  slowdowns: amounts.count.describe('how many of them the newest version was slower on'),
  slowdownsAtMs: z
    .array(amounts.milliseconds)
    .describe('when each of them was met, in milliseconds from the beginning'),
  refuted: amounts.count.describe('slowdowns that did not hold when they were measured again'),
  unconfirmed: amounts.count.describe('slowdowns nobody has looked at again'),
  solvingMs: amounts.milliseconds.describe('what solvers took of the time, all together, in milliseconds'),
  workedShare: amounts.measure
    .optional()
    .describe('how much of the time on the clock solvers got to work; less than 1 on a machine that is busy'),
  groups: z
    .array(
      z.strictObject({
        name: z.string().describe('such as str.indexof with mod'),
        busy: kindSchema.shape.busy,
        findings: z.array(finding).min(1).describe('the smallest formula first'),
        isKnown: z.boolean().describe('an earlier campaign between these versions found it already'),
        slowdowns: amounts.count.describe('how many are blamed on the same, confirmed or not'),
      }),
    )
    .describe('findings by kind'),
  oddities: z.array(anomaly).describe('wrong answers, crashes and the like: those that say the most first'),
  locations: z.array(location).describe('of the worst of them, the files to look at'),
  curve: z
    .array(
      z.strictObject({
        atMs: amounts.milliseconds,
        slowdowns: amounts.count,
        findings: amounts.count,
        groups: amounts.count,
      }),
    )
    .describe('how much was found by when'),
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
        tried: amounts.measure.describe('how many formulas were tried by then'),
        beliefs: z
          .array(
            z.strictObject({
              action: z.string(),
              mean: amounts.measure.describe('the expected share of successes'),
              tries: amounts.measure.describe('how much stands behind it'),
            }),
          )
          .describe('the best first'),
        parameters: z.record(z.string(), amounts.measure).describe('of the generator, where it moves them'),
      }),
    )
    .describe('what the strategy had learnt by when'),
});

export const huntReplay = z.strictObject({
  atMs: amounts.milliseconds.describe('when it had been measured, in milliseconds from the beginning'),
  lane: amounts.ordinal.describe('the worker that tried it, from 0'),
  origin: z.enum(origins).describe('where the formula came from'),
  measuring: z.enum(measurings).describe('how far versions were run'),
  text: z.string().describe('the formula'),
  runs,
});
