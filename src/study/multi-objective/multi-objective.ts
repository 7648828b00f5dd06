/** Repeats MulStringFuzz's Table I: the populations of each variant under the same budget. */

import { join } from 'node:path';
import { mean } from 'simple-statistics';
import { z } from 'zod';
import { CampaignFolder, measureFormulas, readJournal } from '../../campaign/index.js';
import { packedFromText } from '../../coverage/index.js';
import {
  CoverageScorer,
  Hunt,
  type HuntSettings,
  type Member,
  replayJournal,
  type StrategyName,
  settingsSchema,
  storedFormula,
  timeScoreOf,
} from '../../hunt/index.js';
import { amounts, Fault, limitsFor, type OnStep } from '../../machine/index.js';
import { measure, printScript } from '../../smtlib/index.js';
import { type Runner, spentMs, type Version } from '../../solver/index.js';
import { rankProbability } from '../../statistics/index.js';

/** The result of one campaign. */
export interface PopulationResult {
  readonly variant: StrategyName;
  readonly repeat: number;
  readonly formulas: number;
  readonly generations: number;
  /** Lines, or functions, that any formula of the campaign executed. */
  readonly totalLines: number;
  /** The final population. */
  readonly members: readonly ResultMember[];
  /** Mean time score of the population after each generation, in milliseconds. */
  readonly convergence: readonly {
    readonly generation: number;
    readonly atMs: number;
    readonly meanMs: number;
  }[];
}

export interface ResultMember {
  readonly text: string;
  /** By the variant's own time goal, in milliseconds. */
  readonly timeScoreMs: number;
  readonly lines: number;
  readonly complexity: number;
}

export interface ReadPopulation {
  readonly settings: HuntSettings;
  /** True if it used its whole time budget. */
  readonly hasEnded: boolean;
  readonly result: PopulationResult;
}

/** Reads a campaign's population and total coverage from its journal. */
export async function readPopulation(
  path: string,
  variant: StrategyName,
  repeat: number,
  onRead?: OnStep,
): Promise<ReadPopulation | Fault> {
  const opened = await CampaignFolder.open(path, settingsSchema);
  if (opened instanceof Fault) return opened;
  const hunt = Hunt.of(opened.settings);
  if (hunt instanceof Fault) return hunt;
  const score = timeGoalOf(opened.settings);
  const most = new CoverageScorer();
  const convergence: { generation: number; atMs: number; meanMs: number }[] = [];
  let generations = 0;
  let hasEnded = false;
  const played = await replayJournal(
    opened.folder,
    hunt,
    (event) => {
      if (event.event === 'ended') hasEnded = event.why === 'time';
      if (event.event !== 'tried') return;
      if (event.executed !== undefined) most.score(packedFromText(event.executed));
      const now = hunt.view().parameters.generations ?? 0;
      if (now === generations) return;
      generations = now;
      const population = hunt.population();
      if (population.length > 0)
        convergence.push({ generation: now, atMs: event.at, meanMs: mean(population.map(score)) });
    },
    onRead,
  );
  if (played instanceof Fault) return played;
  return {
    settings: opened.settings,
    hasEnded,
    result: {
      variant,
      repeat,
      formulas: hunt.triedCount,
      generations,
      totalLines: most.lines,
      members: hunt.population().map((member) => ({
        text: printScript(member.formula),
        timeScoreMs: score(member),
        lines: member.executed?.lines ?? 0,
        complexity: measure(member.formula).complexity,
      })),
      convergence,
    },
  };
}

/** The goal that the paper reports: the time that the variant maximizes. */
function timeGoalOf({ strategy, options }: HuntSettings): (member: Member) => number {
  const { objectives } = options;
  const isDifference =
    strategy === 'stringfuzz-difference' || (Array.isArray(objectives) && objectives.includes('time'));
  return isDifference ? timeScoreOf : ({ runs }) => timeOf(runs.at(-1));
}

function timeOf(run: Member['runs'][number]): number {
  return run === undefined ? 0 : spentMs(run);
}

const longRunSchema = z.object({
  text: z.string(),
  version: z.string(),
  limitMs: amounts.milliseconds,
  /** Missing in files of older versions of culprit. */
  memoryBytes: amounts.byteCount.optional(),
  outcome: z.string(),
  spentMs: amounts.milliseconds,
});

/** A run of a final formula on the newest version with a long time limit. */
export type LongRun = z.infer<typeof longRunSchema>;

export interface LongRunsJob {
  /** The folder of the stored runs; stored runs are not repeated. */
  readonly out: string;
  readonly texts: readonly string[];
  readonly version: Version;
  readonly limitMs: number;
  readonly memoryBytes: number;
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly onRun?: ((done: number, of: number) => void) | undefined;
}

const longRunsFile = 'long-runs.ndjson';

/** Runs by the formula's text. If aborted, it returns the finished runs. */
export function runLong(runner: Runner, job: LongRunsJob): Promise<ReadonlyMap<string, LongRun> | Fault> {
  const { out, texts, version, limitMs, memoryBytes, workers, signal } = job;
  return measureFormulas({
    path: join(out, longRunsFile),
    texts,
    read: readLongRun,
    // A run without a recorded memory limit is repeated: it may have ended for lack of memory.
    matches: (run) =>
      run.version === version.name && run.limitMs === limitMs && run.memoryBytes === memoryBytes,
    measure: (text) => longRun(runner, text, job),
    workers,
    signal,
    onDone: job.onRun,
  });
}

