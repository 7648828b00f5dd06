/**
 * From slow formulas and two commits to named culprits, in five steps. Each step stores its result as a file of the
 * folder, and a step with a result is not repeated.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { artifactsFor, type Builds, recipeSchema, versionAt } from '../../builds/index.js';
import { CampaignFolder, fullDiskFault } from '../../campaign/index.js';
import type { Bisection } from '../../history/index.js';
import {
  type BisectSettings,
  bisectionFolder,
  bisectLocally,
  type Dossier,
  dossiers,
  type LocalProgress,
  moreEffort,
  resumeBisection,
  sensitivityFor,
  storedCase,
  verifyingSchema,
} from '../../history/index.js';
import {
  allowKnown,
  amounts,
  Fault,
  limitsFor,
  machineKind,
  type OnStep,
  readInputText,
  usageFault,
} from '../../machine/index.js';
import { type Property, reduceFormula, Slower, VerdictCache } from '../../reduce/index.js';
import { type Repository, shortId } from '../../repository/index.js';
import { printScript, type Script } from '../../smtlib/index.js';
import { type Runner, slownessSchema, type Version } from '../../solver/index.js';
import { type FailingFormula, failureAt, NothingSlower } from './failing-formula.js';

const caseSchema = z.object({ name: z.string(), text: z.string() });

/** The request, as `campaign.json` holds it. */
export const blameSettingsSchema = z.object({
  format: z.literal(1),
  job: z.literal('blame'),
  culprit: z.string(),
  repository: z.string(),
  good: z.string(),
  bad: z.string(),
  recipe: recipeSchema,
  /** Unoptimised builds, compared by effort alone. */
  isQuick: z.boolean().optional(),
  /** Builds all of each commit, not only the sources that the formulas call. */
  isWhole: z.boolean().optional(),
  /** Optimised builds on which the culprits are measured by time at the end. */
  verifying: verifyingSchema.optional(),
  family: z.enum(['z3', 'z3str3', 'cvc4', 'cvc5']).optional(),
  cases: z.array(caseSchema).min(1),
  slowness: slownessSchema,
  memoryBytes: amounts.byteCount,
  seeds: z.array(amounts.seed),
});

export type BlameSettings = z.infer<typeof blameSettingsSchema>;

/** Begins in a new folder, or resumes in a folder that was begun with the same request. */
export async function openBlame(
  path: string,
  asked: BlameSettings,
): Promise<{ readonly folder: CampaignFolder; readonly settings: BlameSettings } | Fault> {
  if (!CampaignFolder.isAt(path)) {
    const folder = await CampaignFolder.create(path, asked);
    return folder instanceof Fault ? folder : { folder, settings: asked };
  }
  const there = await CampaignFolder.open(path, blameSettingsSchema, 'blame');
  if (there instanceof Fault) return there;
  const other = differing(there.settings, asked);
  return other === undefined
    ? there
    : usageFault(`${path} was begun with ${other}: name another folder with --out`);
}

/** The first difference between two requests, in words. The calibrated noise of the machine may differ. */
function differing(before: BlameSettings, now: BlameSettings): string | undefined {
  const parts: readonly (readonly [string, (settings: BlameSettings) => unknown])[] = [
    ['other formulas', ({ cases }) => cases.map(({ text }) => text)],
    ['another repository', ({ repository }) => repository],
    ['another good commit', ({ good }) => good],
    ['another bad commit', ({ bad }) => bad],
    ['another way to build', ({ recipe }) => recipe],
    ['another choice of --whole', ({ isWhole = false }) => isWhole],
    ['another choice of --verify', ({ verifying }) => verifying !== undefined],
    ['another threshold', ({ slowness }) => slowness.thresholdMs],
    ['another time limit', ({ slowness }) => slowness.timeoutMs],
    ['another memory limit', ({ memoryBytes }) => memoryBytes],
    ['other seeds', ({ seeds }) => seeds],
  ];
  return parts.find(([, part]) => !isDeepStrictEqual(part(before), part(now)))?.[0];
}

export interface BlameJob {
  readonly folder: CampaignFolder;
  readonly settings: BlameSettings;
  readonly repository: Repository;
  readonly builds: Builds;
  readonly runner: Runner;
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** Called at the start of each step and with each result. */
  readonly say: (line: string) => void;
  readonly onProgress: (progress: LocalProgress) => void;
  readonly onStep?: OnStep | undefined;
  /** The words with which the user resumes the job. */
  readonly resume: string;
}

export interface BlameResult {
  readonly bisection: Bisection;
  readonly settings: BisectSettings;
  /** One for each commit that made something slower. */
  readonly dossiers: readonly Dossier[];
  /** Formulas that are not slower, but fail on the bad commit. */
  readonly failing: readonly FailingFormula[];
}

