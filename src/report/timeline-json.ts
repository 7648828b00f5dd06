/** A case over versions, as a line of `culprit timeline --json`. */

import { z } from 'zod';
import type { Timeline } from '../history/index.js';
import { amounts, Fault, usageFault } from '../machine/index.js';
import { readJsonLines, readJsonText } from './json-lines.js';

const pointSchema = z.object({
  version: z.string(),
  outcome: z.string().optional(),
  ms: amounts.milliseconds.optional(),
  effort: amounts.measure.optional(),
  kind: z.enum(['measured', 'silent']),
  /** Of what was measured: in milliseconds, or by the solver's own count. */
  samples: z.array(amounts.measure).optional(),
  /** Of what says nothing. */
  why: z.string().optional(),
});

export const timelineSchema = z.object({
  case: z.string(),
  by: z.enum(['time', 'effort']),
  /** How many times it became slow; absent where too little could be measured to tell. */
  slowdowns: amounts.count.optional(),
  /** Oldest first. */
  points: z.array(pointSchema),
  changes: z.array(
    z.object({
      /** The versions before and after, by their places among the points and by name. */
      from: z.object({ point: amounts.ordinal, version: z.string(), level: amounts.measure }),
      to: z.object({ point: amounts.ordinal, version: z.string(), level: amounts.measure }),
      direction: z.enum(['slower', 'quicker']),
      confidence: amounts.share,
      samples: z.tuple([amounts.count, amounts.count]),
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
    case: name,
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

/** Whether a file is one of `culprit timeline --json`, by what it begins with. */
export function holdsTimelines(path: string): boolean {
  const text = readJsonText(path);
  return !(text instanceof Fault) && text.trimStart().startsWith('{"case":');
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

function asTimeline({ case: name, points, changes, slowdowns }: TimelineResult): NamedTimeline {
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
