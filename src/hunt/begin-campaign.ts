/** Begins a campaign in a new folder, or opens an existing one to resume it. */

import { CampaignFolder, timeStampedFolder } from '../campaign/index.js';
import { checkCounting } from '../coverage/index.js';
import { environmentFault, Fault, machineKind, usageFault } from '../machine/index.js';
import { type LogicName, printScript, type Script } from '../smtlib/index.js';
import { askedSlowness, type SlownessRequest, type Version } from '../solver/index.js';
import { buildIdentity } from './build-identity.js';
import { elapsedIn } from './collect-journal.js';
import { recallKinds } from './memory.js';
import { type HuntSettings, settingsSchema } from './settings.js';
import { type StrategyName, strategies } from './strategies/index.js';

export interface Campaign {
  readonly folder: CampaignFolder;
  readonly settings: HuntSettings;
  /** In the order of `settings.versions`. */
  readonly versions: readonly Version[];
}

export interface CampaignRequest {
  /** The version of culprit itself. */
  readonly culprit: string;
  readonly strategy: StrategyName;
  /** Overrides of the strategy's constants. */
  readonly constants: Readonly<Record<string, unknown>>;
  /** Gets the versions, the newest last. Called after all other checks, since it may download or build. */
  readonly versions: () => Promise<readonly Version[] | Fault>;
  /** Default: from the clock. */
  readonly seed?: number | undefined;
  readonly workers: number;
  readonly logic: LogicName;
  readonly slowness: SlownessRequest;
  readonly memoryBytes: number;
  readonly forMs?: number | undefined;
  readonly corpus: readonly Script[];
  /** Ignore kinds that earlier campaigns found. */
  readonly ignoresKnownKinds: boolean;
  /** Default: named after the time. */
  readonly out?: string | undefined;
}

const usualForMs = 120_000;

export async function beginCampaign(request: CampaignRequest): Promise<Campaign | Fault> {
  const { culprit, strategy, workers, logic, memoryBytes } = request;
  const options = strategyConstants(strategy, request.constants);
  if (options instanceof Fault) return options;
  const versions = await request.versions();
  if (versions instanceof Fault) return versions;
  const newest = versions.at(-1);
  if (newest === undefined || versions.length < 2)
    return usageFault('a hunt needs two versions: --on OLD,NEW');
  const uncounted = await checkStrategySupport([strategy], newest);
  if (uncounted !== undefined) return uncounted;
  const builds = versions.map(buildIdentity);
  const known = request.ignoresKnownKinds ? [] : await recallKinds(builds);
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

/** A fault if a strategy needs coverage and that version does not count it. */
export async function checkStrategySupport(
  names: readonly StrategyName[],
  newest: Version,
): Promise<Fault | undefined> {
  return names.some((name) => strategies[name].isCounting) ? checkCounting(newest) : undefined;
}

/**
 * All constants of a strategy: the chosen values and defaults.
 *
 * @param prefix what precedes a constant's name in the user's notation, for messages
 */
export function strategyConstants(
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
  /** Additional hunting time. */
  readonly moreMs?: number | undefined;
}

export async function resumeCampaign(path: string, request: ResumeRequest): Promise<Campaign | Fault> {
  const opened = await CampaignFolder.open(path, settingsSchema);
  if (opened instanceof Fault) return opened;
  const { folder, settings: stored } = opened;
  const versions = await request.versions(stored);
  if (versions instanceof Fault) return versions;
  const changed = versions.find((version, at) => buildIdentity(version) !== stored.builds[at]);
  if (changed !== undefined)
    return environmentFault(
      `${changed.name} is no longer the build that ${path} began with; it is now ${buildIdentity(changed)}`,
    );
  if (request.moreMs === undefined) return { folder, settings: stored, versions };
  // Reducing findings ran past the time limit; the additional time starts after it.
  const elapsedMs = await elapsedIn(folder, stored);
  if (elapsedMs instanceof Fault) return elapsedMs;
  const settings = { ...stored, forMs: Math.max(stored.forMs, elapsedMs) + request.moreMs };
  await folder.rewrite(settings);
  return { folder, settings, versions };
}
