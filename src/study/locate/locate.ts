/** Measures how well culprit names the files to blame, over a folder of bugs (SMTLOC, Table 3, Fig. 6, Fig. 7). */

import { join } from 'node:path';
import { collectEvidence } from '../../jobs/index.js';
import {
  type Candidate,
  type EditedVersion,
  type Evidence,
  type RankingQuality,
  type RankOptions,
  rankFiles,
  rankingQuality,
  type WitnessStrategy,
} from '../../locate/index.js';
import { Fault, type OnStep } from '../../machine/index.js';
import { readScript } from '../../smtlib/index.js';
import { countingVariant, printSpec, type Version } from '../../solver/index.js';
import { type Bug, versionOptions } from './located-bugs.js';

export interface LocateStudyRequest {
  readonly bugs: readonly Bug[];
  /** The repository of each solver, by solver name. */
  readonly repositories: ReadonlyMap<string, string>;
  readonly versionOf: (spec: string) => Promise<Version | Fault>;
  readonly editedOf: (repository: string, tag: string) => Promise<EditedVersion | Fault>;
  readonly references: readonly Version[];
  readonly strategies: readonly WitnessStrategy[];
  /** Formulas written by the developers of each solver. */
  readonly written: ReadonlyMap<string, readonly Candidate[]>;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly workers: number;
  readonly mostTried: number;
  /** Builds versions without optimization. */
  readonly isQuick: boolean;
  readonly out: string;
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
  readonly onBug?: ((bug: LocatedBug) => void) | undefined;
}

/** Weights of coverage against history (Fig. 7). */
export const weights: readonly number[] = Array.from({ length: 11 }, (_, tenth) => tenth / 10);

/** The result of one strategy on a bug. */
export interface LocatedBug {
  readonly id: string;
  readonly strategy: WitnessStrategy;
  /** The reason if the bug was not located. */
  readonly why?: string | undefined;
  readonly failure?: string | undefined;
  readonly witnesses: number;
  readonly tried: number;
  /** Similarity of each witness's execution path to that of the failing formula (Eq. 7, Fig. 6). */
  readonly similarities: readonly number[];
  /** The number of ranked files. */
  readonly files: number;
  /** For each weight, the ranks of the fixed files; unranked files come last. */
  readonly ranks: readonly (readonly number[])[];
  /** Ranks of the fixed files by culprit's own score and by its ablations. */
  readonly own: readonly VariantRanks[];
}

interface VariantRanks {
  readonly name: string;
  readonly ranks: readonly number[];
}

interface ScoreVariant {
  readonly name: string;
  readonly hasHistory: boolean;
  readonly options: Pick<RankOptions, 'discountsOrdinary' | 'aggregate' | 'weights'>;
}

/** Culprit's own score first, then ablations and variants of its parts. */
export const scoreVariants: readonly ScoreVariant[] = [
  { name: 'culprit', hasHistory: true, options: {} },
  { name: 'no ordinary formulas', hasHistory: true, options: { discountsOrdinary: false } },
  { name: 'no stack', hasHistory: true, options: { weights: { stack: 0 } } },
  { name: 'no history', hasHistory: false, options: {} },
  {
    name: 'witnesses alone',
    hasHistory: false,
    options: { discountsOrdinary: false, weights: { stack: 0, message: 0 } },
  },
  { name: 'by the mean', hasHistory: true, options: { aggregate: 'mean' } },
  { name: 'by the highest', hasHistory: true, options: { aggregate: 'max' } },
  { name: 'by the ten highest', hasHistory: true, options: { aggregate: 'top' } },
  { name: 'stack twice', hasHistory: true, options: { weights: { stack: 2 } } },
  { name: 'recency as well', hasHistory: true, options: { weights: { recency: 0.5 } } },
];

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
    const variant = countingVariant(request.isQuick ? 'quick' : undefined);
    const spec = { from: 'git', repository, revision: bug.buggyTag, variant } as const;
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

