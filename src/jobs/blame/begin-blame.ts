/** Checks a request to find culprits and opens its folder. */

import { join } from 'node:path';
import type { BuilderRequest } from '../../builds/index.js';
import type { CampaignFolder } from '../../campaign/index.js';
import type { CommitRange } from '../../history/index.js';
import {
  type NamedCommits,
  namedCommits,
  type Quickness,
  quickness,
  runnablesOf,
} from '../../history/index.js';
import { allowNamed, Fault, shortDigest, usageFault } from '../../machine/index.js';
import type { Repository } from '../../repository/index.js';
import { askedSlowness, type SlownessRequest } from '../../solver/index.js';
import { type BlameSettings, openBlame } from './blame.js';

export type BlameCase = BlameSettings['cases'][number];

export interface BlameRequest extends CommitRange {
  /** The version of this program. */
  readonly culprit: string;
  readonly cases: readonly BlameCase[];
  readonly builder: BuilderRequest;
  readonly slowness: SlownessRequest;
  /** The time limit of the hunt that found the formulas. It fits optimised builds only. */
  readonly releaseTimeoutMs?: number | undefined;
  /**
   * Unoptimised builds, compared by effort. By default, culprit uses them if the recipe has them and no time was
   * requested.
   */
  readonly isQuick?: boolean | undefined;
  /** Builds all of each commit, including the sources that no formula calls. */
  readonly isWhole?: boolean | undefined;
  /** Measures the culprits by time on optimised builds at the end. */
  readonly verifies?: boolean | undefined;
  readonly memoryBytes: number;
  readonly seeds: readonly number[];
  /** The folder of every step. */
  readonly out: string;
  readonly signal: AbortSignal;
}

export interface BegunBlame {
  readonly folder: CampaignFolder;
  readonly settings: BlameSettings;
  readonly repository: Repository;
}

/** The part of a request that can be checked before there is a formula. */
export type BlameRange = CommitRange &
  Pick<BlameRequest, 'builder' | 'slowness' | 'isQuick' | 'verifies' | 'signal'>;

/** Checks that the commits exist and can be built as requested. */
export async function checkBlame(range: BlameRange): Promise<Fault | undefined> {
  const plan = await plannedBlame(range);
  return plan instanceof Fault ? plan : undefined;
}

async function plannedBlame(
  range: BlameRange,
): Promise<{ readonly commits: NamedCommits; readonly quick: Quickness } | Fault> {
  const commits = await namedCommits(range, range.builder, range.signal);
  if (commits instanceof Fault) return commits;
  const { preset, thresholdMs, timeoutMs } = range.slowness;
  const hasThreshold = thresholdMs !== undefined || preset !== undefined;
  const { isQuick, verifies } = range;
  const quick = quickness({ isQuick, hasThreshold, timeoutMs, verifies }, commits.builder);
  return quick instanceof Fault ? quick : { commits, quick };
}

/** Begins in a new folder, or resumes in a folder that was begun with the same request. */
export async function beginBlame(request: BlameRequest): Promise<BegunBlame | Fault> {
  const { culprit, cases, isWhole, memoryBytes, seeds, out } = request;
  if (cases.length === 0) return usageFault('there is no formula to look into');
  const plan = await plannedBlame(request);
  if (plan instanceof Fault) return plan;
  const { repository, path, good, bad, builder } = plan.commits;
  const { family } = builder;
  const { recipe, isQuick, verifying, timeoutMs } = plan.quick;
  await allowNamed(runnablesOf({ repository: path, recipe, verifying, cases: [] }));
  const opened = await openBlame(out, {
    format: 1,
    job: 'blame',
    culprit,
    repository: path,
    good,
    bad,
    recipe,
    isQuick,
    isWhole,
    verifying,
    family,
    cases: [...cases],
    slowness: await askedSlowness({
      ...request.slowness,
      timeoutMs: isQuick ? timeoutMs : (request.slowness.timeoutMs ?? request.releaseTimeoutMs),
    }),
    memoryBytes,
    seeds: [...seeds],
  });
  return opened instanceof Fault ? opened : { ...opened, repository };
}

/** The default folder for formulas from files, named after the first. */
export function blameFolder([first]: readonly BlameCase[]): string {
  const name = first?.name.replace(/.*\//s, '').replace(/\.smt2$/, '') ?? '';
  return join('blame', name === '' || name === '-' ? 'formula' : name);
}

/**
 * The folder for the findings of a campaign. Its name depends on the formulas, because a longer hunt may find others.
 */
export function blameFolderIn(campaign: string, cases: readonly BlameCase[]): string {
  return join(campaign, `blame-${shortDigest(JSON.stringify(cases), 8)}`);
}
