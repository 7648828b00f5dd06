/** A campaign that can be run: begun in a new folder, or opened again to be resumed. */

import { CampaignFolder, timeStampedFolder } from '../campaign/index.js';
import { checkCounting } from '../coverage/index.js';
import { environmentFault, Fault, machineKind, usageFault } from '../machine/index.js';
import { type LogicName, printScript, type Script } from '../smtlib/index.js';
import { askedSlowness, type SlownessRequest, type Version } from '../solver/index.js';
import { buildOf } from './build-of.js';
import { elapsedIn } from './collect-journal.js';
import { recallKinds } from './memory.js';
import { type HuntSettings, settingsSchema } from './settings.js';
import { type StrategyName, strategies } from './strategies/index.js';

export interface Campaign {
  readonly folder: CampaignFolder;
  readonly settings: HuntSettings;
  /** What the settings' names stand for, in the same order. */
  readonly versions: readonly Version[];
}

export interface CampaignRequest {
  /** This culprit's own version. */
  readonly culprit: string;
  readonly strategy: StrategyName;
  /** Those of the strategy's constants that are not to have their usual values. */
  readonly constants: Readonly<Record<string, unknown>>;
  /** Gets the versions, the newest last; asked for once everything else is known to be right. */
  readonly versions: () => Promise<readonly Version[] | Fault>;
  /** Drawn from the clock when left out. */
  readonly seed?: number | undefined;
  readonly workers: number;
  readonly logic: LogicName;
  readonly slowness: SlownessRequest;
  readonly memoryBytes: number;
  readonly forMs?: number | undefined;
  /** Formulas to start from. */
  readonly corpus: readonly Script[];
  /** Search as if nothing had been found before. */
  readonly isForgetful: boolean;
  /** Named after the time when left out. */
  readonly out?: string | undefined;
}

const usualForMs = 120_000;

export async function beginCampaign(request: CampaignRequest): Promise<Campaign | Fault> {
  const { culprit, strategy, workers, logic, memoryBytes } = request;
  const options = constantsOf(strategy, request.constants);
  if (options instanceof Fault) return options;
  const versions = await request.versions();
  if (versions instanceof Fault) return versions;
  const newest = versions.at(-1);
  if (newest === undefined || versions.length < 2)
    return usageFault('a hunt needs two versions: --on OLD,NEW');
  const uncounted = await whyNotSearched([strategy], newest);
  if (uncounted !== undefined) return uncounted;
  const builds = versions.map(buildOf);
  const known = request.isForgetful ? [] : await recallKinds(builds);
  const settings: HuntSettings = {
    format: 1,
    culprit,
    strategy,
    options,
    versions: versions.map((version) => version.name),
    builds,
    platform: machineKind(),
    seed: request.seed ?? Date.now() % 1_000_000_000,
    workers,
    logic,
    slowness: await askedSlowness({
      ...request.slowness,
      usualTimeoutMs: strategies[strategy].timeoutMs,
    }),
    memoryBytes,
    forMs: request.forMs ?? usualForMs,
    confirming: 'during',
    confirmedPerKind: 3,
    corpus: request.corpus.map((formula) => printScript(formula)),
    known: known.map((kind) => ({ ...kind, operators: [...kind.operators] })),
  };
  const folder = await CampaignFolder.create(request.out ?? timeStampedFolder('campaigns'), settings);
  return folder instanceof Fault ? folder : { folder, settings, versions };
}

/** Undefined where the strategies can search for what is slower on that version: some look at what it executes. */
export async function whyNotSearched(
  names: readonly StrategyName[],
  newest: Version,
): Promise<Fault | undefined> {
  return names.some((name) => strategies[name].isCounting) ? checkCounting(newest) : undefined;
}

/**
 * A strategy's constants in full.
 *
 * @param prefix what the names of constants were written behind, for a message
 */
export function constantsOf(
  name: StrategyName,
  chosen: Readonly<Record<string, unknown>>,
  prefix = '',
): Record<string, unknown> | Fault {
  const { options } = strategies[name];
  const unknown = Object.keys(chosen).find((constant) => !Object.hasOwn(options.shape, constant));
  if (unknown !== undefined)
    return usageFault(`${name} has no constant ${unknown}; it has ${Object.keys(options.shape).join(', ')}`);
  const constants = options.safeParse(chosen);
  if (constants.success) return constants.data;
  const [issue] = constants.error.issues;
  return usageFault(`--set ${prefix}${issue?.path.join('.')}: ${issue?.message}`);
}

export interface ResumeRequest {
  /** Gets the versions that the campaign was begun with. */
  readonly versions: (stored: HuntSettings) => Promise<readonly Version[] | Fault>;
  /** How much longer it may hunt. */
  readonly moreMs?: number | undefined;
}

export async function resumeCampaign(path: string, request: ResumeRequest): Promise<Campaign | Fault> {
  const opened = await CampaignFolder.open(path, settingsSchema);
  if (opened instanceof Fault) return opened;
  const { folder, settings: stored } = opened;
  const versions = await request.versions(stored);
  if (versions instanceof Fault) return versions;
  const changed = versions.find((version, at) => buildOf(version) !== stored.builds[at]);
  if (changed !== undefined)
    return environmentFault(
      `${changed.name} is another build than the one ${path} was begun with: ${buildOf(changed)}`,
    );
  if (request.moreMs === undefined) return { folder, settings: stored, versions };
  // What was made smaller after the time took time as well, and is no part of what is asked for now.
  const elapsedMs = await elapsedIn(folder, stored);
  if (elapsedMs instanceof Fault) return elapsedMs;
  const settings = { ...stored, forMs: Math.max(stored.forMs, elapsedMs) + request.moreMs };
  await folder.rewrite(settings);
  return { folder, settings, versions };
}
