/** Ranks files, functions and lines by how likely they cause the failure. */

import { type CalledFunction, fileOf, lineOf } from '../coverage/index.js';
import { type AggregateName, aggregates } from './aggregate.js';
import type { ExecutedFunctions } from './executed-functions.js';
import type { EditedVersion } from './lines/edited-lines.js';
import type { Evidence } from './locate.js';
import { type Ranked, ranked } from './ranked-scores.js';
import { combinedScores, excessOf, groupedBy, historyScores, meansBy, rareExcessOf } from './spectra.js';
import type { SuspicionName } from './suspicion.js';

/**
 * - `smtloc`: the paper's score (Eq. 6).
 * - `culprit`: the amount of code that the failing formula executes and that neither witnesses nor ordinary formulas
 *   do, times the logarithm of the file's commits, plus the weighted columns.
 */
export const scoreNames = ['culprit', 'smtloc'] as const;
export type ScoreName = (typeof scoreNames)[number];

/** Additional evidence, from 0 to 1 per file, each with a weight. */
export const columnNames = ['stack', 'message', 'recency', 'commits', 'older'] as const;
export type ColumnName = (typeof columnNames)[number];

export const defaultWeights: Readonly<Record<ColumnName, number>> = {
  stack: 1,
  message: 1,
  recency: 0,
  commits: 0,
  older: 0,
};

export interface RankOptions {
  readonly score: ScoreName;
  readonly by: SuspicionName;
  /** Weight of coverage against history (Eq. 6). */
  readonly weight: number;
  /** For `culprit`: combines lines into files. */
  readonly aggregate?: AggregateName | undefined;
  /** For `culprit`: lines that ordinary formulas execute count less. Default: true. */
  readonly discountsOrdinary?: boolean | undefined;
  /** For `culprit`: weights of the columns. */
  readonly weights?: Readonly<Partial<Record<ColumnName, number>>> | undefined;
  /** Files that suspected commits changed, for example commits found by a bisection. */
  readonly suspected?: ReadonlySet<string> | undefined;
}

export type RankInput = Pick<Evidence, 'spectrum' | 'names' | 'stack' | 'failedCheck' | 'older'>;

/** A ranked file with the inputs of its score. */
export interface RankedFile extends Ranked {
  readonly coverage: number;
  /** Eq. 5; undefined without history. */
  readonly history: number | undefined;
  /** Total suspicion above that of lines that every witness executes. */
  readonly excess: number;
  /** `excess`, reduced for lines that ordinary formulas execute. */
  readonly rare: number;
  /** Place among the files on the call stack, the innermost call first. */
  readonly stack: number | undefined;
  /** Line that a failed assertion of the solver names. */
  readonly message: number | undefined;
  /** Share of its executed places in functions that an older version does not execute. */
  readonly older: number | undefined;
  /** Place of the last edit to an executed line in the history: 1 for the newest commit. */
  readonly recency: number | undefined;
  /** Commits that changed the file. */
  readonly commits: number | undefined;
  /** Executed lines, and the mean number of witnesses that execute each of them. */
  readonly executed: number;
  readonly witnesses: number;
  /** Mean number of edits per line. */
  readonly edits: number | undefined;
}

/** @param edited undefined without history */
export function rankFiles(
  known: RankInput,
  edited: EditedVersion | undefined,
  options: RankOptions,
): readonly RankedFile[] {
  const { spectrum, names } = known;
  const { by, weight } = options;
  const nameAt = (place: number): string => names.files[fileOf(place)] ?? '';
  const places = [...spectrum.places(by)];
  const coverage = meansBy(places, nameAt);
  const witnesses = meansBy(
    places.map(([place]) => [place, spectrum.passingAt(place)] as const),
    nameAt,
  );
  const total = (values: readonly number[] = []): number => values.reduce((sum, value) => sum + value, 0);
  const excess = groupedBy(excessOf(spectrum, by), nameAt);
  const rare = groupedBy(rareExcessOf(spectrum, by), nameAt);
  const telling = options.discountsOrdinary === false ? excess : rare;
  const history = edited && historyScores(edited.files);
  const stack = placesOnStack(known.stack, ({ file }) => file);
  const recency = edited && recencyByFile(known, edited);
  const named = assertionLocation(known);
  const older = known.older && newFunctionShares(known, known.older);
  const commitsOf = (name: string): number => edited?.files.get(name)?.commits ?? 0;
  const columns: Columns = {
    stack: (name) => 1 / (stack.get(name) ?? Number.POSITIVE_INFINITY),
    message: (name) => (named?.file === name ? 1 : 0),
    recency: (name) => recency?.get(name) ?? 0,
    commits: (name) => (options.suspected?.has(name) ? 1 : 0),
    older: (name) => older?.get(name) ?? 0,
  };
  const aggregate = aggregates[options.aggregate ?? 'sum'];
  const suspicious = [...telling].map(([name, values]): [string, number] => [
    name,
    aggregate(values) * (edited === undefined ? 1 : Math.log1p(commitsOf(name))),
  ]);
  const scores =
    options.score === 'smtloc'
      ? history === undefined
        ? coverage
        : combinedScores(coverage, history, weight)
      : withColumns(suspicious, columns, { ...defaultWeights, ...options.weights });
  return ranked(scores).map((one) => ({
    ...one,
    coverage: coverage.get(one.name) ?? 0,
    excess: total(excess.get(one.name)),
    rare: total(rare.get(one.name)),
    stack: stack.get(one.name),
    message: named?.file === one.name ? named.line : undefined,
    older: older?.get(one.name),
    recency: recency?.get(one.name),
    commits: edited && commitsOf(one.name),
    history: history && (history.get(one.name) ?? 0),
    executed: excess.get(one.name)?.length ?? 0,
    witnesses: witnesses.get(one.name) ?? 0,
    edits: edited && meanEdits(edited, one.name),
  }));
}

