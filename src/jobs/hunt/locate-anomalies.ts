/** The last step of a hunt: ranks the files that crashes and wrong answers likely come from, and stores them in the campaign. */

import { join } from 'node:path';
import { catchFullDisk, Journal } from '../../campaign/index.js';
import { checkCounting } from '../../coverage/index.js';
import {
  type AnomalyLocation,
  type AnomalyRecord,
  type Campaign,
  decidedCase,
  type FailingCase,
  type HuntData,
  type LocatedResult,
  sidesOf,
  storedFormula,
} from '../../hunt/index.js';
import type { FailureKind } from '../../locate/index.js';
import { cannotWrite, Fault, limitsFor, type OnStep, ThrownFault } from '../../machine/index.js';
import { anomalyWord } from '../../report/index.js';
import type { Script } from '../../smtlib/index.js';
import {
  checkClaim,
  countingVariant,
  openRunner,
  parseSpec,
  printSpec,
  type Version,
  type VersionSpec,
} from '../../solver/index.js';
import type { JobWatch } from '../job.js';
import { type Located, locate } from '../locate/locate.js';
import { versionsOf } from '../versions.js';
import { readCampaign, resumeHunt, writeReports } from './campaign.js';

/** The user's choice among `--locate`, `--no-locate` and neither. */
export interface LocateChoice {
  /** True: also build commits for it. False: not at all. If left out, only versions that count without a build. */
  readonly locate?: boolean;
  readonly repo?: string;
  readonly good?: string;
  readonly bad?: string;
}

/** Smaller limits than those of `culprit locate`: the user has not asked for this step. */
const mostTried = 200;
const mostMs = 60_000;

/** More than a reader examines. */
const mostFiles = 20;
const mostFunctions = 10;

/**
 * The failures that a counting build may show for each kind of anomaly. It may fail in another way than the version
 * did.
 */
const kindsOf: Readonly<Partial<Record<AnomalyRecord['kind'], readonly FailureKind[]>>> = {
  disagreement: ['verdict', 'model', 'assertion'],
  'wrong-model': ['verdict', 'model', 'assertion'],
  crash: ['crash', 'assertion', 'error'],
  error: ['crash', 'assertion', 'error'],
};

/**
 * Ranks files for every anomaly that has none yet. If the job is ended early, the results until then are stored.
 * It builds only commits that the user has just named or that the campaign was already allowed to run.
 */
export async function locateAnomalies(
  campaign: Campaign,
  data: HuntData,
  choice: LocateChoice,
  watch: JobWatch,
): Promise<HuntData | Fault> {
  if (choice.locate === false) return data;
  const { folder } = campaign;
  const open = data.locations.filter(
    ({ result }) => result === undefined || (choice.locate === true && result.kind === 'fault'),
  );
  if (open.length === 0) return data;
  return catchFullDisk(folder, resumeHunt(folder), async () => {
    const unlock = await folder.lock();
    if (unlock instanceof Fault) return unlock;
    try {
      const journal = Journal.open(folder.journalPath);
      if (journal instanceof Fault) return journal;
      try {
        for (const [number, location] of open.entries()) {
          const onStep: OnStep = (step) =>
            watch.onStep?.({ ...step, step: `${stepWords(location, number, open.length)}: ${step.step}` });
          const found = await located(location, campaign, choice, { ...watch, onStep });
          // A failure after an abort is a consequence of the abort.
          watch.signal.throwIfAborted();
          if (found !== undefined) journal.append({ event: 'located', at: data.elapsedMs, ...found });
        }
      } catch (error) {
        if (!watch.signal.aborted) throw error;
      } finally {
        journal.close();
      }
      const now = await readCampaign(folder.path);
      if (now instanceof Fault) return now;
      await writeReports(folder, now.data);
      return now.data;
    } finally {
      await unlock();
    }
  });
}

/** The version itself if it counts, or else a commit that the user has allowed to build. */
async function countingVersion(
  version: Version,
  at: number,
  campaign: Campaign,
  choice: LocateChoice,
  watch: JobWatch,
): Promise<Version | undefined | Fault> {
  if ((await checkCounting(version)) === undefined) return version;
  const commit = choice.locate === true ? commitFor(version, at, campaign, choice) : undefined;
  if (commit === undefined) return undefined;
  const built = await versionsOf(printSpec(commit), watch);
  return built instanceof Fault ? built : built[0];
}