/** Undefined if aborted. */
async function locatedBug(
  bug: Bug,
  version: Version,
  edited: EditedVersion,
  strategy: WitnessStrategy,
  request: LocateStudyRequest,
): Promise<LocatedBug | undefined> {
  const { references, timeoutMs, memoryBytes, workers, mostTried, signal, onStep } = request;
  const counts = { witnesses: 0, tried: 0, files: 0 };
  const nothing = { id: bug.id, strategy, ...counts, similarities: [], ranks: [], own: [] };
  const formula = readScript(bug.text);
  if (formula instanceof Fault) return { ...nothing, why: formula.message };
  try {
    const evidence = await collectEvidence(
      {
        ...{ formula, version, references, timeoutMs, memoryBytes, workers, mostTried, strategy },
        written: request.written.get(bug.solver) ?? [],
        out: join(request.out, bug.id, strategy),
      },
      { signal, onStep },
    );
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
  const ranksBy = (options: Partial<RankOptions>, history: EditedVersion | undefined): readonly number[] => {
    const files = rankFiles(evidence, history, { score: 'culprit', by: 'ochiai', weight: 1, ...options });
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
    // The paper's score uses witnesses and history only, so it is undefined without witnesses.
    ranks:
      witnesses.length === 0 ? [] : weights.map((weight) => ranksBy({ score: 'smtloc', weight }, edited)),
    own: scoreVariants.map(({ name, hasHistory, options }) => ({
      name,
      ranks: ranksBy(options, hasHistory ? edited : undefined),
    })),
  };
}

/** The paper's variants: the source of witnesses and the weight of coverage. */
export const tableVariants = [
  { name: 'SBFL', strategy: 'developers', weight: 1 },
  { name: 'SMTLOC_dev', strategy: 'developers', weight: 0.5 },
  { name: 'SMTLOC_rand', strategy: 'random', weight: 0.5 },
  { name: 'SMTLOC_mc', strategy: 'markov-chain', weight: 0.5 },
  { name: 'SMTLOC_h', strategy: 'enumeration', weight: 0 },
  { name: 'SMTLOC_m', strategy: 'enumeration', weight: 1 },
  { name: 'SMTLOC', strategy: 'enumeration', weight: 0.5 },
  { name: 'culprit, witnesses of SMTLOC', strategy: 'enumeration', weight: undefined },
  { name: 'culprit', strategy: 'nearest', weight: undefined },
] as const satisfies readonly {
  readonly name: string;
  readonly strategy: WitnessStrategy;
  readonly weight: number | undefined;
}[];

/**
 * Quality over all bugs of a strategy. A bug that was not located has no ranks: it counts as not found and is
 * excluded from the means.
 *
 * @param weight of coverage against history; undefined for culprit's own score
 */
export function qualityOf(
  located: readonly LocatedBug[],
  strategy: WitnessStrategy,
  weight: number | undefined,
): Quality | undefined {
  const bugs = located.filter((bug) => bug.strategy === strategy);
  if (bugs.length === 0) return undefined;
  return qualityBy(bugs, ({ ranks, own }) =>
    weight === undefined ? own[0]?.ranks : ranks[Math.round(weight * 10)],
  );
}

export type Quality = RankingQuality & { readonly bugs: number };

function qualityBy(
  bugs: readonly LocatedBug[],
  ranksOf: (bug: LocatedBug) => readonly number[] | undefined,
): Quality {
  const ranked = bugs.flatMap((bug) => {
    const ranks = ranksOf(bug);
    return ranks === undefined ? [] : [ranks];
  });
  return { ...rankingQuality(ranked), bugs: bugs.length };
}

/** Quality of each variant of culprit's own score, over the bugs of its strategy. */
export function variantQualities(
  located: readonly LocatedBug[],
): readonly { readonly name: string; readonly quality: Quality }[] {
  const bugs = located.filter(({ strategy }) => strategy === 'nearest');
  if (bugs.length === 0) return [];
  return scoreVariants.map(({ name }, at) => ({
    name,
    quality: qualityBy(bugs, ({ own }) => own[at]?.ranks),
  }));
}

/** Quality of choosing a score variant on some bugs and judging it on others. */
export interface CrossValidation {
  readonly name: string;
  /** The names of the chosen variants. */
  readonly chosen: readonly string[];
  readonly quality: Quality;
}

/**
 * Cross-validation, since a variant judged on the bugs it was chosen by looks too good. Leave-one-out: all other bugs
 * choose the variant for a bug. Two-fold: each half, every second bug, chooses for the other half.
 */
export function crossValidations(located: readonly LocatedBug[]): readonly CrossValidation[] {
  const bugs = located.filter(({ strategy }) => strategy === 'nearest');
  if (bugs.length < 2) return [];
  const isInFirst = (_: unknown, at: number): boolean => at % 2 === 0;
  const first = bugs.filter(isInFirst);
  const second = bugs.filter((bug, at) => !isInFirst(bug, at));
  const halved = (name: string, chosenBy: readonly LocatedBug[], judgedBy: readonly LocatedBug[]) => {
    const way = bestVariant(chosenBy);
    const quality = qualityBy(judgedBy, ({ own }) => own[way]?.ranks);
    return { name, chosen: [scoreVariants[way]?.name ?? ''], quality };
  };
  const ways = new Map(bugs.map((bug) => [bug, bestVariant(bugs.filter((other) => other !== bug))]));
  return [
    {
      name: 'each by all others',
      chosen: [...new Set(ways.values())].map((way) => scoreVariants[way]?.name ?? ''),
      quality: qualityBy(bugs, (bug) => bug.own[ways.get(bug) ?? 0]?.ranks),
    },
    halved('second half by the first', first, second),
    halved('first half by the second', second, first),
  ];
}

/** The variant with the most bugs in the top 1, 5 and 10; the first one on a tie. */
function bestVariant(bugs: readonly LocatedBug[]): number {
  const worth = scoreVariants.map((_, at) => {
    const { top } = qualityBy(bugs, ({ own }) => own[at]?.ranks);
    return top[1] + top[5] + top[10];
  });
  return worth.indexOf(Math.max(...worth));
}