type Columns = Readonly<Record<ColumnName, (name: string) => number>>;

/** Scores normalized to the highest one, plus the weighted columns. */
function withColumns(
  suspicious: readonly (readonly [string, number])[],
  columns: Partial<Columns>,
  weights: Readonly<Record<ColumnName, number>>,
): ReadonlyMap<string, number> {
  const most = suspicious.reduce((high, [, value]) => Math.max(high, value), 0);
  return new Map(
    suspicious.map(([name, value]) => {
      const beside = columnNames.reduce(
        (sum, column) => sum + weights[column] * (columns[column]?.(name) ?? 0),
        0,
      );
      return [name, (most === 0 ? 0 : Math.max(0, value) / most) + beside];
    }),
  );
}

/** From 1; with recursion, the innermost call counts. */
function placesOnStack(
  stack: readonly CalledFunction[],
  keyOf: (call: CalledFunction) => string,
): ReadonlyMap<string, number> {
  const keys = [...new Set(stack.map(keyOf))];
  return new Map(keys.map((key, at) => [key, at + 1]));
}

/** The location of a failed assertion, with the file's name in the coverage. */
function assertionLocation({
  failedCheck,
  names,
}: RankInput): { readonly file: string; readonly line: number } | undefined {
  const { file, line } = failedCheck ?? {};
  if (file === undefined || line === undefined) return undefined;
  // Compilers run in other folders, so the path may start with `../` or be absolute.
  const path = file.replace(/^(?:\.{1,2}\/)+/, '');
  const fitting = names.files.filter(
    (name) => name === path || path.endsWith(`/${name}`) || name.endsWith(`/${path}`),
  );
  const [first] = fitting.toSorted((a, b) => Number(b === path) - Number(a === path));
  return first === undefined ? undefined : { file: first, line };
}

/** Per file, the share of executed places in functions that the older version does not execute. */
function newFunctionShares(
  { spectrum, names }: RankInput,
  older: ExecutedFunctions,
): ReadonlyMap<string, number> {
  const places = [...spectrum.places()].flatMap(([place]): [number, number][] => {
    const isOld = older.has(place, names);
    return isOld === undefined ? [] : [[place, isOld ? 0 : 1]];
  });
  return meansBy(places, (place) => names.files[fileOf(place)] ?? '');
}

function meanEdits({ files }: EditedVersion, file: string): number {
  const { times } = files.get(file) ?? { times: new Uint32Array(0) };
  return times.length === 0 ? 0 : times.reduce((sum, time) => sum + time, 0) / times.length;
}

/** Per file, the relative age of the newest edit to an executed line. */
function recencyByFile(
  { spectrum, names }: RankInput,
  { files, commits }: EditedVersion,
): ReadonlyMap<string, number> {
  const latest = new Map<string, number>();
  for (const [place] of spectrum.places()) {
    const file = names.files[fileOf(place)] ?? '';
    const last = files.get(file)?.last[lineOf(place) - 1] ?? -1;
    latest.set(file, Math.max(latest.get(file) ?? 0, last + 1));
  }
  return new Map([...latest].map(([file, number]) => [file, number / Math.max(1, commits.length)]));
}

export interface RankedFunction extends Ranked {
  readonly stack: number | undefined;
}

/** `smtloc`: the paper's mean. `culprit`: the score of files without history. */
export function rankFunctions(known: RankInput, options: RankOptions): readonly RankedFunction[] {
  const { spectrum, names } = known;
  const functionAt = (place: number): string | undefined => names.functionAt(fileOf(place), lineOf(place));
  const stack = placesOnStack(known.stack, ({ name }) => name);
  const aggregate = aggregates[options.aggregate ?? 'sum'];
  const grouped = groupedBy(rareExcessOf(spectrum, options.by), functionAt);
  const suspicious = [...grouped].map(([name, values]): [string, number] => [name, aggregate(values)]);
  const scores =
    options.score === 'smtloc'
      ? meansBy(spectrum.places(options.by), functionAt)
      : withColumns(
          suspicious,
          { stack: (name) => 1 / (stack.get(name) ?? Number.POSITIVE_INFINITY) },
          { ...defaultWeights, ...options.weights },
        );
  return ranked(scores).map((one) => ({ ...one, stack: stack.get(one.name) }));
}

/** A line that the failing formula executes. */
export interface RankedLine {
  readonly file: string;
  readonly line: number;
  readonly score: number;
  readonly rank: number;
  /** Witnesses and ordinary formulas that execute it too. */
  readonly witnesses: number;
  readonly ordinary: number;
}

/** `smtloc`: the paper's suspicion. `culprit`: the excess over lines that every formula executes. */
export function rankLines({ spectrum, names }: RankInput, { score, by }: RankOptions): readonly RankedLine[] {
  // Sorted by score, then by file and line. Equal scores share the worst rank.
  const scored = [...(score === 'smtloc' ? spectrum.places(by) : rareExcessOf(spectrum, by))];
  const sorted = scored.toSorted(([a, one], [b, other]) => other - one || a - b);
  const found: RankedLine[] = [];
  let rank = sorted.length;
  for (const [at, [place, value]] of [...sorted.entries()].toReversed()) {
    if (sorted[at + 1]?.[1] !== value) rank = at + 1;
    found.push({
      file: names.files[fileOf(place)] ?? '',
      line: lineOf(place),
      score: value,
      rank,
      witnesses: spectrum.passingAt(place),
      ordinary: spectrum.ordinaryAt(place),
    });
  }
  return found.toReversed();
}
