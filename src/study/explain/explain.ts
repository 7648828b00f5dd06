/**
 * Measures how well culprit names the changes to blame for a failed test, over a folder of regressions (AFTER, Tables
 * II to IV).
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  beginExplanation,
  type Change,
  type Explanation,
  explain,
  resumeExplanation,
  type StrategyName,
} from '../../explain/index.js';
import { allowNamed, Fault, type OnStep } from '../../machine/index.js';
import type { KnownPlace, Subject } from './explained-subjects.js';

/**
 * As in the paper. `matched`: the blamed changes include all places of the fix. `partial`: reverting the blamed
 * changes makes the test pass, but the fix is elsewhere. `missed`: the test still fails, or the changes only bypass
 * the fault.
 */
export type Match = 'matched' | 'partial' | 'missed';

/** The result of one strategy on a subject. */
export interface ExplainedSubject {
  readonly name: string;
  readonly strategy: StrategyName;
  /** The reason if there is no explanation. */
  readonly why?: string | undefined;
  readonly changes: number;
  readonly reported: number;
  readonly auxiliary: number;
  readonly match: Match;
  readonly tests: number;
  readonly builds: number;
  /** Causes that force the failure, and the solver time spent on them. */
  readonly causes: number;
  readonly solverMs: number;
  readonly ms: number;
}

export interface ExplainStudyRequest {
  readonly subjects: readonly Subject[];
  readonly strategies: readonly StrategyName[];
  readonly buildLimitMs: number;
  readonly testLimitMs: number;
  readonly memoryBytes: number;
  readonly treeLimitMs: number;
  /** Time limit per strategy. */
  readonly mostMs: number;
  readonly culprit: string;
  readonly out: string;
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
  readonly onSubject?: ((subject: ExplainedSubject) => void) | undefined;
}

export async function studyExplain(
  request: ExplainStudyRequest,
): Promise<readonly ExplainedSubject[] | Fault> {
  const explained: ExplainedSubject[] = [];
  for (const subject of request.subjects)
    for (const strategy of request.strategies) {
      if (request.signal.aborted) return explained;
      const one = await explainedSubject(subject, strategy, request);
      if (one === undefined) return explained;
      explained.push(one);
      request.onSubject?.(one);
    }
  return explained;
}

/** Undefined if aborted. */
async function explainedSubject(
  subject: Subject,
  strategy: StrategyName,
  request: ExplainStudyRequest,
): Promise<ExplainedSubject | undefined> {
  const startedAt = performance.now();
  const none = { changes: 0, reported: 0, auxiliary: 0, tests: 0, builds: 0, causes: 0, solverMs: 0 };
  const nothing = { ...none, match: 'missed' as const };
  const named = { name: subject.name, strategy };
  const time = AbortSignal.timeout(request.mostMs);
  const signal = AbortSignal.any([request.signal, time]);
  const end = (found: Omit<ExplainedSubject, 'name' | 'strategy' | 'ms'>, ms?: number): ExplainedSubject => ({
    ...named,
    ...found,
    ms: ms ?? performance.now() - startedAt,
  });
  try {
    const begun = await beginOrResume(subject, strategy, request, signal);
    if (begun instanceof Fault) return end({ ...nothing, why: begun.message });
    const explanation = await explain(begun.folder, begun.settings, { signal, onStep: request.onStep });
    if (explanation instanceof Fault) return end({ ...nothing, why: explanation.message });
    const { changes, blamed, auxiliary, effort, reasoning, ms } = explanation;
    const found = {
      changes,
      reported: blamed.length,
      auxiliary: auxiliary.length,
      match: matchOf(subject, explanation),
      ...{ tests: effort.tests, builds: effort.builds },
      ...{ causes: reasoning.causes, solverMs: reasoning.solverMs },
    };
    return end(found, ms);
  } catch (error) {
    if (request.signal.aborted) return undefined;
    if (time.aborted)
      return end({ ...nothing, why: `not finished within ${request.mostMs / 60_000} minutes` });
    throw error;
  }
}

async function beginOrResume(
  subject: Subject,
  strategy: StrategyName,
  { out, buildLimitMs, testLimitMs, memoryBytes, treeLimitMs, culprit }: ExplainStudyRequest,
  signal: AbortSignal,
) {
  const folder = join(out, `${subject.name}-${strategy}`);
  if (existsSync(join(folder, 'campaign.json'))) return resumeExplanation(folder, allowNamed);
  const version = (name: string): string =>
    subject.repository === undefined ? resolve(subject.folder, name) : name;
  const here = (command: string): string => `SUBJECT=${quoted(subject.folder)}; ${command}`;
  return beginExplanation(
    {
      old: version(subject.old),
      new: version(subject.new),
      repository: subject.repository === undefined ? '.' : resolve(subject.folder, subject.repository),
      build: here(subject.build),
      test: here(subject.test),
      ...{ strategy, buildLimitMs, testLimitMs, memoryBytes, treeLimitMs, culprit },
      ...{ repeats: 2, only: [], out: folder },
    },
    signal,
  );
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

export function matchOf(
  { culprit, dodges }: Pick<Subject, 'culprit' | 'dodges'>,
  { blamed, isRepaired }: Pick<Explanation, 'isRepaired'> & { readonly blamed: readonly Change[] },
): Match {
  if (!isRepaired) return 'missed';
  if (culprit.every((place) => blamed.some((change) => isAt(change, place)))) return 'matched';
  const isDodge = blamed.every((change) => dodges.some((place) => isAt(change, place)));
  return isDodge ? 'missed' : 'partial';
}

function isAt({ file, within, new: { from, to } }: Change, place: KnownPlace): boolean {
  if (file !== place.file) return false;
  if (place.lines !== undefined) {
    const [first, last] = place.lines;
    // A pure deletion is located between two lines.
    return Math.min(from, to) <= last && Math.max(from, to) >= first;
  }
  return place.function === undefined || within === place.function;
}
