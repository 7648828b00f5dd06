/** Runs a bisection on this machine, with its folder, its journal and its solvers. */

import { availableParallelism, totalmem } from 'node:os';
import { artifactsFor, localBuilds, type Recipe, versionAt, versionOfProgram } from '../../builds/index.js';
import { type CampaignFolder, fullDiskFault, Journal, readJournal } from '../../campaign/index.js';
import { Fault, type OnStep } from '../../machine/index.js';
import { Repository, shortId } from '../../repository/index.js';
import { openRunner, type Runner, readCalibration } from '../../solver/index.js';
import { withEffortLimits } from '../measuring/effort-limits.js';
import { CommandMeasurer, type FormulaCase, type Measurer, SolverMeasurer } from '../measuring/measurer.js';
import { partialBuildsOf } from '../measuring/partial-builds-of.js';
import { type SeededCase, withSeeds } from '../measuring/seeded.js';
import { bisect } from './bisect.js';
import { type BisectEvent, bisectEventReader } from './bisect-events.js';
import { type BisectProgress, LeftTime } from './bisect-progress.js';
import type { Bisection } from './bisection.js';
import { writeBisection } from './bisection-file.js';
import type { BisectSettings } from './settings.js';
import { storedCase } from './stored-case.js';
import { verifiedByTime } from './verify-by-time.js';

export interface LocalProgress extends BisectProgress {
  /** The estimated remaining time, from the builds so far. */
  readonly leftMs: number | undefined;
}

/** The listeners of a bisection. */
export interface LocalWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: LocalProgress) => void;
  readonly onSeeded?: ((seeded: SeededCase) => void) | undefined;
  /** Called with a line for each preparation before the search. */
  readonly onStage?: ((line: string) => void) | undefined;
  /** Progress of the preparation. */
  readonly onStep?: OnStep | undefined;
  /** The words with which the user resumes the job. */
  readonly resume: string;
}

interface Seeding {
  readonly repository: Repository;
  readonly runner: Runner;
  readonly signal: AbortSignal;
  readonly onSeeded: (seeded: SeededCase) => void;
  readonly onStage: (line: string) => void;
  readonly onStep: OnStep | undefined;
}

export interface LocalBisection {
  readonly bisection: Bisection;
  /** The request with the seeds that were found. */
  readonly settings: BisectSettings;
}

/** Begins or resumes a bisection, and writes `bisection.json` at its end. */
export async function bisectLocally(
  folder: CampaignFolder,
  asked: BisectSettings,
  { signal, onProgress, onSeeded = () => {}, onStage = () => {}, onStep, resume }: LocalWatch,
): Promise<LocalBisection | Fault> {
  const repository = await Repository.open(asked.repository, signal);
  if (repository instanceof Fault) return repository;
  const line = await repository.line(asked.good, asked.bad, 'first-parent', signal);
  if (line instanceof Fault) return line;
  onStage(
    `${asked.cases.length} ${asked.cases.length === 1 ? 'case' : 'cases'} over ${line.length} commits; measurements are stored in ${folder.path}`,
  );
  const unlock = await folder.lock();
  if (unlock instanceof Fault) return unlock;
  const journal = Journal.open(folder.journalPath);
  if (journal instanceof Fault) {
    await unlock();
    return journal;
  }
  // Effort does not depend on the load of the machine.
  const runner = openRunner({ workers: asked.by === 'effort' ? availableParallelism() : 1 });
  try {
    const seeded = await seededSettings(folder, asked, {
      repository,
      runner,
      signal,
      onSeeded,
      onStage,
      onStep,
    });
    if (seeded instanceof Fault) return seeded;
    const settings = await limitedSettings(folder, seeded, { repository, runner, signal, onStage, onStep });
    if (settings instanceof Fault) return settings;
    const known: BisectEvent[] = [];
    for await (const event of readJournal(folder.journalPath, bisectEventReader(settings.cases.length))) {
      if (event instanceof Fault) return event;
      known.push(event);
    }
    const formulas = settings.command === undefined ? formulaCases(settings.cases) : [];
    if (formulas instanceof Fault) return formulas;
    const measurer = measurerOf(settings, formulas, runner);
    const builds = localBuilds();
    const workers = availableParallelism();
    const left = new LeftTime(performance.now());
    // If a command never started, its results are not stored: it may be installed when the user resumes.
    const isUnstarted = (): boolean =>
      measurer instanceof CommandMeasurer && measurer.unstarted !== undefined;
    const waiting: BisectEvent[] = [];
    const found = await bisect({
      repository,
      line,
      intoMerges: settings.line === 'all',
      recipe: settings.recipe,
      builds,
      partial: partialBuildsOf(settings, { folder, repository, builds, formulas, workers, signal, onStage }),
      measurer,
      sensitivity: settings.sensitivity,
      confidence: settings.confidence,
      strategy: settings.strategy,
      slots: slotsFor(settings.recipe),
      jobs: workers,
      signal,
      known,
      onEvent: (event) => {
        waiting.push(event);
        if (!isUnstarted()) journal.append(...waiting.splice(0));
      },
      onProgress: (progress) => {
        if (progress.news !== undefined) left.hear(progress.news, performance.now());
        onProgress({ ...progress, leftMs: left.of(progress.remaining) });
      },
    });
    if (found instanceof Fault) return found;
    if (measurer instanceof CommandMeasurer && measurer.unstarted !== undefined) return measurer.unstarted;
    await writeBisection(folder, found);
    const timed = await timedBisection(found, settings, { repository, signal, onStage, onStep });
    if (timed instanceof Fault) return timed;
    if (timed !== found) await writeBisection(folder, timed);
    return { bisection: timed, settings };
  } catch (error) {
    const full = fullDiskFault(error, folder.path, resume);
    if (full === undefined) throw error;
    return full;
  } finally {
    journal.close();
    await runner.close();
    await unlock();
  }
}

