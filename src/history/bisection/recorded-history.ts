/**
 * The history that a bisection measured, from its journal. Bisection strategies can be compared on it without builds.
 */

import { type Allow, Fault } from '../../machine/index.js';
import { levelOf } from '../measuring/levels.js';
import type { CommitHistory } from './replay.js';
import type { BisectSettings } from './settings.js';
import { keptJournal } from './stored-journal.js';

export interface RecordedHistory extends CommitHistory {
  readonly settings: BisectSettings;
  /** The mean time of a build. Undefined if all builds were cached. */
  readonly buildMs: number | undefined;
  /** The number of commits with a measurement. */
  readonly measured: number;
}

/**
 * The recorded history. A commit that was not tested is assumed to be like the last tested commit before it.
 *
 * @param allow decides whether the repository may be read: its path may come from a stranger
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
    timelines: samples.map((seen) => held(seen, line.length)),
    buildMs: builds.length === 0 ? undefined : builds.reduce((sum, ms) => sum + ms, 0) / builds.length,
    measured: new Set(samples.flatMap((seen) => [...seen.keys()])).size,
  };
}

/** Fills gaps with the previous level. */
function held(seen: ReadonlyMap<number, readonly number[]>, commits: number): (number | undefined)[] {
  let level: number | undefined;
  return Array.from({ length: commits }, (_, at) => {
    const own = seen.get(at);
    if (own !== undefined) level = levelOf(own);
    return level;
  });
}
