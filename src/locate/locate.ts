/** Which files and functions of a version are to blame for what it does wrong with a formula. */

import {
  CoverageRunner,
  fileOf,
  lineOf,
  type PackedCounts,
  type PlaceNames,
  packedFromText,
} from '../coverage/index.js';
import { Fault, type Limits, makeFolder, type OnStep, usageFault } from '../machine/index.js';
import { Random, type Script } from '../smtlib/index.js';
import { limitsFor, openRunner, type Version } from '../solver/index.js';
import { type Failure, Judge } from './failure.js';
import type { EditedVersion } from './lines/edited-lines.js';
import { type Ranked, ranked } from './ranking.js';
import {
  CoverageSpectrum,
  combinedScores,
  excessOf,
  historyScores,
  meansBy,
  pathSimilarity,
} from './spectra.js';
import type { SuspicionName } from './suspicion.js';
import { type Tried, Tries } from './tries.js';
import { type Candidate, type Told, type WitnessStrategy, witnessStrategies } from './witnesses.js';

export interface LocateRequest {
  readonly formula: Script;
  /** One that counts what it executes. */
  readonly version: Version;
  readonly references: readonly Version[];
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly workers: number;
  readonly strategy: WitnessStrategy;
  /** Of random choices. */
  readonly seed: number;
  /** Formulas that somebody wrote, for the strategy that goes by them. */
  readonly written: readonly Candidate[];
  /** The most formulas that are tried. */
  readonly mostTried: number;
  /** Where what was tried is kept. */
  readonly out: string;
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
}

/** A formula that does not fail, and how much of its way is that of the one that does. */
export interface Witness extends Candidate {
  readonly similarity: number;
}

/** What is known of a failure: everything a ranking is made from. */
export interface Evidence {
  readonly failure: Failure;
  readonly spectrum: CoverageSpectrum;
  readonly names: PlaceNames;
  readonly witnesses: readonly Witness[];
  /** Formulas that were tried, and those of them that fail as well. */
  readonly tried: number;
  readonly failing: number;
}

export async function gatherEvidence(request: LocateRequest): Promise<Evidence | Fault> {
  const { formula, version, references, workers, signal, out, onStep } = request;
  await makeFolder(out);
  const coverage = await CoverageRunner.open([version], workers);
  if (coverage instanceof Fault) return coverage;
  const runner = openRunner({ workers });
  try {
    const limits: Limits = limitsFor(request.timeoutMs, request.memoryBytes);
    const judge = new Judge(runner, {
      version,
      references,
      limits,
      quickMs: request.timeoutMs / 2,
    });
    onStep?.({ step: 'running the formula', done: 0, total: 1, what: 'formula' });
    const own = await coverage.runPacked({ formula, version, limits }, signal);
    if (own instanceof Fault) return own;
    const failure = await judge.failureOf(formula, own.run, signal);
    if (failure instanceof Fault) return failure;
    const tries = await Tries.open({
      ...{ coverage, judge, failure, version, references, limits, out, signal },
    });
    if (tries instanceof Fault) return tries;
    try {
      const found = await searched(request, tries, failure, own.executed);
      // Half of the witnesses make another ranking; what was tried is kept.
      signal.throwIfAborted();
      if (found instanceof Fault) return found;
      return evidenceOf(failure, own.executed, found, coverage.namesOf(version));
    } finally {
      tries.close();
    }
  } finally {
    await coverage.close();
    await runner.close();
  }
}

/** A formula and what came of it. */
type Outcome = readonly [Candidate, Tried];

/** Every worker follows a search of its own; together they try no more than they may. */
async function searched(
  { formula, strategy, written, mostTried: most, seed, workers, onStep }: LocateRequest,
  tries: Tries,
  failure: Failure,
  own: PackedCounts,
): Promise<readonly Outcome[] | Fault> {
  const { of, lane } = witnessStrategies[strategy].begin({ formula, written, most });
  const random = Random.fromSeed(seed);
  const found = new Map<string, Outcome>();
  let begun = 0;
  let fault: Fault | undefined;
  const lanes = Array.from({ length: workers }, async () => {
    const search = lane(random.split());
    let told: Told | undefined;
    while (begun < of && fault === undefined) {
      const { value: candidate, done } = search.next(told);
      if (done || candidate === undefined) return;
      begun++;
      const tried = await tries.try(candidate.text);
      if (tried instanceof Fault) fault ??= tried;
      if (tried === undefined || tried instanceof Fault) return;
      told = { judgement: tried.judgement, similarity: similarityTo(own, tried) };
      found.set(candidate.text, [candidate, tried]);
      onStep?.({
        step: `looking for witnesses (${failure.says})`,
        done: begun,
        total: of,
        what: 'formula',
      });
    }
  });
  await Promise.all(lanes);
  return fault ?? [...found.values()];
}