/** A commit that can be built to count: the version itself, or the commit that the user gave for it. */
function commitFor(
  { spec: text, options }: Version,
  at: number,
  { versions }: Campaign,
  { repo, good, bad }: LocateChoice,
): VersionSpec | undefined {
  const spec = parseSpec(text);
  if (!(spec instanceof Fault) && spec.from === 'git')
    return { ...spec, variant: countingVariant(spec.variant) };
  const revision = at === versions.length - 1 ? bad : at === 0 ? good : undefined;
  if (repo === undefined || revision === undefined) return undefined;
  return { from: 'git', repository: repo, revision, variant: 'coverage', options };
}

function stepWords({ anomaly }: AnomalyLocation, number: number, of: number): string {
  return `files to blame (${anomalyWord(anomaly.kind)}${of === 1 ? '' : `, ${number + 1} of ${of}`})`;
}

interface LocatedAnomaly extends Pick<FailingCase, 'version' | 'isAssumed'> {
  readonly oddity: number;
  readonly on: string;
  readonly result: LocatedResult;
}

/** Undefined if the anomaly cannot be located. */
async function located(
  location: FailingCase,
  campaign: Campaign,
  choice: LocateChoice,
  watch: JobWatch,
): Promise<LocatedAnomaly | undefined> {
  const { versions } = campaign;
  const formula = storedFormula(location.anomaly.text);
  if (formula instanceof Fault) return undefined;
  const decided = location.isAssumed ? await whoFails(location, formula, campaign, watch.signal) : location;
  const { anomaly, version: at, isAssumed } = decided;
  const version = versions[at];
  if (version === undefined) return undefined;
  const counting = await countingVersion(version, at, campaign, choice, watch);
  if (counting === undefined) return undefined;
  const about = { oddity: anomaly.id, version: at, isAssumed };
  if (counting instanceof Fault) return { ...about, on: version.name, result: faultOf(counting) };
  const result = await ranked(decided, formula, counting, campaign, watch).catch((error: unknown) => {
    if (error instanceof ThrownFault) return error.fault;
    throw error;
  });
  return { ...about, on: counting.name, result: result instanceof Fault ? faultOf(result) : result };
}

function faultOf({ message }: Fault): LocatedResult {
  return { kind: 'fault', message };
}

/** If versions contradict each other, a model that holds shows which of them is right. */
async function whoFails(
  location: FailingCase,
  formula: Script,
  { versions, settings }: Campaign,
  signal: AbortSignal,
): Promise<FailingCase> {
  const runner = openRunner({ workers: 1 });
  try {
    const limits = limitsFor(settings.slowness.timeoutMs, settings.memoryBytes);
    for (const at of sidesOf(location.anomaly).sat) {
      const version = versions[at];
      if (version === undefined) continue;
      const { kind } = await checkClaim(runner, formula, version, [], limits, signal);
      if (kind === 'holds') return decidedCase(location);
    }
    return location;
  } finally {
    await runner.close();
  }
}

async function ranked(
  { anomaly, references }: FailingCase,
  formula: Script,
  version: Version,
  { folder, settings, versions }: Campaign,
  watch: JobWatch,
): Promise<LocatedResult | Fault> {
  const name = `located/${String(anomaly.id).padStart(4, '0')}`;
  try {
    await folder.makeFolder(name);
  } catch (error) {
    return cannotWrite(join(folder.path, name), error);
  }
  const spec = parseSpec(version.spec);
  const located = await locate(
    {
      ...{ formula, version, mostTried, mostMs },
      references: references.flatMap((at) => versions[at] ?? []),
      timeoutMs: settings.slowness.timeoutMs,
      memoryBytes: settings.memoryBytes,
      workers: settings.workers,
      seed: settings.seed,
      kinds: kindsOf[anomaly.kind],
      out: join(folder.path, name),
      commit: spec instanceof Fault || spec.from !== 'git' ? undefined : spec,
    },
    watch,
  );
  return located instanceof Fault ? located : resultOf(located);
}

function resultOf({ evidence, files, functions }: Located): LocatedResult {
  const { failure, names, tried, failing, witnesses } = evidence;
  return {
    kind: 'ranked',
    says: failure.message,
    counts: names.counts,
    tried,
    failing,
    witnesses: witnesses.length,
    files: files
      .slice(0, mostFiles)
      .map(({ name, rank, score, executed, witnesses: mean, edits, commits, stack, message }) => ({
        ...{ name, rank, score, executed, witnesses: mean, edits, commits, stack, message },
      })),
    functions: functions.slice(0, mostFunctions).map(({ name, rank, score }) => ({ name, rank, score })),
  };
}
