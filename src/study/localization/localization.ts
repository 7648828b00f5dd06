/**
 * Repeats SPRFinder's RQ3 to RQ5: how fast bisection strategies localize cases (Fig. 6), the classes of case
 * timelines (Fig. 5), how many commits a case exposes (Fig. 7), how much slower commits made cases (Table 3) and the
 * intentions of the commits (Table 4). Replays recorded histories, so it builds nothing.
 */

import { mean } from 'simple-statistics';
import {
  type BisectStrategy,
  type CommitHistory,
  type CostModel,
  classifyTimeline,
  examinedBisection,
  type Intention,
  type Replay,
  recordedHistory,
  replay,
  type Sensitivity,
  sensitivityFor,
  slowdownsIn,
  type TimelineClass,
  timelineClasses,
} from '../../history/index.js';
import { type Allow, Fault, type OnStep } from '../../machine/index.js';
import { readHistory } from './history-file.js';
import type { IntentionCounts } from './published-localization.js';

export const strategies: readonly BisectStrategy[] = ['batch', 'sprfinder', 'git-bisect'];

export interface ClassRow {
  readonly class: TimelineClass;
  readonly cases: number;
  /** Commits that dominate the slowdowns, and how many of them each strategy names. */
  readonly dominating: number;
  readonly found: Readonly<Record<BisectStrategy, number>>;
}

/** Mean levels, in milliseconds or in the measured unit. */
interface Averages {
  readonly before: number;
  readonly after: number;
}

/** Means over commits of the means over their cases. */
export interface BeforeAfter extends Averages {
  readonly commits: number;
  /** Means over all pairs of a case and a commit that made it slow, as in the paper, and the number of pairs. */
  readonly overCases: Averages & { readonly cases: number };
}

export interface LocalizationData {
  readonly name: string;
  readonly commits: number;
  readonly cases: number;
  readonly cost: CostModel;
  readonly notes: readonly string[];
  readonly replays: readonly Replay[];
  readonly classes: readonly ClassRow[];
  /** Number of cases by the number of commits they expose. */
  readonly exposed: ReadonlyMap<number, number>;
  readonly beforeAfter: BeforeAfter;
  readonly unit: 'time' | 'effort' | 'printed';
  /** Only for a finished bisection. */
  readonly intentions?: IntentionCounts | undefined;
}

export interface LocalizationRequest {
  /** Folders of `culprit bisect` or `culprit blame`. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** Cost of a build; by default the recorded mean. */
  readonly buildMs?: number | undefined;
  readonly runFactor: number;
  readonly allowFor: (folder: string) => Allow;
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
}

/** A build of Z3 on two cores. */
const defaultBuildMs = 18 * 60_000;

export async function studyLocalization(
  request: LocalizationRequest,
): Promise<readonly LocalizationData[] | Fault> {
  const { folders, files, runFactor, signal } = request;
  const found: LocalizationData[] = [];
  const total = files.length + folders.length;
  const begin = (at: string): void =>
    request.onStep?.({ step: 'replaying', done: found.length, total, what: 'history', at });
  for (const path of files) {
    begin(path);
    const history = readHistory(path);
    if (history instanceof Fault) return history;
    const cost = { buildMs: request.buildMs ?? defaultBuildMs, runFactor };
    const sensitivity = withoutNoise(sensitivityFor('time', { threshold: undefined, relativeNoise: 0 }));
    found.push(await replayStrategies(history.name, history, cost, sensitivity, signal));
  }
  for (const folder of folders) {
    begin(folder);
    const data = await localizationOfFolder(folder, request);
    if (data instanceof Fault) return data;
    found.push(data);
  }
  return found;
}

