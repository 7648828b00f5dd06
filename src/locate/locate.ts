/** Gathers the evidence for localizing a failure. */

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
import { ExecutedFunctions } from './executed-functions.js';
import { type Failure, type FailureKind, Judge } from './failure.js';
import { ordinaryCoverage } from './ordinary.js';
import { CoverageSpectrum, pathDifference, pathSimilarity } from './spectra.js';
import { FormulaTrials, type TriedFormula } from './tries.js';
import { type Candidate, type TrialResult, type WitnessStrategy, witnessStrategies } from './witnesses.js';

export interface LocateRequest {
  readonly formula: Script;
  /** A version that counts coverage. */
  readonly version: Version;
  readonly references: readonly Version[];
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly workers: number;
  readonly strategy: WitnessStrategy;
  /** Seed of random choices. */
  readonly seed: number;
  /** Formulas for the strategy `developers`. */
  readonly written: readonly Candidate[];
  /** The most formulas to try. */
  readonly mostTried: number;
  /** Time limit for trying formulas; default: none. */
  readonly mostMs?: number | undefined;
  /** Only failures of these kinds count; default: all. */
  readonly kinds?: readonly FailureKind[] | undefined;
  /** An older version with coverage, to find code that it does not execute for the formula. */
  readonly older?: Version | undefined;
  /** The folder for tried formulas. */
  readonly out: string;
  /** The shared folder for the coverage of ordinary formulas; undefined to skip them. */
  readonly ordinary?: string | undefined;
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
}

/** A formula that does not fail, with the similarity of its execution path to the failing one's. */
export interface Witness extends Candidate {
  readonly similarity: number;
  /** Places that only the failing formula executes, and places that only the witness executes. */
  readonly lacks: number;
  readonly beyond: number;
  /** The files with most places that only the failing formula executes. */
  readonly lacksIn: readonly { readonly file: string; readonly places: number }[];
}

/** The evidence of a failure; rankings are computed from it. */
export interface Evidence {
  readonly failure: Failure;
  readonly spectrum: CoverageSpectrum;
  readonly names: PlaceNames;
  readonly witnesses: readonly Witness[];
  /** The call stack at the end of the failing run, the innermost call first; empty after a normal end. */
  readonly stack: readonly CalledFunction[];
  /** The failed assertion that the solver reported. */
  readonly failedCheck?: FailedCheck | undefined;
  /** Functions that the older version executes for the formula. */
  readonly older?: ExecutedFunctions | undefined;
  /** How many ordinary formulas were run. */
  readonly ordinary: number;
  /** Formulas that were tried, and how many of them fail too. */
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
      return usageFault(`${version.name} fails in another way this time: it ${failure.message}`);
    const stack = await coverage.callsAt(version, own.unfinished);
    if (stack instanceof Fault) return stack;
    const before = older && (await coverage.runPacked({ formula, version: older, limits }, signal));
    if (before instanceof Fault) return before;
    const tries = await FormulaTrials.open({
      ...{ coverage, judge, failure, version, references, limits, out, signal },
    });
    if (tries instanceof Fault) return tries;
    try {
      const found = await searchWitnesses(request, tries, failure, own.executed);
      // A partial set of witnesses would give another ranking; tried formulas are stored.
      signal.throwIfAborted();
      if (found instanceof Fault) return found;
      const ordinary =
        request.ordinary === undefined
          ? []
          : await ordinaryCoverage({ ...request, coverage, folder: request.ordinary });
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

type Outcome = readonly [Candidate, TriedFormula];

/** Runs one search per worker, with a common limit of tries. */
async function searchWitnesses(
  { formula, strategy, written, mostTried: most, mostMs, seed, workers, onStep }: LocateRequest,
  tries: FormulaTrials,
  failure: Failure,
  own: PackedCounts,
): Promise<readonly Outcome[] | Fault> {
  const { total: of, lane } = witnessStrategies[strategy]({ formula, written, most });
  const random = Random.fromSeed(seed);
  const found = new Map<string, Outcome>();
  const endsAt = performance.now() + (mostMs ?? Number.POSITIVE_INFINITY);
  let begun = 0;
  let fault: Fault | undefined;
  const lanes = Array.from({ length: workers }, async () => {
    const search = lane(random.split());
    let told: TrialResult | undefined;
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
        step: `looking for witnesses (${failure.message})`,
        done: begun,
        total: of,
        what: 'formula',
      });
    }
  });
  await Promise.all(lanes);
  return fault ?? [...found.values()];
}

function similarityTo(own: PackedCounts, { executed }: TriedFormula): number | undefined {
  return executed === undefined ? undefined : pathSimilarity(own, packedFromText(executed));
}

export function noWitness(tried: number): Fault {
  return usageFault(
    `none of the ${tried} formulas near it is answered correctly: without a witness the failure cannot be localized`,
  );
}

/** Enough to characterize a witness. */
const mostLackedFiles = 3;

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
    const { lacks, beyond, lacksIn } = pathDifference(own, way);
    const files = [...lacksIn].toSorted(([, a], [, b]) => b - a).slice(0, mostLackedFiles);
    witnesses.push({
      ...candidate,
      similarity: pathSimilarity(own, way),
      lacks,
      beyond,
      lacksIn: files.map(([file, places]) => ({ file: known.names.files[file] ?? '', places })),
    });
  }
  for (const executed of ordinary) spectrum.addOrdinary(executed);
  // A crash location or a failed assertion is evidence without witnesses.
  const hasPlace = known.stack.length > 0 || known.failedCheck?.file !== undefined;
  if (witnesses.length === 0 && !hasPlace) return noWitness(found.length);
  const failing = found.filter(([, { judgement }]) => judgement === 'fails').length;
  return { ...known, spectrum, witnesses, ordinary: ordinary.length, tried: found.length, failing };
}
