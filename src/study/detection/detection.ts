/** Repeats SPRFinder's RQ1: Table 2, Fig. 2 and Fig. 3 for any strategies, versions and budget. */

import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { max, mean, min } from 'simple-statistics';
import { CampaignFolder } from '../../campaign/index.js';
import {
  collectJournal,
  type Finding,
  type Hunt,
  HuntCollector,
  type HuntData,
  type HuntEvent,
  type HuntReduction,
  type HuntSettings,
  runLocally,
  type StrategyName,
  settingsSchema,
} from '../../hunt/index.js';
import { Fault, usageFault } from '../../machine/index.js';
import type { Version } from '../../solver/index.js';
import { rankProbability } from '../../statistics/index.js';
import { byKind, type CauseGrouping } from './causes.js';

export interface DetectionPlan {
  readonly out: string;
  readonly strategies: readonly StrategyName[];
  readonly repeats: number;
  readonly versions: readonly Version[];
  /** All settings of a campaign except its strategy, constants and seed. */
  readonly common: Omit<HuntSettings, 'strategy' | 'options' | 'seed'>;
  readonly optionsOf: (strategy: StrategyName) => Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onCampaign?: ((strategy: StrategyName, repeat: number, data: HuntData) => void) | undefined;
  /** Called when a campaign begins or resumes; the result receives its progress. */
  readonly watchOf?: ((campaign: BegunCampaign) => CampaignWatch) | undefined;
}

export interface BegunCampaign {
  readonly strategy: StrategyName;
  readonly repeat: number;
  readonly settings: HuntSettings;
  readonly folder: string;
}

export interface CampaignWatch {
  readonly onEvent: (event: HuntEvent, hunt: Hunt, collector: HuntCollector) => void;
  readonly onReducing: (reduction: HuntReduction) => void;
}

export interface CampaignCount {
  readonly strategy: StrategyName;
  readonly repeat: number;
  readonly formulas: number;
  /** The paper's #Test: slowdowns found within the budget. */
  readonly tests: number;
  /**
   * The paper's #Commit: commits, or kinds of confirmed slowdowns as a substitute that needs no builds. The slowdowns
   * of all campaigns together determine the kinds.
   */
  readonly causes: number;
  readonly refuted: number;
  /** Milliseconds at which each slowdown, and each new cause, was found. */
  readonly testTimes: readonly number[];
  readonly causeTimes: readonly number[];
}

/**
 * Runs every strategy on the same versions with the same budget. Strategies alternate, so that changes in the
 * machine's load affect all of them. Slowdowns are reduced and confirmed after the budget, by the same rule for all.
 * A resumed study does not repeat campaigns that have ended.
 */
export async function runDetection(plan: DetectionPlan): Promise<readonly CampaignResult[] | Fault> {
  if (CampaignFolder.isAt(plan.out))
    return usageFault(`${plan.out} holds a campaign, not a study: name another folder with --out`);
  const campaigns: CampaignResult[] = [];
  for (let repeat = 1; repeat <= plan.repeats; repeat++) {
    for (const strategy of plan.strategies) {
      if (plan.signal.aborted) return campaigns;
      const data = await campaignData(plan, strategy, repeat);
      if (data instanceof Fault) return data;
      if (data === undefined) return campaigns;
      campaigns.push({ strategy, repeat, data });
      plan.onCampaign?.(strategy, repeat, data);
    }
  }
  return campaigns;
}

/** Settings in which a stored campaign must equal the requested one; otherwise their counts are not comparable. */
const comparableSettings: readonly {
  readonly word: string;
  readonly of: (settings: HuntSettings) => unknown;
}[] = [
  { word: 'constants', of: ({ options }) => options },
  { word: 'versions', of: ({ builds }) => builds },
  { word: 'logic', of: ({ logic }) => logic },
  { word: 'time (--for)', of: ({ forMs }) => forMs },
  { word: 'time limits (--timeout)', of: ({ slowness }) => slowness.timeoutMs },
  { word: 'memory limits (--memory)', of: ({ memoryBytes }) => memoryBytes },
  { word: 'workers', of: ({ workers }) => workers },
  { word: 'coverage settings', of: ({ isCounting }) => isCounting },
];

