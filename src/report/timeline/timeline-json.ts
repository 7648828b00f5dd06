/** A timeline of one formula, as a line of `culprit timeline --json`. */

import { z } from 'zod';
import type { Timeline } from '../../history/index.js';
import { amounts, usageFault } from '../../machine/index.js';

const pointSchema = z.object({
  version: z.string().describe('name of the version, or a commit'),
  outcome: z.string().optional().describe('of the last run'),
  ms: amounts.milliseconds.optional().describe('processor time of the last run, in milliseconds'),
  effort: amounts.effort.optional(),
  kind: z.enum(['measured', 'silent']),
  samples: z
    .array(amounts.measure)
    .optional()
    .describe('measurements: milliseconds, or units of effort if by is effort'),
  why: z.string().optional().describe('reason for a missing measurement'),
});

const sideSchema = z.object({
  point: amounts.ordinal.describe('its index in points, from 0'),
  version: z.string(),
  level: amounts.measure.describe('the median: milliseconds, or units of effort if by is effort'),
});

export const timelineSchema = z.object({
  formula: z.string().describe('path of the formula, as given'),
  by: z.enum(['time', 'effort']).describe('the compared measure'),
  slowdowns: amounts.count
    .optional()
    .describe('number of slowdowns; absent if fewer than two versions were measured'),
  points: z.array(pointSchema).describe('oldest first'),
  changes: z.array(
    z.object({
      from: sideSchema.describe('the version before'),
      to: sideSchema.describe('the version after'),
      direction: z.enum(['slower', 'quicker']),
      confidence: amounts.share.describe('confidence that both sides differ, from 0 to 1'),
      samples: z.tuple([amounts.count, amounts.count]).describe('number of measurements on each side'),
    }),
  ),
});

type TimelineResult = z.infer<typeof timelineSchema>;

export interface NamedTimeline {
  readonly name: string;
  readonly line: Timeline;
}

export function timelineJson(
  { name, line: { points, changes, slowdowns } }: NamedTimeline,
  by: TimelineResult['by'],
): TimelineResult {
  const versionAt = (point: number): string => points[point]?.name ?? '';
  return {
    formula: name,
    by,
    slowdowns,
    points: points.map(({ name: version, observation, outcome, ms, effort }) => ({
      ...{ version, outcome, ms, effort },
      ...(observation.kind === 'unmeasured'
        ? { kind: 'silent' as const, why: observation.fault.message }
        : { kind: 'measured' as const, samples: [...observation.samples] }),
    })),
    changes: changes.map(({ before, at, from, to, direction, confidence, samples: [few, many] }) => ({
      from: { point: before, version: versionAt(before), level: from },
      to: { point: at, version: versionAt(at), level: to },
      direction,
      confidence,
      samples: [few, many],
    })),
  };
}

/** The timeline of a line of `culprit timeline --json`. */
export function timelineOf({ formula: name, points, changes, slowdowns }: TimelineResult): NamedTimeline {
  return {
    name,
    line: {
      slowdowns,
      points: points.map(({ version, kind, samples = [], why = '', ...rest }) => ({
        name: version,
        ...rest,
        observation: kind === 'measured' ? { kind, samples } : { kind: 'unmeasured', fault: usageFault(why) },
      })),
      changes: changes.map(({ from, to, ...rest }) => ({
        ...rest,
        before: from.point,
        at: to.point,
        from: from.level,
        to: to.level,
      })),
    },
  };
}
