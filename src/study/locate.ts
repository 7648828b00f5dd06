/** How well the files to blame are named, over a folder of bugs (SMTLOC, Table 3, Fig. 6, Fig. 7). */

import { join } from 'node:path';
import {
  type Candidate,
  type EditedVersion,
  type Evidence,
  gatherEvidence,
  type RankingQuality,
  rankFiles,
  rankingQuality,
  type ScoreName,
  type WitnessStrategy,
} from '../locate/index.js';
import { Fault, type OnStep } from '../machine/index.js';
import { readScript } from '../smtlib/index.js';
import { printSpec, type Version } from '../solver/index.js';
import { type Bug, versionOptions } from './located-bugs.js';

export interface LocateStudyRequest {
  readonly bugs: readonly Bug[];
  /** The repository of each solver, by its name. */
  readonly repositories: ReadonlyMap<string, string>;
  readonly versionOf: (spec: string) => Promise<Version | Fault>;
  readonly editedOf: (repository: string, tag: string) => Promise<EditedVersion | Fault>;
  readonly references: readonly Version[];
  readonly strategies: readonly WitnessStrategy[];
  /** Formulas that developers wrote, of each solver. */
  readonly written: ReadonlyMap<string, readonly Candidate[]>;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly workers: number;
  readonly mostTried: number;
  readonly out: string;
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
  readonly onBug?: ((bug: LocatedBug) => void) | undefined;
}

/** Weights of coverage beside history (Fig. 7). */
export const weights: readonly number[] = Array.from({ length: 11 }, (_, tenth) => tenth / 10);

/** What came of one bug by one strategy. */
export interface LocatedBug {
  readonly id: string;
  readonly strategy: WitnessStrategy;
  /** Why nothing came of it. */
  readonly why?: string | undefined;
  readonly failure?: string | undefined;
  readonly witnesses: number;
  readonly tried: number;
  /** Of the witnesses' ways to the failing formula's, each (Eq. 7, Fig. 6). */
  readonly similarities: readonly number[];
  /** How many files were ranked. */
  readonly files: number;
  /** For each weight the ranks of the files that were mended; what was not ranked comes after all others. */
  readonly ranks: readonly (readonly number[])[];
  /** The same by culprit's own score. */
  readonly ownRanks?: readonly number[] | undefined;
}

export async function studyLocate(request: LocateStudyRequest): Promise<readonly LocatedBug[] | Fault> {
  const found: LocatedBug[] = [];
  const edited = new Map<string, EditedVersion>();
  for (const bug of request.bugs) {
    const repository = request.repositories.get(bug.solver);
    if (repository === undefined) continue;
    const place = `${repository}@${bug.buggyTag}`;
    const lines = edited.get(place) ?? (await request.editedOf(repository, bug.buggyTag));
    if (lines instanceof Fault) return lines;
    edited.set(place, lines);
    const spec = { from: 'git', repository, revision: bug.buggyTag, variant: 'coverage' } as const;
    const version = await request.versionOf(printSpec({ ...spec, options: versionOptions(bug) }));
    if (version instanceof Fault) return version;
    for (const strategy of request.strategies) {
      if (request.signal.aborted) return found;
      const located = await locatedBug(bug, version, lines, strategy, request);
      if (located === undefined) return found;
      found.push(located);
      request.onBug?.(located);
    }
  }
  return found;
}

/** Undefined if it was ended from outside. */
async function locatedBug(
  bug: Bug,
  version: Version,
  edited: EditedVersion,
  strategy: WitnessStrategy,
  request: LocateStudyRequest,
): Promise<LocatedBug | undefined> {
  const { references, timeoutMs, memoryBytes, workers, mostTried, signal, onStep } = request;
  const nothing = { id: bug.id, strategy, witnesses: 0, tried: 0, similarities: [], files: 0, ranks: [] };
  const formula = readScript(bug.text);
  if (formula instanceof Fault) return { ...nothing, why: formula.message };
  try {
    const evidence = await gatherEvidence({
      ...{
        formula,
        version,
        references,
        timeoutMs,
        memoryBytes,
        workers,
        mostTried,
        signal,
        onStep,
        strategy,
      },
      seed: 1,
      written: request.written.get(bug.solver) ?? [],
      out: join(request.out, bug.id, strategy),
    });
    if (signal.aborted) return undefined;
    return evidence instanceof Fault
      ? { ...nothing, why: evidence.message }
      : ranksOf(bug, strategy, evidence, edited);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

function ranksOf(bug: Bug, strategy: WitnessStrategy, evidence: Evidence, edited: EditedVersion): LocatedBug {
  const { failure, witnesses, tried } = evidence;
  const ranksBy = (score: ScoreName, weight: number): readonly number[] => {
    const files = rankFiles(evidence, edited, { score, by: 'ochiai', weight });
    const byName = new Map(files.map(({ name, rank }) => [name, rank]));
    return bug.truth.map((file) => byName.get(file) ?? files.length + 1);
  };
  return {
    id: bug.id,
    strategy,
    failure: failure.kind,
    witnesses: witnesses.length,
    tried,
    similarities: witnesses.map(({ similarity }) => similarity),
    files: evidence.spectrum.files().size,
    ranks: weights.map((weight) => ranksBy('smtloc', weight)),
    ownRanks: ranksBy('culprit', 1),
  };
}

/** The variants of the paper: whose witnesses, and what coverage weighs. */
export const variantsOfTable = [
  { name: 'SBFL', strategy: 'developers', weight: 1 },
  { name: 'SMTLOC_dev', strategy: 'developers', weight: 0.5 },
  { name: 'SMTLOC_rand', strategy: 'random', weight: 0.5 },
  { name: 'SMTLOC_mc', strategy: 'markov-chain', weight: 0.5 },
  { name: 'SMTLOC_h', strategy: 'enumeration', weight: 0 },
  { name: 'SMTLOC_m', strategy: 'enumeration', weight: 1 },
  { name: 'SMTLOC', strategy: 'enumeration', weight: 0.5 },
  { name: 'culprit', strategy: 'enumeration', weight: undefined },
] as const satisfies readonly {
  readonly name: string;
  readonly strategy: WitnessStrategy;
  readonly weight: number | undefined;
}[];

/**
 * Over all bugs of a strategy. One that nothing came of has no ranks: it is not found, and no part of the means.
 *
 * @param weight of coverage beside history; culprit's own score if there is none
 */
export function qualityOf(
  located: readonly LocatedBug[],
  strategy: WitnessStrategy,
  weight: number | undefined,
): (RankingQuality & { readonly bugs: number }) | undefined {
  const own = located.filter((bug) => bug.strategy === strategy);
  if (own.length === 0) return undefined;
  const ranked = own.flatMap(({ ranks, ownRanks }) => {
    const wanted = weight === undefined ? ownRanks : ranks[Math.round(weight * 10)];
    return wanted === undefined ? [] : [wanted];
  });
  return { ...rankingQuality(ranked), bugs: own.length };
}
