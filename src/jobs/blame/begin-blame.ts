/** A search for culprits, begun from what a user asks for or from what a hunt found. */

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
  /** This culprit's own version. */
  readonly culprit: string;
  readonly cases: readonly BlameCase[];
  readonly builder: BuilderRequest;
  readonly slowness: SlownessRequest;
  /** A time limit that fits optimised builds only, where `slowness` has none: that of the hunt which found the formulas. */
  readonly releaseTimeoutMs?: number | undefined;
  /** Builds that are not optimised, compared by effort; where such are known and no times are asked for, when left out. */
  readonly isQuick?: boolean | undefined;
  /** All of each commit is built, also what no formula calls. */
  readonly isWhole?: boolean | undefined;
  /** What quick builds name is measured by time on optimised ones at the end. */
  readonly verifies?: boolean | undefined;
  readonly memoryBytes: number;
  readonly seeds: readonly number[];
  /** The folder every step is kept in. */
  readonly out: string;
  readonly signal: AbortSignal;
}

export interface BegunBlame {
  readonly folder: CampaignFolder;
  readonly settings: BlameSettings;
  readonly repository: Repository;
}

/** What is known of a search before there is a formula for it. */
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

/** Begins in a new folder, or resumes in one that was begun with the same question. */
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

/** Where the steps are kept of formulas that are given: named after the first. */
export function blameFolder([first]: readonly BlameCase[]): string {
  const name = first?.name.replace(/.*\//s, '').replace(/\.smt2$/, '') ?? '';
  return join('blame', name === '' || name === '-' ? 'formula' : name);
}

/** The same for those a campaign found: another hunt in it may have found others. */
export function blameFolderIn(campaign: string, cases: readonly BlameCase[]): string {
  return join(campaign, `blame-${shortDigest(JSON.stringify(cases), 8)}`);
}