async function campaignData(
  plan: DetectionPlan,
  strategy: StrategyName,
  repeat: number,
): Promise<HuntData | undefined | Fault> {
  const path = join(plan.out, `${strategy}-${repeat}`);
  const requested: HuntSettings = {
    ...plan.common,
    strategy,
    options: { ...plan.optionsOf(strategy) },
    seed: repeat,
  };
  let opened = await CampaignFolder.open(path, settingsSchema);
  if (opened instanceof Fault) {
    const folder = await CampaignFolder.create(path, requested);
    if (folder instanceof Fault) return folder;
    opened = { folder, settings: requested };
  }
  const { folder, settings } = opened;
  const changed = comparableSettings.find(({ of }) => !isDeepStrictEqual(of(settings), of(requested)));
  if (changed !== undefined)
    return usageFault(
      `${path} was begun with other ${changed.word}; name another folder with --out, or use the same settings`,
    );
  const before = await collectJournal(folder, settings);
  if (before instanceof Fault) return before;
  if (before.hasEnded) return before.data(settings);
  const collector = new HuntCollector();
  const watch = plan.watchOf?.({ strategy, repeat, settings, folder: path });
  const onEvent = (event: HuntEvent, hunt: Hunt): void => {
    collector.add(event);
    watch?.onEvent(event, hunt, collector);
  };
  const { versions, signal } = plan;
  const end = await runLocally({
    folder,
    settings,
    versions,
    signal,
    resume: 'run the study again',
    onEvent,
    onReducing: watch?.onReducing,
  });
  if (end instanceof Fault) return end;
  return end === 'interrupted' ? undefined : collector.data(settings);
}

export interface CampaignResult {
  readonly strategy: StrategyName;
  readonly repeat: number;
  readonly data: Pick<HuntData, 'tried' | 'slowdowns' | 'slowdownTimes' | 'refuted'> & {
    readonly groups: readonly {
      readonly findings: readonly Pick<Finding, 'kind' | 'foundAtMs' | 'text'>[];
    }[];
  };
}

/**
 * Counts all campaigns by one measure. A kind is the smallest set of operators known to be slow. Kinds of a single
 * campaign would overcount strategies with few large formulas.
 */
export function countCampaigns(
  campaigns: readonly CampaignResult[],
  causesOf: CauseGrouping = byKind,
): readonly CampaignCount[] {
  const causes = causesOf(
    campaigns.flatMap(({ data }, campaign) =>
      data.groups.flatMap((group) => group.findings.map((finding) => ({ campaign, finding }))),
    ),
  );
  return campaigns.map(({ strategy, repeat, data }, campaign) => {
    // A cause counts from the time its first formula was found, even if it was confirmed later.
    const causeTimes = causes
      .map((items) => items.filter((met) => met.campaign === campaign))
      .filter((own) => own.length > 0)
      .map((own) => Math.min(...own.map(({ finding }) => finding.foundAtMs)))
      .toSorted((a, b) => a - b);
    return {
      strategy,
      repeat,
      formulas: data.tried,
      tests: data.slowdowns,
      causes: causeTimes.length,
      refuted: data.refuted,
      testTimes: data.slowdownTimes,
      causeTimes,
    };
  });
}

export interface DetectionRow {
  readonly strategy: StrategyName;
  readonly tests: Spread;
  readonly causes: Spread;
  readonly formulas: number;
  readonly refuted: number;
  /** p-value of the first strategy finding more causes than this one; undefined for the first strategy. */
  readonly luck: number | undefined;
}

export interface Spread {
  readonly min: number;
  readonly max: number;
  readonly average: number;
}

export function detectionTable(
  counts: readonly CampaignCount[],
  strategies: readonly StrategyName[],
): readonly DetectionRow[] {
  const of = (strategy: StrategyName): readonly CampaignCount[] =>
    counts.filter((count) => count.strategy === strategy);
  const [first] = strategies;
  const best = first === undefined ? [] : of(first).map(({ causes }) => causes);
  return strategies.flatMap((strategy): DetectionRow[] => {
    const all = of(strategy);
    if (all.length === 0) return [];
    const causes = all.map((count) => count.causes);
    return [
      {
        strategy,
        tests: spread(all.map(({ tests }) => tests)),
        causes: spread(causes),
        formulas: mean(all.map(({ formulas }) => formulas)),
        refuted: mean(all.map(({ refuted }) => refuted)),
        luck: strategy === first ? undefined : rankProbability(causes, best),
      },
    ];
  });
}

function spread(values: readonly number[]): Spread {
  const all = [...values];
  return { min: min(all), max: max(all), average: mean(all) };
}

/** Mean number of events up to each time, over the repeats: the curves of Fig. 2 and Fig. 3. */
export function averageCurve(
  times: readonly (readonly number[])[],
  untilMs: number,
  points = 100,
): readonly { readonly atMs: number; readonly average: number }[] {
  return Array.from({ length: points + 1 }, (_, i) => {
    const atMs = (untilMs * i) / points;
    const reached = times.map((campaign) => campaign.filter((time) => time <= atMs).length);
    return { atMs, average: reached.length === 0 ? 0 : mean(reached) };
  });
}