export async function blame(job: BlameJob): Promise<BlameResult | Fault> {
  const unlock = await job.folder.lock();
  if (unlock instanceof Fault) return unlock;
  try {
    return await stepByStep(job);
  } catch (error) {
    const full = fullDiskFault(error, job.folder.path, job.resume);
    if (full === undefined) throw error;
    return full;
  } finally {
    await unlock();
  }
}

async function stepByStep(job: BlameJob): Promise<BlameResult | Fault> {
  const { settings, repository, signal, say, onStep } = job;
  const { good, bad, recipe, family, seeds } = settings;
  const building = { step: 'building', total: 2, what: 'commit' };
  say(`1. build ${shortId(good)} and ${shortId(bad)}`);
  onStep?.({ ...building, done: 0, at: shortId(good) });
  const context = { ...job, builder: { recipe, family }, collectArtifacts: artifactsFor(settings) };
  const quick = await versionAt(context, good);
  if (quick instanceof Fault) return quick;
  onStep?.({ ...building, done: 1, at: shortId(bad) });
  const slow = await versionAt(context, bad);
  if (slow instanceof Fault) return slow;

  const begun = await bisectionOf(job, [quick, slow]);
  if (begun instanceof Fault) return begun;

  say(`4. look under ${seeds.length} random seeds, bisect, and verify what is found`);
  const found = await bisectLocally(begun.folder, begun.settings, {
    signal,
    onProgress: job.onProgress,
    onStage: (line) => say(`   ${line}`),
    onStep,
    resume: job.resume,
    onSeeded: ({ name, seeds: under }) =>
      say(`   ${name}: slower under ${under?.slower.length} of ${under?.tried.length}`),
  });
  if (found instanceof Fault) return found;

  say('5. triage and report');
  const named = await dossiers(found.bisection, repository, bad, signal, onStep);
  return named instanceof Fault ? named : { ...found, dossiers: named, failing: begun.failing };
}

interface Begun {
  readonly folder: CampaignFolder;
  readonly settings: BisectSettings;
  readonly failing: readonly FailingFormula[];
}

/** Steps 2 and 3: resumes the bisection of the folder or begins one. */
async function bisectionOf(
  job: BlameJob,
  ends: readonly [good: Version, bad: Version],
): Promise<Begun | Fault> {
  const { folder, settings, say } = job;
  const path = bisectionFolder(folder.path);
  if (CampaignFolder.isAt(path)) {
    say('2. and 3. are done');
    const resumed = await resumeBisection(path, allowKnown(path));
    if (resumed instanceof Fault) return resumed;
    const failing = await failingFormulas(job, ends);
    return failing instanceof Fault ? failing : { ...resumed, failing };
  }
  const cases = await smallCases(job, ends);
  if (cases instanceof Fault) return cases;
  const failing = await failingFormulas(job, ends);
  if (failing instanceof Fault) return failing;
  const [{ family }] = ends;
  const asked = {
    ...bisectSettings(settings, cases),
    solver: family === 'custom' ? undefined : family,
  };
  const made = await CampaignFolder.create(path, asked);
  return made instanceof Fault ? made : { folder: made, settings: asked, failing };
}

type BisectCase = BisectSettings['cases'][number];

/** A formula before it is confirmed and reduced. */
interface WaitingCase {
  readonly name: string;
  readonly text: string;
  readonly formula: Script;
  /** The path of the reduced formula, relative to the folder. */
  readonly file: string;
}

/** Confirms which formulas are slower and reduces those. */
async function smallCases(
  job: BlameJob,
  [good, bad]: readonly [good: Version, bad: Version],
): Promise<readonly BisectCase[] | Fault> {
  const { folder, settings, runner, signal, say, onStep } = job;
  const { memoryBytes, cases } = settings;
  await folder.makeFolder('reduced');
  const waiting = waitingCases(settings);
  if (waiting instanceof Fault) return waiting;
  const { slowness, isQuick } = settings;
  // A property of its own for each formula: it learns how long the older version takes.
  const slower = (): Property =>
    isQuick === true
      ? moreEffort(runner, good, bad, { timeoutMs: slowness.timeoutMs, memoryBytes })
      : new Slower(runner, { newest: bad, others: [good], slowness, memoryBytes });

  say('2. confirm that it is slower');
  const confirmed: WaitingCase[] = [];
  let whyNot = '';
  for (const [done, unconfirmed] of waiting.entries()) {
    const { name, formula, file } = unconfirmed;
    onStep?.({ step: 'confirming', done, total: waiting.length, what: 'formula', at: name });
    if (existsSync(join(folder.path, file)) || (await isSure(slower(), formula, signal)))
      confirmed.push(unconfirmed);
    else {
      whyNot = await slower().explainFailure(formula, signal);
      if (cases.length > 1) say(`   ${name}: ${whyNot}`);
    }
  }
  if (confirmed.length === 0) {
    const failing = await failingFormulas(job, [good, bad]);
    return failing instanceof Fault ? failing : new NothingSlower(whyNot, failing);
  }

  say('3. reduce it');
  const small: BisectCase[] = [];
  for (const [done, unreduced] of confirmed.entries()) {
    const reducing = { step: 'reducing', done, total: confirmed.length, what: 'formula' };
    small.push({
      name: join(folder.path, unreduced.file),
      text: await reducedText(job, slower(), unreduced, (at) => onStep?.({ ...reducing, at })),
    });
  }
  return small;
}