async function localizationOfFolder(
  folder: string,
  request: LocalizationRequest,
): Promise<LocalizationData | Fault> {
  const { signal } = request;
  const allow = request.allowFor(folder);
  const history = await recordedHistory(folder, allow, signal);
  if (history instanceof Fault) return history;
  const { settings, measured, commits } = history;
  const unit = settings.isPrinted ? 'printed' : settings.by;
  const cost = {
    buildMs: request.buildMs ?? history.buildMs ?? defaultBuildMs,
    runFactor: unit === 'time' ? request.runFactor : 0,
  };
  const data = await replayStrategies(folder, history, cost, withoutNoise(settings.sensitivity), signal);
  const notes = [
    `${measured} of ${commits} commits were measured; each other commit is assumed to equal the one before it`,
    ...(unit === 'time' ? [] : ['the measured unit is not time, so runs cost nothing in the replay']),
  ];
  const examined = await examinedBisection(folder, allow, signal);
  if (examined instanceof Fault)
    return { ...data, unit, notes: [...notes, `no commits to blame: ${examined.message}`] };
  const { bisection, dossiers } = examined;
  const named = bisection.culprits.filter(({ direction }) => direction === 'slower');
  const slower = named.filter(({ isVerified }) => isVerified);
  if (slower.length < named.length)
    notes.push(
      `${named.length - slower.length} of ${named.length} slowdowns were not confirmed by a second measurement; they do not count`,
    );
  const many = new Map<number, number>();
  for (const [number] of settings.cases.entries()) {
    const own = new Set(slower.filter((culprit) => culprit.case === number).map(({ commit }) => commit)).size;
    if (own > 0) many.set(own, (many.get(own) ?? 0) + 1);
  }
  const sure = dossiers.filter(({ cases }) => cases.some(({ isVerified }) => isVerified));
  const triages = sure.map(({ triage }) => triage);
  const meant = (name: Intention): number => triages.filter(({ intention }) => intention === name).length;
  return {
    ...data,
    unit,
    notes,
    exposed: many,
    beforeAfter: beforeAfter(
      slower.map(({ commit, beforeLevel, afterLevel }) => ({ commit, from: beforeLevel, to: afterLevel })),
    ),
    intentions: {
      name: folder,
      intentions: {
        'program fix': meant('program fix'),
        'algorithm update': meant('algorithm update'),
        'theory selection': meant('theory selection'),
        unknown: meant('unknown'),
      },
      compromise: triages.filter((triage) => triage.class === 'compromise').length,
      bug: triages.filter((triage) => triage.class === 'bug').length,
    },
  };
}

/** Replayed measurements have no noise. */
function withoutNoise(sensitivity: Sensitivity): Sensitivity {
  return { ...sensitivity, noise: 0 };
}

async function replayStrategies(
  name: string,
  history: CommitHistory,
  cost: CostModel,
  sensitivity: Sensitivity,
  signal: AbortSignal,
): Promise<LocalizationData> {
  const replays: Replay[] = [];
  for (const strategy of strategies) {
    signal.throwIfAborted();
    replays.push(await replay(history, strategy, cost, sensitivity));
  }
  const slowdowns = history.timelines.map((course) => slowdownsIn(course, sensitivity.least));
  const exposed = new Map<number, number>();
  for (const { length } of slowdowns) if (length > 0) exposed.set(length, (exposed.get(length) ?? 0) + 1);
  return {
    name,
    commits: history.commits,
    cases: history.timelines.length,
    cost,
    notes: [],
    replays,
    classes: classRows(history, replays, sensitivity.least),
    exposed,
    beforeAfter: beforeAfter(slowdowns.flat().map(({ at, from, to }) => ({ commit: at, from, to }))),
    unit: 'time',
  };
}

function classRows(
  { timelines: courses }: CommitHistory,
  replays: readonly Replay[],
  least: number,
): readonly ClassRow[] {
  const classified = courses.map((course) => classifyTimeline(course, least));
  return timelineClasses.map((name) => {
    const own = classified.flatMap((course, id) => (course?.class === name ? [{ id, course }] : []));
    const isNamed = ({ steps }: Replay, id: number, at: number): boolean =>
      steps.some((step) => step.case === id && step.before < at && at <= step.at);
    const found = (strategy: BisectStrategy): number => {
      const replayed = replays.find((one) => one.strategy === strategy);
      if (replayed === undefined) return 0;
      return own.reduce(
        (sum, { id, course }) => sum + course.dominating.filter(({ at }) => isNamed(replayed, id, at)).length,
        0,
      );
    };
    return {
      class: name,
      cases: own.length,
      dominating: own.reduce((sum, { course }) => sum + course.dominating.length, 0),
      found: { batch: found('batch'), sprfinder: found('sprfinder'), 'git-bisect': found('git-bisect') },
    };
  });
}

function beforeAfter(
  steps: readonly { readonly commit: string | number; readonly from: number; readonly to: number }[],
): BeforeAfter {
  const levels = steps.map(({ from, to }) => ({ before: from, after: to }));
  const commits = [...new Set(steps.map(({ commit }) => commit))];
  const ofCommits = commits.map((commit) => averages(levels.filter((_, at) => steps[at]?.commit === commit)));
  return {
    commits: commits.length,
    ...averages(ofCommits),
    overCases: { cases: steps.length, ...averages(levels) },
  };
}

function averages(all: readonly Averages[]): Averages {
  if (all.length === 0) return { before: 0, after: 0 };
  return { before: mean(all.map(({ before }) => before)), after: mean(all.map(({ after }) => after)) };
}
