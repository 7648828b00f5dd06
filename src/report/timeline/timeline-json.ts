/** A formula over versions, as a line of `culprit timeline --json`. */

import { z } from 'zod';
import type { Timeline } from '../../history/index.js';
import { amounts, Fault, parsedJson, readJsonLines, readJsonText, usageFault } from '../../machine/index.js';

const pointSchema = z.object({
  version: z.string().describe('as it was named, or a commit'),
  outcome: z.string().optional().describe('of the last run'),
  ms: amounts.milliseconds.optional().describe('processor time of the last run, in milliseconds'),
  effort: amounts.effort.optional(),
  kind: z.enum(['measured', 'silent']),
  samples: z
    .array(amounts.measure)
    .optional()
    .describe('of what was measured: milliseconds, or units of effort where by is effort'),
  why: z.string().optional().describe('of what says nothing'),
});

const sideSchema = z.object({
  point: amounts.ordinal.describe('its place among the points, from 0'),
  version: z.string(),
  level: amounts.measure.describe('the median: milliseconds, or units of effort where by is effort'),
});

export const timelineSchema = z.object({
  formula: z.string().describe('its file, as it was named'),
  by: z.enum(['time', 'effort']).describe('what was compared'),
  slowdowns: amounts.count
    .optional()
    .describe('how many times it became slow; absent where too little could be measured to tell'),
  points: z.array(pointSchema).describe('oldest first'),
  changes: z.array(
    z.object({
      from: sideSchema.describe('the version before'),
      to: sideSchema.describe('the version after'),
      direction: z.enum(['slower', 'quicker']),
      confidence: amounts.share.describe('how sure it is that both sides differ, from 0 to 1'),
      samples: z
        .tuple([amounts.count, amounts.count])
        .describe('how many measurements there are on each side'),
    }),
  ),
});

export type TimelineResult = z.infer<typeof timelineSchema>;

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

/** Whether a file is one of `culprit timeline --json`, by its first line. */
export function holdsTimelines(path: string): boolean {
  const text = readJsonText(path);
  if (text instanceof Fault) return false;
  const [first = ''] = text.trimStart().split('\n', 1);
  const value = parsedJson(first);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'points');
}

/** What `culprit timeline --json` printed into a file. */
export function readTimelines(
  path: string,
  note?: (sentence: string) => void,
): { readonly by: TimelineResult['by']; readonly timelines: readonly NamedTimeline[] } | Fault {
  const results = readJsonLines(path, timelineSchema, 'culprit timeline --json', note);
  if (results instanceof Fault) return results;
  const by = new Set(results.map((result) => result.by));
  const [only] = by;
  if (only === undefined || by.size > 1) return usageFault(`${path} holds timelines by time and by effort`);
  return { by: only, timelines: results.map(asTimeline) };
}

function asTimeline({ formula: name, points, changes, slowdowns }: TimelineResult): NamedTimeline {
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
