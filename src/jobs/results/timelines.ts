import { Fault, parsedJson, readJsonLines, readJsonText, usageFault } from '../../machine/index.js';
import { type NamedTimeline, type TimelineMeasure, timelineOf, timelineSchema } from '../../report/index.js';

/** Whether a file is output of `culprit timeline --json`, by its first line. */
export function holdsTimelines(path: string): boolean {
  const text = readJsonText(path);
  if (text instanceof Fault) return false;
  const [first = ''] = text.trimStart().split('\n', 1);
  const value = parsedJson(first);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'points');
}

/** Reads the output of `culprit timeline --json`. */
export function readTimelines(
  path: string,
  note?: (sentence: string) => void,
): { readonly by: TimelineMeasure; readonly timelines: readonly NamedTimeline[] } | Fault {
  const results = readJsonLines(path, timelineSchema, 'culprit timeline --json', note);
  if (results instanceof Fault) return results;
  const measures = new Set(results.map((result) => result.by));
  const [by] = measures;
  if (by === undefined || measures.size > 1)
    return usageFault(`${path} holds timelines by time and by effort`);
  return { by, timelines: results.map(timelineOf) };
}