/** The stored runs with the latest limits. Runs no solver. */
export async function readLongRuns(out: string, version: string): Promise<LongRuns | Fault> {
  const all: LongRun[] = [];
  for await (const run of readJournal(join(out, longRunsFile), readLongRun)) {
    if (run instanceof Fault) return run;
    if (run.version === version) all.push(run);
  }
  const { limitMs, memoryBytes } = all.at(-1) ?? {};
  const asked = all.filter((run) => run.limitMs === limitMs && run.memoryBytes === memoryBytes);
  return { limitMs, byText: new Map(asked.map((run) => [run.text, run])) };
}

export interface LongRuns {
  /** Undefined before the first run. */
  readonly limitMs: number | undefined;
  readonly byText: ReadonlyMap<string, LongRun>;
}

function readLongRun(value: unknown): LongRun | undefined {
  return longRunSchema.safeParse(value).data;
}

async function longRun(
  runner: Runner,
  text: string,
  { version, limitMs, memoryBytes, signal }: LongRunsJob,
): Promise<LongRun | undefined> {
  const formula = storedFormula(text);
  // A campaign parses all formulas of its population, so its files were edited.
  if (formula instanceof Fault) return undefined;
  try {
    const run = await runner.run({ formula, version, limits: limitsFor(limitMs, memoryBytes) }, signal);
    const limits = { limitMs, memoryBytes };
    return { text, version: version.name, ...limits, outcome: run.outcome, spentMs: spentMs(run) };
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Columns of Table I, a number per campaign each. */
export const populationColumns = {
  totalLines: 'lines in all',
  averageLines: 'lines on average',
  averageTimeScore: 'time score, s',
  timeouts: 'timeouts',
  averageComplexity: 'complexity',
} as const;

export type PopulationColumn = keyof typeof populationColumns;
export const populationColumnNames = Object.keys(populationColumns) as PopulationColumn[];

/**
 * Table I's figures of a campaign. Undefined if it ended without a formula; no timeouts until all its formulas had a
 * long run.
 */
export function populationFigures(
  { totalLines, members }: PopulationResult,
  longRuns: ReadonlyMap<string, LongRun>,
): Readonly<Record<PopulationColumn, number | undefined>> | undefined {
  if (members.length === 0) return undefined;
  const average = (of: (member: ResultMember) => number): number => mean(members.map(of));
  return {
    totalLines,
    averageLines: average(({ lines }) => lines),
    averageTimeScore: average(({ timeScoreMs }) => timeScoreMs / 1000),
    timeouts: timeoutsOf(members, longRuns),
    averageComplexity: average(({ complexity }) => complexity),
  };
}

function timeoutsOf(
  members: readonly ResultMember[],
  longRuns: ReadonlyMap<string, LongRun>,
): number | undefined {
  const outcomes = members.map(({ text }) => longRuns.get(text)?.outcome);
  return outcomes.includes(undefined) ? undefined : outcomes.filter((one) => one === 'timeout').length;
}

/** The variants in the order of Table I. */
export const publishedVariants: readonly StrategyName[] = [
  'stringfuzz',
  'stringfuzz-difference',
  'mulstringfuzz',
  'mulstringfuzz-only-time',
  'mulstringfuzz-no-coverage',
  'mulstringfuzz-no-complexity',
  'mulstringfuzz-default-crowding',
];

/** One variant, over its campaigns. */
export interface PopulationRow {
  readonly variant: StrategyName;
  readonly campaigns: number;
  readonly figures: Readonly<Record<PopulationColumn, readonly number[]>>;
  /** p-value of each difference to the default variant (rank test); undefined for the default itself. */
  readonly luck: Readonly<Record<PopulationColumn, number>> | undefined;
}

/** The default variant, with which the others are compared. */
export const defaultVariant: StrategyName = 'mulstringfuzz';

export function populationTable(
  results: readonly PopulationResult[],
  longRuns: ReadonlyMap<string, LongRun>,
): readonly PopulationRow[] {
  const variants = [...new Set(results.map(({ variant }) => variant))];
  const figuresOf = (variant: StrategyName): PopulationRow['figures'] => {
    const own = results
      .filter((result) => result.variant === variant)
      .flatMap((result) => populationFigures(result, longRuns) ?? []);
    return forEachColumn((column) => own.flatMap((figures) => figures[column] ?? []));
  };
  const usual = figuresOf(defaultVariant);
  return variants.map((variant) => {
    const figures = figuresOf(variant);
    const luck =
      variant === defaultVariant || usual.totalLines.length === 0
        ? undefined
        : forEachColumn((column) => rankProbability(figures[column], usual[column], 'different'));
    return { variant, campaigns: figures.totalLines.length, figures, luck };
  });
}

function forEachColumn<Value>(of: (column: PopulationColumn) => Value): Record<PopulationColumn, Value> {
  return Object.fromEntries(populationColumnNames.map((column) => [column, of(column)])) as Record<
    PopulationColumn,
    Value
  >;
}
