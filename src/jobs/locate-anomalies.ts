/** The last step of a hunt: the files that crashes and wrong answers likely come from, kept in the campaign. */

import { join } from 'node:path';
import { Journal, unlessDiskIsFull } from '../campaign/index.js';
import {
  type Campaign,
  decidedCase,
  type FailingCase,
  type HuntData,
  type LocatedResult,
  type OddityLocation,
  type OddityRecord,
  sidesOf,
  storedFormula,
} from '../hunt/index.js';
import {
  type EditedVersion,
  type Evidence,
  type FailureKind,
  gatherEvidence,
  type RankOptions,
  rankFiles,
  rankFunctions,
} from '../locate/index.js';
import { cannotWrite, Fault, limitsFor, type OnStep, ThrownFault } from '../machine/index.js';
import type { Script } from '../smtlib/index.js';
import { checkClaim, openRunner, type Version } from '../solver/index.js';
import { readCampaign, resumeHunt, writeReports } from './campaign.js';
import { oddityWord } from '../report/index.js';

export interface OddityLocator {
  /**
   * What stands for one of the campaign's versions and counts what it executes; undefined where nothing does that may be
   * run now.
   */
  readonly countingFor: (version: Version, at: number) => Promise<Version | undefined | Fault>;
  /** How often its lines were edited; undefined where that is not known. */
  readonly editedIn: (version: Version, onStep: OnStep) => Promise<EditedVersion | undefined | Fault>;
  /** Where what versions execute for ordinary formulas is kept, for everybody. */
  readonly ordinary: string;
  /** What nothing came of is tried once more. */
  readonly isAgain: boolean;
  readonly signal: AbortSignal;
  readonly onStep: OnStep;
}

/** So many formulas near one that fails, and so long at the most: nobody has asked for more yet. */
const mostTried = 200;
const mostMs = 60_000;

/** As many as a reader looks at. */
const mostFiles = 20;
const mostFunctions = 10;

/** What may have been seen as something else by a build that counts. */
const kindsOf: Readonly<Partial<Record<OddityRecord['kind'], readonly FailureKind[]>>> = {
  disagreement: ['verdict', 'model', 'assertion'],
  'wrong-model': ['verdict', 'model', 'assertion'],
  crash: ['crash', 'assertion', 'error'],
  error: ['crash', 'assertion', 'error'],
};

const how: RankOptions = { score: 'culprit', by: 'ochiai', weight: 0.5 };

/** Looks at what nobody has looked at yet. Ended early, what was found by then is there. */
export async function locateOddities(
  campaign: Campaign,
  data: HuntData,
  locator: OddityLocator,
): Promise<HuntData | Fault> {
  const { folder } = campaign;
  const left = data.locations.filter(
    ({ result }) => result === undefined || (locator.isAgain && result.kind === 'fault'),
  );
  if (left.length === 0) return data;
  return unlessDiskIsFull(folder, resumeHunt(folder), async () => {
    const unlock = await folder.lock();
    if (unlock instanceof Fault) return unlock;
    try {
      const journal = Journal.open(folder.journalPath);
      if (journal instanceof Fault) return journal;
      try {
        for (const [number, location] of left.entries()) {
          const onStep: OnStep = (step) =>
            locator.onStep({ ...step, step: `${stepWords(location, number, left.length)}: ${step.step}` });
          const found = await located(location, campaign, { ...locator, onStep });
          // What goes wrong once everything is being ended goes wrong because of that.
          locator.signal.throwIfAborted();
          if (found !== undefined) journal.append({ event: 'located', at: data.elapsedMs, ...found });
        }
      } catch (error) {
        if (!locator.signal.aborted) throw error;
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

function stepWords({ oddity }: OddityLocation, number: number, of: number): string {
  return `files to blame (${oddityWord(oddity.kind)}${of === 1 ? '' : `, ${number + 1} of ${of}`})`;
}

interface Located extends Pick<FailingCase, 'version' | 'isAssumed'> {
  readonly oddity: number;
  readonly on: string;
  readonly result: LocatedResult;
}

/** Undefined where nothing can be looked into. */
async function located(
  location: FailingCase,
  campaign: Campaign,
  locator: OddityLocator,
): Promise<Located | undefined> {
  const { versions } = campaign;
  const formula = storedFormula(location.oddity.text);
  if (formula instanceof Fault) return undefined;
  const decided = location.isAssumed ? await whoFails(location, formula, campaign, locator.signal) : location;
  const { oddity, version: at, isAssumed } = decided;
  const version = versions[at];
  if (version === undefined) return undefined;
  const counting = await locator.countingFor(version, at);
  if (counting === undefined) return undefined;
  const about = { oddity: oddity.id, version: at, isAssumed };
  if (counting instanceof Fault) return { ...about, on: version.name, result: faultOf(counting) };
  const result = await ranked(decided, formula, counting, campaign, locator).catch((error: unknown) => {
    if (error instanceof ThrownFault) return error.fault;
    throw error;
  });
  return { ...about, on: counting.name, result: result instanceof Fault ? faultOf(result) : result };
}

function faultOf({ message }: Fault): LocatedResult {
  return { kind: 'fault', message };
}

/** A model that holds tells who of those that contradict each other is right. */
async function whoFails(
  location: FailingCase,
  formula: Script,
  { versions, settings }: Campaign,
  signal: AbortSignal,
): Promise<FailingCase> {
  const runner = openRunner({ workers: 1 });
  try {
    const limits = limitsFor(settings.slowness.timeoutMs, settings.memoryBytes);
    for (const at of sidesOf(location.oddity).sat) {
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
  { oddity, references }: FailingCase,
  formula: Script,
  version: Version,
  { folder, settings, versions }: Campaign,
  { editedIn, ordinary, signal, onStep }: OddityLocator,
): Promise<LocatedResult | Fault> {
  const name = `located/${String(oddity.id).padStart(4, '0')}`;
  try {
    await folder.makeFolder(name);
  } catch (error) {
    return cannotWrite(join(folder.path, name), error);
  }
  const evidence = await gatherEvidence({
    formula,
    version,
    references: references.flatMap((at) => versions[at] ?? []),
    timeoutMs: settings.slowness.timeoutMs,
    memoryBytes: settings.memoryBytes,
    workers: settings.workers,
    strategy: 'nearest',
    seed: settings.seed,
    written: [],
    mostTried,
    mostMs,
    kinds: kindsOf[oddity.kind],
    out: join(folder.path, name),
    ordinary,
    signal,
    onStep,
  });
  if (evidence instanceof Fault) return evidence;
  const edited = await editedIn(version, onStep);
  return edited instanceof Fault ? edited : resultOf(evidence, edited);
}

function resultOf(evidence: Evidence, edited: EditedVersion | undefined): LocatedResult {
  const { failure, names, tried, failing, witnesses } = evidence;
  return {
    kind: 'ranked',
    says: failure.says,
    counts: names.counts,
    tried,
    failing,
    witnesses: witnesses.length,
    files: rankFiles(evidence, edited, how)
      .slice(0, mostFiles)
      .map(({ name, rank, score, executed, witnesses: mean, edits, commits, stack, message }) => ({
        ...{ name, rank, score, executed, witnesses: mean, edits, commits, stack, message },
      })),
    functions: rankFunctions(evidence, how)
      .slice(0, mostFunctions)
      .map(({ name, rank, score }) => ({ name, rank, score })),
  };
}
