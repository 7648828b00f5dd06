/** Reads a recorded history: the levels of some cases over a line of commits. */

import { z } from 'zod';
import type { CommitHistory } from '../../history/index.js';
import { amounts, Fault, usageFault } from '../../machine/index.js';
import { readJson } from '../read-json.js';

const mostCommits = 100_000;
const mostPlaces = 20_000_000;

const schema = z.object({
  name: z.string().min(1),
  commits: z.number().int().min(2).max(mostCommits),
  /** Commits that do not build. */
  broken: z.array(z.number().int().nonnegative()).default([]),
  /** Milliseconds of a case from each of these commits on; null if a run gives no measurement. */
  cases: z.array(z.record(z.string().regex(/^\d{1,6}$/), amounts.milliseconds.nullable())).min(1),
});

export interface NamedHistory extends CommitHistory {
  readonly name: string;
}

const mostBytes = 64 << 20;

export function readHistory(path: string): NamedHistory | Fault {
  const history = readJson(path, schema, mostBytes);
  if (history instanceof Fault) return history;
  const { name, commits, broken, cases } = history;
  if (commits * cases.length > mostPlaces)
    return usageFault(
      `${path}: ${cases.length} cases over ${commits} commits are more than ${mostPlaces} levels`,
    );
  return {
    name,
    commits,
    broken: new Set(broken),
    timelines: cases.map((changes) => {
      let level: number | undefined;
      return Array.from({ length: commits }, (_, at) => {
        const change = Object.hasOwn(changes, at) ? changes[at] : undefined;
        if (change !== undefined) level = change ?? undefined;
        return level;
      });
    }),
  };
}
