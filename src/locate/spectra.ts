/** Suspicion scores from the coverage of failing formulas and witnesses, and from edits of lines (SMTLOC, 2.3). */

import { fileOf, type PackedCounts, PackedLines } from '../coverage/index.js';
import { aggregates } from './aggregate.js';
import type { EditedLines } from './lines/line-history.js';
import { type SuspicionName, suspicions } from './suspicion.js';

/** Counts the formulas that execute each place. */
export class CoverageSpectrum {
  readonly #places = new Map<number, { failing: number; passing: number }>();
  readonly #ordinary = new Map<number, number>();
  #failing = 0;
  #passing = 0;

  /** The number of passing formulas. */
  get witnesses(): number {
    return this.#passing;
  }

  addFailing(executed: PackedCounts): void {
    this.#failing++;
    for (const reader = new PackedLines(executed.bytes); reader.next(); ) this.#at(reader.line).failing++;
  }

  addPassing(executed: PackedCounts): void {
    this.#passing++;
    for (const reader = new PackedLines(executed.bytes); reader.next(); ) this.#at(reader.line).passing++;
  }

  /** Adds the coverage of an ordinary formula. */
  addOrdinary(executed: PackedCounts): void {
    for (const reader = new PackedLines(executed.bytes); reader.next(); )
      this.#ordinary.set(reader.line, (this.#ordinary.get(reader.line) ?? 0) + 1);
  }

  #at(place: number): { failing: number; passing: number } {
    const known = this.#places.get(place);
    if (known !== undefined) return known;
    const fresh = { failing: 0, passing: 0 };
    this.#places.set(place, fresh);
    return fresh;
  }

  /** How many witnesses execute a place. */
  passingAt(place: number): number {
    return this.#places.get(place)?.passing ?? 0;
  }

  /** How many ordinary formulas execute a place. */
  ordinaryAt(place: number): number {
    return this.#ordinary.get(place) ?? 0;
  }

  /** Places that a failing formula executes, with their suspicion (Eq. 1, 2). */
  *places(by: SuspicionName = 'ochiai'): Generator<readonly [place: number, score: number]> {
    const suspicion = suspicions[by];
    const [allFailing, allPassing] = [this.#failing, this.#passing];
    for (const [place, { failing, passing }] of this.#places)
      if (failing > 0) yield [place, suspicion({ failing, passing, allFailing, allPassing })];
  }

  /** The suspicion of a place that all formulas execute. */
  ordinary(by: SuspicionName): number {
    const [failing, passing] = [this.#failing, this.#passing];
    return suspicions[by]({ failing, passing, allFailing: failing, allPassing: passing });
  }

  /** Per file number, the mean suspicion of the places that failing formulas execute (Eq. 3). */
  files(by: SuspicionName = 'ochiai'): ReadonlyMap<number, number> {
    return meansBy(this.places(by), fileOf);
  }
}

/**
 * Each place's suspicion above that of a place that every witness executes. A file's mean suspicion ignores the
 * amount of suspicious code and is highest for files of a line or two.
 */
export function* excessOf(
  spectrum: CoverageSpectrum,
  by: SuspicionName,
): Generator<readonly [place: number, excess: number]> {
  const ordinary = spectrum.ordinary(by);
  for (const [place, score] of spectrum.places(by)) yield [place, score - ordinary];
}

/** The excess, halved for each ordinary formula that executes the place. */
export function* rareExcessOf(
  spectrum: CoverageSpectrum,
  by: SuspicionName,
): Generator<readonly [place: number, excess: number]> {
  for (const [place, excess] of excessOf(spectrum, by))
    yield [place, excess * 2 ** -spectrum.ordinaryAt(place)];
}

/** Groups scores by key; places without a key are dropped. */
export function groupedBy<Key>(
  scores: Iterable<readonly [place: number, score: number]>,
  keyOf: (place: number) => Key | undefined,
): ReadonlyMap<Key, readonly number[]> {
  const groups = new Map<Key, number[]>();
  for (const [place, score] of scores) {
    const key = keyOf(place);
    if (key === undefined) continue;
    const own = groups.get(key) ?? [];
    groups.set(key, own);
    own.push(score);
  }
  return groups;
}

/** Mean scores by key; places without a key are dropped. */
export function meansBy<Key>(
  scores: Iterable<readonly [place: number, score: number]>,
  keyOf: (place: number) => Key | undefined,
): ReadonlyMap<Key, number> {
  return new Map([...groupedBy(scores, keyOf)].map(([key, values]) => [key, aggregates.mean(values)]));
}

/** The similarity of two execution paths: common places divided by all places (Eq. 7). */
export function pathSimilarity(a: PackedCounts, b: PackedCounts): number {
  const [ofA, ofB] = [new PackedLines(a.bytes), new PackedLines(b.bytes)];
  let [hasA, hasB] = [ofA.next(), ofB.next()];
  let both = 0;
  while (hasA && hasB) {
    if (ofA.line === ofB.line) both++;
    const [passesA, passesB] = [ofA.line <= ofB.line, ofB.line <= ofA.line];
    if (passesA) hasA = ofA.next();
    if (passesB) hasB = ofB.next();
  }
  const either = a.lines + b.lines - both;
  return either === 0 ? 1 : both / either;
}

/** The difference of two execution paths: the numbers of places that only one executes, and the former by file. */
export function pathDifference(
  own: PackedCounts,
  other: PackedCounts,
): { readonly lacks: number; readonly beyond: number; readonly lacksIn: ReadonlyMap<number, number> } {
  const [ofOwn, ofOther] = [new PackedLines(own.bytes), new PackedLines(other.bytes)];
  const lacksIn = new Map<number, number>();
  let both = 0;
  let hasOther = ofOther.next();
  while (ofOwn.next()) {
    while (hasOther && ofOther.line < ofOwn.line) hasOther = ofOther.next();
    if (hasOther && ofOther.line === ofOwn.line) both++;
    else lacksIn.set(fileOf(ofOwn.line), (lacksIn.get(fileOf(ofOwn.line)) ?? 0) + 1);
  }
  return { lacks: own.lines - both, beyond: other.lines - both, lacksIn };
}

/** A file's mean number of edits per line, as a share of all edits (Eq. 4, 5). */
export function historyScores(files: ReadonlyMap<string, EditedLines>): ReadonlyMap<string, number> {
  const totals = new Map(
    [...files].map(([file, { times }]) => [file, times.reduce((sum, time) => sum + time, 0)]),
  );
  const all = [...totals.values()].reduce((sum, total) => sum + total, 0);
  return new Map(
    [...files].map(([file, { times }]) => {
      const lines = times.length;
      return [file, lines === 0 || all === 0 ? 0 : (totals.get(file) ?? 0) / all / lines];
    }),
  );
}

/** Eq. 6: the weighted sum, for files that a failing formula executes. */
export function combinedScores(
  coverage: ReadonlyMap<string, number>,
  history: ReadonlyMap<string, number>,
  weight: number,
): ReadonlyMap<string, number> {
  return new Map(
    [...coverage].map(([file, score]) => [file, weight * score + (1 - weight) * (history.get(file) ?? 0)]),
  );
}
