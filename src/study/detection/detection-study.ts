/** Repeats SPRFinder's RQ1 for a user's request: campaigns, their counts, and a page with the curves. */

import { join } from 'node:path';
import {
  buildIdentity,
  checkStrategySupport,
  type HuntData,
  type StrategyName,
  strategyConstants,
} from '../../hunt/index.js';
import { Fault, usageFault, writeWithin } from '../../machine/index.js';
import type { LogicName } from '../../smtlib/index.js';
import {
  askedSlowness,
  openRunner,
  type Slowness,
  type SlownessRequest,
  type Version,
} from '../../solver/index.js';
import { readBlamedCommits, unblamedNotes } from './blamed.js';
import { byCommit, byKind } from './causes.js';
import {
  type BegunCampaign,
  type CampaignCount,
  type CampaignResult,
  type CampaignWatch,
  countCampaigns,
  type DetectionRow,
  detectionTable,
  runDetection,
} from './detection.js';
import { type DetectionSettings, detectionPage } from './detection-page.js';
import { measureReleaseTimelines, slowReleases, stepsByText } from './releases.js';
import { type ReleaseFindings, textsOf } from './releases-text.js';

export interface DetectionRequest {
  /** The version of culprit. */
  readonly culprit: string;
  /** Called after all other checks, because it may download or build versions. */
  readonly versions: () => Promise<readonly Version[] | Fault>;
  readonly strategies: readonly StrategyName[];
  /** Constants that differ from the strategy's defaults. */
  readonly constants: Readonly<Partial<Record<StrategyName, Readonly<Record<string, unknown>>>>>;
  /** Campaigns per strategy. */
  readonly repeats: number;
  readonly forMs: number;
  readonly workers: number;
  readonly logic: LogicName;
  readonly slowness: SlownessRequest;
  readonly memoryBytes: number;
  /** Counts formulas as found, without reducing them first. */
  readonly isAsFound?: boolean | undefined;
  /**
   * Releases from the oldest version to the newest. If given, the study counts slower releases instead of kinds.
   * Called last, because it may download many releases.
   */
  readonly releases?: ((versions: readonly Version[]) => Promise<readonly Version[] | Fault>) | undefined;
  readonly onTimeline?: ((done: number, of: number, releases: number) => void) | undefined;
  /** The folder of a bisection. If given, the study counts its commits instead of kinds. */
  readonly commits?: string | undefined;
  readonly out: string;
  readonly signal: AbortSignal;
  readonly onCampaign: (strategy: StrategyName, repeat: number, data: HuntData) => void;
  readonly watchOf?: ((campaign: BegunCampaign) => CampaignWatch) | undefined;
}

export interface DetectionStudy {
  readonly settings: DetectionSettings;
  readonly rows: readonly DetectionRow[];
  readonly counts: readonly CampaignCount[];
  readonly campaigns: readonly CampaignResult[];
  readonly releases: ReleaseFindings | undefined;
  /** Findings that were not counted. */
  readonly notes: readonly string[];
  /** The study's folder, and its page; there is no page before a campaign has ended. */
  readonly out: string;
  readonly page: string | undefined;
}

export async function studyDetection(request: DetectionRequest): Promise<DetectionStudy | Fault> {
  const { culprit, repeats, forMs, workers, logic, memoryBytes, out, signal } = request;
  if (request.commits !== undefined && request.releases !== undefined)
    return usageFault('name either --commits or --releases, not both');
  const options = new Map<StrategyName, Readonly<Record<string, unknown>>>();
  for (const strategy of request.strategies) {
    const own = strategyConstants(strategy, request.constants[strategy] ?? {}, `${strategy}.`);
    if (own instanceof Fault) return own;
    options.set(strategy, own);
  }
  const idle = Object.keys(request.constants).find((name) => !options.has(name as StrategyName));
  if (idle !== undefined) return usageFault(`--set ${idle}: the study does not compare this strategy`);
  // Fails before culprit downloads anything or spends hours on campaigns.
  const blamed = request.commits === undefined ? undefined : await readBlamedCommits(request.commits);
  if (blamed instanceof Fault) return blamed;
  const versions = await request.versions();
  if (versions instanceof Fault) return versions;
  const newest = versions.at(-1);
  if (newest === undefined || versions.length < 2)
    return usageFault('a study needs two versions: --on OLD,NEW');
  const uncounted = await checkStrategySupport(request.strategies, newest);
  if (uncounted !== undefined) return uncounted;
  const between = await request.releases?.(versions);
  if (between instanceof Fault) return between;
  const slowness = await askedSlowness(request.slowness);
  const names = versions.map((version) => version.name);
  const campaigns = await runDetection({
    out,
    strategies: request.strategies,
    repeats,
    versions,
    common: {
      format: 1,
      culprit,
      versions: names,
      builds: versions.map(buildIdentity),
      workers,
      logic,
      slowness,
      memoryBytes,
      forMs,
      confirming: request.isAsFound ? 'as-found' : 'after',
      confirmedPerKind: 3,
      corpus: [],
      known: [],
    },
    optionsOf: (strategy) => options.get(strategy) ?? {},
    signal,
    onCampaign: request.onCampaign,
    watchOf: request.watchOf,
  });
  if (campaigns instanceof Fault) return campaigns;
  const releases = between && (await findingsByRelease(between, campaigns, slowness, request));
  if (releases instanceof Fault) return releases;
  const slowing = releases === undefined ? blamed : slowReleases(releases.steps);
  const counts = countCampaigns(campaigns, slowing === undefined ? byKind : byCommit(slowing));
  const rows = detectionTable(counts, request.strategies);
  const causes = releases !== undefined ? 'releases' : blamed === undefined ? 'kinds' : 'commits';
  const settings = { culprit, versions: names, forMs, repeats, workers, slowness, causes } as const;
  if (counts.length > 0) {
    const report = { counts, campaigns, rows, releases };
    await writeWithin(out, curvesFile, detectionPage(report, settings));
  }
  const page = counts.length > 0 ? join(out, curvesFile) : undefined;
  const notes = slowing === undefined ? [] : [...unblamedNotes(campaigns, slowing, causes)];
  if (request.isAsFound && slowing === undefined)
    notes.push('unreduced formulas have many kinds per cause: count causes with --commits or --releases');
  return { settings, rows, counts, campaigns, releases, notes, out, page };
}

export const curvesFile = 'detection.html';

async function findingsByRelease(
  releases: readonly Version[],
  campaigns: readonly CampaignResult[],
  { timeoutMs }: Slowness,
  { out, memoryBytes, signal, onTimeline: onCourse, workers }: DetectionRequest,
): Promise<ReleaseFindings | Fault> {
  const runner = openRunner({ workers });
  try {
    await runner.prepare(releases, signal);
    const texts = campaigns.flatMap(({ data }) => textsOf(data));
    const job = { out, texts, releases, timeoutMs, memoryBytes, signal, workers };
    const courses = await measureReleaseTimelines(runner, {
      ...job,
      onTimeline: (done, of) => onCourse?.(done, of, releases.length),
    });
    if (courses instanceof Fault) return courses;
    const names = releases.map(({ name }) => name);
    return { releases: names, courses, steps: await stepsByText(courses) };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { releases: [], courses: new Map(), steps: new Map() };
  } finally {
    await runner.close();
  }
}
