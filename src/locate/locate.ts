/** Everything that tells what is to blame for what a version does wrong with a formula. */

import {
  type CalledFunction,
  CoverageRunner,
  type PackedCounts,
  type PlaceNames,
  packedFromText,
} from '../coverage/index.js';
import {
  Fault,
  type Limits,
  limitsFor,
  makeFolder,
  type OnStep,
  Random,
  usageFault,
} from '../machine/index.js';
import type { Script } from '../smtlib/index.js';
import { type FailedCheck, openRunner, type Version } from '../solver/index.js';
import { type Failure, type FailureKind, Judge } from './failure.js';
import { executedOrdinarily } from './ordinary.js';
import { ExecutedFunctions } from './other-way.js';
import { CoverageSpectrum, pathSimilarity, wayApart } from './spectra.js';
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
  /** After so long nothing more is tried; for as long as it takes when left out. */
  readonly mostMs?: number | undefined;
  /** A failure of another kind is none; any is when left out. */
  readonly kinds?: readonly FailureKind[] | undefined;
  /** An older version that counts: what it does not execute for the formula is known then. */
  readonly older?: Version | undefined;
  /** Where what was tried is kept. */
  readonly out: string;
  /** Where what versions execute for ordinary formulas is kept, for everybody; undefined to do without them. */
  readonly ordinary?: string | undefined;
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
}

/** A formula that does not fail, and how much of its way is that of the one that does. */
export interface Witness extends Candidate {
  readonly similarity: number;
  /** Places that the one that fails executes and it does not, and the other way round. */
  readonly lacks: number;
  readonly beyond: number;
  /** The files with most of what it lacks. */
  readonly lacksIn: readonly { readonly file: string; readonly places: number }[];
}

/** What is known of a failure: everything a ranking is made from. */
export interface Evidence {
  readonly failure: Failure;
  readonly spectrum: CoverageSpectrum;
  readonly names: PlaceNames;
  readonly witnesses: readonly Witness[];
  /** Calls that had not returned when the failing run ended, the last first; none where it ended as it should. */
  readonly stack: readonly CalledFunction[];
  /** What the version said of a check of its own that failed. */
  readonly failedCheck?: FailedCheck | undefined;
  /** What an older version executes for the formula, where one was named. */
  readonly older?: ExecutedFunctions | undefined;
  /** How many formulas that have nothing to do with the failure were run. */
  readonly ordinary: number;
  /** Formulas that were tried, and those of them that fail as well. */
  readonly tried: number;
  readonly failing: number;
}

export async function gatherEvidence(request: LocateRequest): Promise<Evidence | Fault> {
  const { formula, version, references, older, workers, signal, out, onStep } = request;
  await makeFolder(out);
  const coverage = await CoverageRunner.open(older === undefined ? [version] : [version, older], workers);
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
    const own = await coverage.runPacked({ formula, version, limits, checks: true }, signal);
    if (own instanceof Fault) return own;
    const failure = await judge.failureOf(formula, own.run, signal);
    if (failure instanceof Fault) return failure;
    if (request.kinds?.includes(failure.kind) === false)
      return usageFault(`${version.name} does not fail in that way again: it ${failure.says}`);
    const stack = await coverage.callsAt(version, own.unfinished);
    if (stack instanceof Fault) return stack;
    const before = older && (await coverage.runPacked({ formula, version: older, limits }, signal));
    if (before instanceof Fault) return before;
    const tries = await Tries.open({
      ...{ coverage, judge, failure, version, references, limits, out, signal },
    });
    if (tries instanceof Fault) return tries;
    try {
      const found = await searched(request, tries, failure, own.executed);
      // Half of the witnesses make another ranking; what was tried is kept.
      signal.throwIfAborted();
      if (found instanceof Fault) return found;
      const ordinary =
        request.ordinary === undefined
          ? []
          : await executedOrdinarily({ ...request, coverage, folder: request.ordinary });
      if (ordinary instanceof Fault) return ordinary;
      const names = coverage.namesOf(version);
      const { failedCheck } = own.run;
      const executedBefore =
        older && before && new ExecutedFunctions(before.executed, coverage.namesOf(older));
      const known = { failure, stack, names, failedCheck, older: executedBefore };
      return evidenceOf(known, own.executed, found, ordinary);
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
  { formula, strategy, written, mostTried: most, mostMs, seed, workers, onStep }: LocateRequest,
  tries: Tries,
  failure: Failure,
  own: PackedCounts,
): Promise<readonly Outcome[] | Fault> {
  const { of, lane } = witnessStrategies[strategy].begin({ formula, written, most });
  const random = Random.fromSeed(seed);
  const found = new Map<string, Outcome>();
  const endsAt = performance.now() + (mostMs ?? Number.POSITIVE_INFINITY);
  let begun = 0;
  let fault: Fault | undefined;
  const lanes = Array.from({ length: workers }, async () => {
    const search = lane(random.split());
    let told: Told | undefined;
    while (begun < of && fault === undefined && performance.now() < endsAt) {
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

/** @param tried how many formulas were */
export function noWitness(tried: number): Fault {
  return usageFault(
    `of ${tried} formulas near it none is answered rightly: nothing tells what the failure has of its own`,
  );
}

/** As many as say what a witness is about. */
const mostFilesTold = 3;

function evidenceOf(
  known: Pick<Evidence, 'failure' | 'stack' | 'names' | 'failedCheck' | 'older'>,
  own: PackedCounts,
  found: readonly Outcome[],
  ordinary: readonly PackedCounts[],
): Evidence | Fault {
  const spectrum = new CoverageSpectrum();
  spectrum.addFailing(own);
  const witnesses: Witness[] = [];
  for (const [candidate, { judgement, executed }] of found) {
    if (judgement !== 'passes' || executed === undefined) continue;
    const way = packedFromText(executed);
    spectrum.addPassing(way);
    const { lacks, beyond, lacksIn } = wayApart(own, way);
    const files = [...lacksIn].toSorted(([, a], [, b]) => b - a).slice(0, mostFilesTold);
    witnesses.push({
      ...candidate,
      similarity: pathSimilarity(own, way),
      lacks,
      beyond,
      lacksIn: files.map(([file, places]) => ({ file: known.names.files[file] ?? '', places })),
    });
  }
  for (const executed of ordinary) spectrum.addOrdinary(executed);
  // Where it crashed, or which check failed, says something by itself.
  const hasPlace = known.stack.length > 0 || known.failedCheck?.file !== undefined;
  if (witnesses.length === 0 && !hasPlace) return noWitness(found.length);
  const failing = found.filter(([, { judgement }]) => judgement === 'fails').length;
  return { ...known, spectrum, witnesses, ordinary: ordinary.length, tried: found.length, failing };
}
