/** Files, functions and lines in the order of how likely they are to blame. */

import { type CalledFunction, fileOf, lineOf } from '../coverage/index.js';
import { type AggregateName, aggregates } from './aggregate.js';
import type { EditedVersion } from './lines/edited-lines.js';
import type { Evidence } from './locate.js';
import type { ExecutedFunctions } from './other-way.js';
import { type Ranked, ranked } from './ranking.js';
import { combinedScores, excessOf, groupedBy, historyScores, meansBy, rareExcessOf } from './spectra.js';
import type { SuspicionName } from './suspicion.js';

/**
 * `smtloc`: as the paper has it (Eq. 6). `culprit`: how much there is in a file that the failing formula executes and
 * neither witnesses nor ordinary formulas do, and how many commits have touched it; and where it crashed, if it did.
 */
export const scoreNames = ['culprit', 'smtloc'] as const;
export type ScoreName = (typeof scoreNames)[number];

/** What a user may know besides, each from 0 to 1 for a file, and how much it weighs beside the score. */
export const columnNames = ['stack', 'message', 'recency', 'commits', 'older'] as const;
export type ColumnName = (typeof columnNames)[number];

export const usualWeights: Readonly<Record<ColumnName, number>> = {
  stack: 1,
  message: 1,
  recency: 0,
  commits: 0,
  older: 0,
};

export interface RankOptions {
  readonly score: ScoreName;
  readonly by: SuspicionName;
  /** Of coverage beside history (Eq. 6). */
  readonly weight: number;
  /** How lines make up a file, for `culprit`. */
  readonly aggregate?: AggregateName | undefined;
  /** Whether lines that ordinary formulas execute count for less, for `culprit`; they do unless told otherwise. */
  readonly isRareMore?: boolean | undefined;
  /** Of what else is known, for `culprit`. */
  readonly weights?: Readonly<Partial<Record<ColumnName, number>>> | undefined;
  /** Files that commits changed which are suspected, as by a bisection. */
  readonly suspected?: ReadonlySet<string> | undefined;
}

export type Known = Pick<Evidence, 'spectrum' | 'names' | 'stack' | 'failedCheck' | 'older'>;

/** A file with what its rank is made from. */
export interface RankedFile extends Ranked {
  /** Eq. 3. */
  readonly coverage: number;
  /** Eq. 5; undefined where nothing is known of the history. */
  readonly history: number | undefined;
  /** How much more suspicious its lines are, together, than lines that every witness executes. */
  readonly excess: number;
  /** The same, as far as ordinary formulas do not execute them. */
  readonly rare: number;
  /** Its place among the files with calls that had not returned, the last call's first; undefined if it has none. */
  readonly stack: number | undefined;
  /** The line of it that a failed check of the solver's own names. */
  readonly message: number | undefined;
  /** The share of what is executed in it that belongs to functions which an older version does not execute. */
  readonly older: number | undefined;
  /** How far up in the history the last edit of what is executed stands: 1 for the newest commit. */
  readonly recency: number | undefined;
  /** How many commits have touched it. */
  readonly commits: number | undefined;
  /** How many of its lines the failing formula executes, and how many witnesses execute one of them on average. */
  readonly executed: number;
  readonly witnesses: number;
  /** How often one of its lines was modified on average. */
  readonly edits: number | undefined;
}

/** @param edited undefined where nothing is known of the history */
export function rankFiles(
  known: Known,
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
  const telling = options.isRareMore === false ? excess : rare;
  const history = edited && historyScores(edited.files);
  const stack = placesOnStack(known.stack, ({ file }) => file);
  const recency = edited && recencies(known, edited);
  const named = namedPlace(known);
  const older = known.older && newShares(known, known.older);
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
      : weighed(suspicious, columns, { ...usualWeights, ...options.weights });
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

/** What is suspicious as a share of the most suspicious one, and the columns beside it. */
function weighed(
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

/** From one; what is there twice, as in a recursion, counts where it is first. */
function placesOnStack(
  stack: readonly CalledFunction[],
  keyOf: (call: CalledFunction) => string,
): ReadonlyMap<string, number> {
  const keys = [...new Set(stack.map(keyOf))];
  return new Map(keys.map((key, at) => [key, at + 1]));
}

/** What the solver says of where a check of its own failed, by the name that the file has here. */
function namedPlace({
  failedCheck,
  names,
}: Known): { readonly file: string; readonly line: number } | undefined {
  const { file, line } = failedCheck ?? {};
  if (file === undefined || line === undefined) return undefined;
  // Compilers are called in folders of their own: `../src/smt/theory.cpp`, or by a whole path.
  const path = file.replace(/^(?:\.{1,2}\/)+/, '');
  const fitting = names.files.filter(
    (name) => name === path || path.endsWith(`/${name}`) || name.endsWith(`/${path}`),
  );
  const [first] = fitting.toSorted((a, b) => Number(b === path) - Number(a === path));
  return first === undefined ? undefined : { file: first, line };
}

/** By the file: the share of its executed places whose function an older version does not execute. */
function newShares({ spectrum, names }: Known, older: ExecutedFunctions): ReadonlyMap<string, number> {
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

/** By the file: where in the history the last commit is that wrote a line which is executed. */
function recencies(
  { spectrum, names }: Known,
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

/** A function, and where it stands on the stack. */
export interface RankedFunction extends Ranked {
  readonly stack: number | undefined;
}

/** By the paper's mean for `smtloc`; else as files are, but for their history. */
export function rankFunctions(known: Known, options: RankOptions): readonly RankedFunction[] {
  const { spectrum, names } = known;
  const functionAt = (place: number): string | undefined => names.functionAt(fileOf(place), lineOf(place));
  const stack = placesOnStack(known.stack, ({ name }) => name);
  const aggregate = aggregates[options.aggregate ?? 'sum'];
  const grouped = groupedBy(rareExcessOf(spectrum, options.by), functionAt);
  const suspicious = [...grouped].map(([name, values]): [string, number] => [name, aggregate(values)]);
  const scores =
    options.score === 'smtloc'
      ? meansBy(spectrum.places(options.by), functionAt)
      : weighed(
          suspicious,
          { stack: (name) => 1 / (stack.get(name) ?? Number.POSITIVE_INFINITY) },
          { ...usualWeights, ...options.weights },
        );
  return ranked(scores).map((one) => ({ ...one, stack: stack.get(one.name) }));
}

/** A line that the failing formula executes. */
export interface RankedLine {
  readonly file: string;
  readonly line: number;
  readonly score: number;
  readonly rank: number;
  /** Who else executes it: witnesses, and formulas that have nothing to do with the failure. */
  readonly witnesses: number;
  readonly ordinary: number;
}

/** By the suspicion of the paper for `smtloc`; else by how much of it is beyond that of what everybody executes. */
export function rankLines({ spectrum, names }: Known, { score, by }: RankOptions): readonly RankedLine[] {
  // In order of their scores, and of files and lines among equals; those of the same score all have the worst rank.
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
