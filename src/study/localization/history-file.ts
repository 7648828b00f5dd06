/** Reads a recorded history: the levels of some cases over a line of commits. */

import { z } from 'zod';
import type { CommitHistory } from '../../history/index.js';
import { amounts, Fault, readInputText, usageFault } from '../../machine/index.js';

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
  const text = readInputText(path, { maxBytes: mostBytes });
  if (text instanceof Fault) return text;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return usageFault(`${path} is not JSON: ${(error as Error).message}`);
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return usageFault(
      `${path}: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'not as expected'}`,
    );
  }
  const { name, commits, broken, cases } = parsed.data;
  if (commits * cases.length > mostPlaces)
    return usageFault(`${path}: ${cases.length} cases over ${commits} commits are more than can be held`);
  return {
    name,
    commits,
    broken: new Set(broken),
    courses: cases.map((changes) => {
      let level: number | undefined;
      return Array.from({ length: commits }, (_, at) => {
        const change = Object.hasOwn(changes, at) ? changes[at] : undefined;
        if (change !== undefined) level = change ?? undefined;
        return level;
      });
    }),
  };
}
