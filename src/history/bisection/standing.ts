/** The intermediate result of a bisection, from its journal alone: nothing is built or run. */

import type { CaseId } from '../../campaign/index.js';
import { type Allow, Fault } from '../../machine/index.js';
import type { Repository } from '../../repository/index.js';
import type { Observation } from '../measuring/levels.js';
import { Localization } from '../search/localize.js';
import { fromWritten, type LookedEvent } from './bisect-events.js';
import { isBisected } from './bisection-file.js';
import { feeder } from './feeder.js';
import type { BisectSettings } from './settings.js';
import { keptJournal } from './stored-journal.js';
import { isRefuted } from './verification.js';

export interface Standing {
  readonly isFinished: boolean;
  readonly settings: BisectSettings;
  readonly repository: Repository;
  /** From the good commit to the bad one. */
  readonly line: readonly string[];
  /** The tested commits in the order of the line, with the measurements of each case. */
  readonly looked: readonly LookedCommit[];
  readonly steps: readonly StandingStep[];
}

export interface LookedCommit {
  readonly commit: string;
  readonly observations: readonly Observation[];
}

/** A case became slower or quicker after `before` and not after `at`. */
export interface StandingStep {
  readonly case: CaseId;
  readonly direction: 'slower' | 'quicker';
  readonly from: number;
  readonly to: number;
  readonly before: string;
  readonly at: string;
  /** The number of possible culprits. Commits that cannot be measured count. */
  readonly candidates: number;
  /** The number of those that are not tested yet. */
  readonly unseen: number;
}

/** @param allow decides whether the repository may be read: its path may come from a stranger */
export async function standingOf(path: string, allow: Allow, signal: AbortSignal): Promise<Standing | Fault> {
  const kept = await keptJournal(path, allow, signal);
  if (kept instanceof Fault) return kept;
  const { folder, settings, repository, line } = kept;
  const { sensitivity, confidence, cases } = settings;
  const search = new Localization({
    commits: line.length,
    cases: cases.length,
    sensitivity,
    confidence,
    mostSamples: Number.POSITIVE_INFINITY,
  });
  const feed = feeder(
    search,
    line,
    () => true,
    (event) => isRefuted(event, event.size ?? 0, sensitivity),
  );
  const looked = new Map<string, LookedEvent>();
  for await (const event of kept.events) {
    if (event instanceof Fault) return event;
    feed(event);
    if (event.event === 'looked') looked.set(event.commit, event);
  }
  return {
    isFinished: isBisected(folder.path),
    settings,
    repository,
    line,
    looked: line.flatMap((commit) => {
      const event = looked.get(commit);
      return event === undefined ? [] : [{ commit, observations: event.observations.map(fromWritten) }];
    }),
    steps: search.narrowed().map(({ before, at, unseen, ...step }) => ({
      ...step,
      before: line[before] ?? settings.good,
      at: line[at] ?? settings.bad,
      candidates: at - before,
      unseen,
    })),
  };
}