async function seededSettings(
  folder: CampaignFolder,
  settings: BisectSettings,
  { repository, runner, signal, onSeeded, onStage, onStep }: Seeding,
): Promise<BisectSettings | Fault> {
  const { seeding, cases, recipe, family, good, bad } = settings;
  if (seeding === undefined || cases.every(({ seeds }) => seeds !== undefined)) return settings;
  const builder = { recipe, family };
  const context = {
    repository,
    builder,
    builds: localBuilds(),
    jobs: availableParallelism(),
    signal,
    collectArtifacts: artifactsFor(settings),
  };
  onStage(
    `building ${shortId(good)} and ${shortId(bad)} to run every case under ${seeding.seeds.length} seeds`,
  );
  const quick = await versionAt(context, good);
  if (quick instanceof Fault) return quick;
  onStage(`built ${shortId(good)}`);
  const slow = await versionAt(context, bad);
  if (slow instanceof Fault) return slow;
  onStage(`built ${shortId(bad)}`);
  return withSeeds(settings, { folder, runner, ends: [quick, slow], signal, onCase: onSeeded, onStep });
}

/** If effort is compared, the limit of a case is the effort that the good commit spends within the time limit. */
async function limitedSettings(
  folder: CampaignFolder,
  settings: BisectSettings,
  { repository, runner, signal, onStage, onStep }: Omit<Seeding, 'onSeeded'>,
): Promise<BisectSettings | Fault> {
  const { by, command, cases, recipe, family } = settings;
  if (by === 'time' || command !== undefined || cases.every(({ mostEffort }) => mostEffort !== undefined))
    return settings;
  const context = {
    repository,
    builder: { recipe, family },
    builds: localBuilds(),
    jobs: availableParallelism(),
    signal,
    collectArtifacts: artifactsFor(settings),
  };
  onStage(`building ${shortId(settings.good)} to see what each case may do within the time limit`);
  const good = await versionAt(context, settings.good);
  if (good instanceof Fault) return good;
  return withEffortLimits(settings, { folder, runner, good, signal, onStep });
}

async function timedBisection(
  found: Bisection,
  { verifying, memoryBytes, cases, recipe, family }: BisectSettings,
  { repository, signal, onStage, onStep }: Pick<Seeding, 'repository' | 'signal' | 'onStage' | 'onStep'>,
): Promise<Bisection | Fault> {
  if (verifying === undefined || found.culprits.length === 0) return found;
  const formulas = formulaCases(cases);
  if (formulas instanceof Fault) return formulas;
  const { relative } = await readCalibration();
  return verifiedByTime(
    found,
    {
      ...verifying,
      memoryBytes,
      formulas,
      names: cases.map(({ name }) => name),
      relativeNoise: relative,
      onStage,
      onStep,
    },
    { repository, builder: { recipe, family }, builds: localBuilds(), jobs: availableParallelism(), signal },
  );
}

/** As many builds at once as memory and cores allow. */
function slotsFor({ memoryMegabytes }: Recipe): number {
  const fitting = Math.floor(totalmem() / (memoryMegabytes * (1 << 20)) / 2);
  return Math.max(1, Math.min(availableParallelism() >> 1, fitting));
}

function measurerOf(settings: BisectSettings, formulas: readonly FormulaCase[], runner: Runner): Measurer {
  const { command, cases, isPrinted, timeoutMs, memoryBytes, family, by } = settings;
  if (command !== undefined) {
    const commands = cases.map(({ name }) => command.map((word) => word.replaceAll('{case}', name)));
    return new CommandMeasurer({ commands, limitMs: timeoutMs, isPrinted });
  }
  const versionOf = (program: string) => versionOfProgram(program, family);
  return new SolverMeasurer(runner, formulas, versionOf, { timeoutMs, memoryBytes }, by);
}

function formulaCases(cases: BisectSettings['cases']): readonly FormulaCase[] | Fault {
  const formulas: FormulaCase[] = [];
  for (const { name, text = '', seed, mostEffort } of cases) {
    const formula = storedCase(name, text);
    if (formula instanceof Fault) return formula;
    formulas.push({ formula, seed, mostEffort });
  }
  return formulas;
}
