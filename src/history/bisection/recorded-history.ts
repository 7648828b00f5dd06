/** The history a bisection saw, from its journal: what the ways of bisecting can be compared on without building. */

import { type Allow, Fault } from '../../machine/index.js';
import { levelOf } from '../measuring/levels.js';
import type { CommitHistory } from './replay.js';
import type { BisectSettings } from './settings.js';
import { keptJournal } from './stored-journal.js';

export interface RecordedHistory extends CommitHistory {
  readonly settings: BisectSettings;
  /** What a build took on average; undefined if everything had been built before. */
  readonly buildMs: number | undefined;
  /** Commits of the line something was measured at. */
  readonly measured: number;
}

/**
 * Commits that were not looked at are taken to be as the one before that was.
 *
 * @param allow asked whether the repository may be looked into: somebody else may have written where it is
 */
export async function recordedHistory(
  path: string,
  allow: Allow,
  signal: AbortSignal,
): Promise<RecordedHistory | Fault> {
  const kept = await keptJournal(path, allow, signal);
  if (kept instanceof Fault) return kept;
  const { settings, line } = kept;
  const places = new Map(line.map((commit, at) => [commit, at]));
  const broken = new Set<number>();
  const samples = settings.cases.map(() => new Map<number, number[]>());
  const builds: number[] = [];
  const add = (number: number, commit: string, own: readonly number[]): void => {
    const at = places.get(commit);
    if (at === undefined || own.length === 0) return;
    const known = samples[number]?.get(at);
    if (known === undefined) samples[number]?.set(at, [...own]);
    else known.push(...own);
  };
  for await (const event of kept.events) {
    if (event instanceof Fault) return event;
    if (event.event === 'looked') {
      if (event.isNew) builds.push(event.buildMs);
      const at = places.get(event.commit);
      if (event.failed !== undefined && at !== undefined) broken.add(at);
      for (const [number, seen] of event.observations.entries())
        if (seen.kind === 'measured') add(number, event.commit, seen.samples);
    } else if (event.event === 'repeated') {
      if (event.observation.kind === 'measured') add(event.case, event.commit, event.observation.samples);
    } else {
      add(event.case, event.before, event.beforeSamples);
      add(event.case, event.at, event.afterSamples);
    }
  }
  return {
    settings,
    commits: line.length,
    broken,
    courses: samples.map((seen) => held(seen, line.length)),
    buildMs: builds.length === 0 ? undefined : builds.reduce((sum, ms) => sum + ms, 0) / builds.length,
    measured: new Set(samples.flatMap((seen) => [...seen.keys()])).size,
  };
}

/** A level holds until another one is known. */
function held(seen: ReadonlyMap<number, readonly number[]>, commits: number): (number | undefined)[] {
  let level: number | undefined;
  return Array.from({ length: commits }, (_, at) => {
    const own = seen.get(at);
    if (own !== undefined) level = levelOf(own);
    return level;
  });
}