function waitingCases({ cases }: BlameSettings): readonly WaitingCase[] | Fault {
  const waiting: WaitingCase[] = [];
  for (const [at, { name, text }] of cases.entries()) {
    const formula = storedCase(name, text);
    if (formula instanceof Fault) return formula;
    waiting.push({ name, text, formula, file: join('reduced', fileName(name, at, cases.length)) });
  }
  return waiting;
}

/** The formulas that are not slower, but fail on the bad commit. */
async function failingFormulas(
  { folder, settings, runner, signal }: BlameJob,
  ends: readonly [good: Version, bad: Version],
): Promise<readonly FailingFormula[] | Fault> {
  const waiting = waitingCases(settings);
  if (waiting instanceof Fault) return waiting;
  const limits = limitsFor(settings.slowness.timeoutMs, settings.memoryBytes);
  const found: FailingFormula[] = [];
  for (const { name, formula, file } of waiting) {
    if (existsSync(join(folder.path, file))) continue;
    const says = await failureAt(runner, formula, ends, limits, signal);
    if (says !== undefined) found.push({ name, formula, says, reference: ends[0] });
  }
  return found;
}

/** Effort is exact, so the first measurement is enough. */
function isSure(property: Property, formula: Script, signal: AbortSignal): Promise<boolean> {
  return property.confirm?.(formula, signal) ?? property.holds(formula, true, signal);
}

/** The reduced formula. If the careful measurement at the end shows no slowdown, the original is returned. */
async function reducedText(
  { folder, jobs, signal, say }: BlameJob,
  property: Property,
  { name, text, formula, file }: WaitingCase,
  tell: (standing: string) => void,
): Promise<string> {
  const before = readInputText(join(folder.path, file));
  if (!(before instanceof Fault)) return before;
  const known = await VerdictCache.open(property);
  tell(name);
  const reduced = await reduceFormula(formula, property, {
    jobs,
    known,
    signal,
    onProgress: ({ size, tried }) => tell(`${name}: ${text.length} -> ${size} characters, ${tried} tried`),
  });
  signal.throwIfAborted();
  const isSmaller = !(reduced instanceof Fault) && reduced.isSure;
  const small = isSmaller ? printScript(reduced.formula) : text;
  say(
    `   ${name}: ${isSmaller ? `${text.length} -> ${small.length} characters` : 'left as it is: what is smaller is not slower for sure'}`,
  );
  await folder.writeAtomically(file, small);
  return small;
}

/** `some/folder/slow.smt2` becomes `slow.smt2`, with a number in front if there are several formulas. */
function fileName(name: string, at: number, all: number): string {
  return `${all === 1 ? '' : `${at + 1}-`}${name.replace(/.*\//s, '').replace(/(?:\.smt2(?:\.gz)?)?$/, '.smt2')}`;
}

function bisectSettings(settings: BlameSettings, cases: readonly BisectCase[]): BisectSettings {
  const { culprit, repository, good, bad, recipe, isQuick, isWhole, verifying, family } = settings;
  const { slowness, memoryBytes, seeds } = settings;
  const by = isQuick === true ? 'effort' : 'time';
  return {
    format: 1,
    job: 'bisect',
    culprit,
    platform: machineKind(),
    repository,
    good,
    bad,
    line: 'all',
    recipe,
    isQuick,
    isWhole,
    verifying,
    family,
    cases: [...cases],
    isPrinted: false,
    by,
    timeoutMs: slowness.timeoutMs,
    memoryBytes,
    sensitivity: sensitivityFor(by, {
      threshold: by === 'effort' ? undefined : slowness.thresholdMs,
      relativeNoise: slowness.noise.relative,
    }),
    seeding: { seeds, slowness },
    confidence: 0,
    strategy: 'batch',
  };
}