function similarityTo(own: PackedCounts, { executed }: Tried): number | undefined {
  return executed === undefined ? undefined : pathSimilarity(own, packedFromText(executed));
}

function evidenceOf(
  failure: Failure,
  own: PackedCounts,
  found: readonly Outcome[],
  names: PlaceNames,
): Evidence | Fault {
  const spectrum = new CoverageSpectrum();
  spectrum.addFailing(own);
  const witnesses: Witness[] = [];
  for (const [candidate, { judgement, executed }] of found) {
    if (judgement !== 'passes' || executed === undefined) continue;
    const way = packedFromText(executed);
    spectrum.addPassing(way);
    witnesses.push({ ...candidate, similarity: pathSimilarity(own, way) });
  }
  if (witnesses.length === 0)
    return usageFault(
      `of ${found.length} formulas near it none is answered rightly: nothing tells what the failure has of its own`,
    );
  const failing = found.filter(([, { judgement }]) => judgement === 'fails').length;
  return { failure, spectrum, names, witnesses, tried: found.length, failing };
}

/**
 * `smtloc`: as the paper has it (Eq. 6). `culprit`: how much there is in a file that the failing formula executes and
 * witnesses do not, and how many commits have touched it, both by their logarithms.
 */
export const scoreNames = ['culprit', 'smtloc'] as const;
export type ScoreName = (typeof scoreNames)[number];

export interface RankOptions {
  readonly score: ScoreName;
  readonly by: SuspicionName;
  /** Of coverage beside history (Eq. 6). */
  readonly weight: number;
}

/** A file with what its rank is made from. */
export interface RankedFile extends Ranked {
  /** Eq. 3. */
  readonly coverage: number;
  /** Eq. 5; undefined where nothing is known of the history. */
  readonly history: number | undefined;
  /** How much more suspicious its lines are, together, than lines that every witness executes. */
  readonly excess: number;
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
  { spectrum, names }: Pick<Evidence, 'spectrum' | 'names'>,
  edited: EditedVersion | undefined,
  { score, by, weight }: RankOptions,
): readonly RankedFile[] {
  const byName = (scores: ReadonlyMap<number, number>): ReadonlyMap<string, number> =>
    new Map([...scores].map(([file, value]) => [names.files[file] ?? '', value]));
  const coverage = byName(spectrum.files(by));
  const places = [...spectrum.places(by)].map(([place]) => place);
  const witnesses = byName(
    meansBy(
      places.map((place) => [place, spectrum.passingAt(place)] as const),
      fileOf,
    ),
  );
  const executed = new Map<string, number>();
  for (const place of places) {
    const file = names.files[fileOf(place)] ?? '';
    executed.set(file, (executed.get(file) ?? 0) + 1);
  }
  const history = edited && historyScores(edited.files);
  const excess = byName(excessOf(spectrum, by));
  const commitsOf = (name: string): number => edited?.files.get(name)?.commits ?? 0;
  const published = history === undefined ? coverage : combinedScores(coverage, history, weight);
  const own = [...excess].map(([name, sum]): [string, number] => [
    name,
    Math.log1p(Math.max(0, sum)) * (edited === undefined ? 1 : Math.log1p(commitsOf(name))),
  ]);
  const scores = score === 'smtloc' ? published : new Map(own);
  return ranked(scores).map((one) => ({
    ...one,
    coverage: coverage.get(one.name) ?? 0,
    excess: excess.get(one.name) ?? 0,
    commits: edited && commitsOf(one.name),
    history: history && (history.get(one.name) ?? 0),
    executed: executed.get(one.name) ?? 0,
    witnesses: witnesses.get(one.name) ?? 0,
    edits: edited && meanEdits(edited, one.name),
  }));
}

function meanEdits({ files }: EditedVersion, file: string): number {
  const { times } = files.get(file) ?? { times: new Uint32Array(0) };
  return times.length === 0 ? 0 : times.reduce((sum, time) => sum + time, 0) / times.length;
}

/** Functions by the mean over what the failing formula executes of them. */
export function rankFunctions(
  { spectrum, names }: Pick<Evidence, 'spectrum' | 'names'>,
  by: SuspicionName,
): readonly Ranked[] {
  return ranked(meansBy(spectrum.places(by), (place) => names.functionAt(fileOf(place), lineOf(place))));
}
