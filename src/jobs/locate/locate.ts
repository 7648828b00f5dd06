/** Ranks the files, functions and lines of a version by how likely they cause its failure on a formula (SMTLOC). */

import {
  type ColumnName,
  type EditedVersion,
  type Evidence,
  gatherEvidence,
  type LocateRequest,
  noWitness,
  type RankedFile,
  type RankedFunction,
  type RankedLine,
  type RankOptions,
  rankFiles,
  rankFunctions,
  rankLines,
} from '../../locate/index.js';
import { Fault } from '../../machine/index.js';
import type { JobWatch } from '../job.js';
import { lineEdits, ordinaryFolder, suspectedFilesOf } from './line-history.js';

/** The search and the ranking that every command uses unless you choose others. */
export const usualSearch = { strategy: 'nearest', seed: 1, mostTried: 1000, written: [] } as const;
export const usualRanking = { score: 'culprit', by: 'ochiai', weight: 0.5 } as const satisfies RankOptions;

type Chosen = 'strategy' | 'seed' | 'mostTried' | 'written';

/** A failing formula and the search for formulas near it that do not fail. */
export interface EvidenceRequest
  extends Omit<LocateRequest, Chosen | 'ordinary' | 'signal' | 'onStep'>,
    Partial<Pick<LocateRequest, Chosen>> {
  /** Compares with unrelated formulas as well. True if left out. */
  readonly comparesOrdinary?: boolean;
}

export interface LocateJob extends EvidenceRequest {
  /** The commit that the version was built from: its line history counts. */
  readonly commit?: { readonly repository: string; readonly revision: string } | undefined;
  /** False: ignore how often lines were edited. */
  readonly usesHistory?: boolean;
  /** Suspected commits of the same repository, separated by commas. */
  readonly suspects?: string | undefined;
  readonly ranking?: Partial<RankOptions>;
  readonly columnWeights?: ReadonlyMap<ColumnName, number> | undefined;
}

export interface Located {
  readonly evidence: Evidence;
  readonly edited: EditedVersion | undefined;
  readonly files: readonly RankedFile[];
  readonly functions: readonly RankedFunction[];
  readonly lines: readonly RankedLine[];
}

export function collectEvidence(
  { comparesOrdinary = true, ...request }: EvidenceRequest,
  { signal, onStep }: JobWatch,
): Promise<Evidence | Fault> {
  const ordinary = comparesOrdinary ? ordinaryFolder() : undefined;
  return gatherEvidence({ ...usualSearch, ...request, ordinary, signal, onStep });
}

export async function locate(job: LocateJob, watch: JobWatch): Promise<Located | Fault> {
  const { commit, usesHistory = true, suspects, ranking = {}, columnWeights, ...search } = job;
  const evidence = await collectEvidence(search, watch);
  if (evidence instanceof Fault) return evidence;
  if (ranking.score === 'smtloc' && evidence.witnesses.length === 0) return noWitness(evidence.tried);
  const edited = commit && usesHistory ? await lineEdits(commit, watch) : undefined;
  if (edited instanceof Fault) return edited;
  const suspected =
    commit && suspects !== undefined ? await suspectedFilesOf(commit.repository, suspects, watch) : undefined;
  if (suspected instanceof Fault) return suspected;
  const options: RankOptions = {
    ...usualRanking,
    ...ranking,
    suspected,
    weights: { ...(suspected && { commits: 1 }), ...Object.fromEntries(columnWeights ?? []) },
  };
  return {
    evidence,
    edited,
    files: rankFiles(evidence, edited, options),
    functions: rankFunctions(evidence, options),
    lines: rankLines(evidence, options),
  };
}
