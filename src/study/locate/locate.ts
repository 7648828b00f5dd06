/** How well the files to blame are named, over a folder of bugs (SMTLOC, Table 3, Fig. 6, Fig. 7). */

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
  /** Versions are built without being optimised. */
  readonly isQuick: boolean;
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
  /** The same by culprit's own score, and by what is left of it without one of its parts. */
  readonly own: readonly OwnRanks[];
}

interface OwnRanks {
  readonly name: string;
  readonly ranks: readonly number[];
}

/** A way to rank files, and its name. */
interface OwnWay {
  readonly name: string;
  readonly hasHistory: boolean;
  readonly options: Pick<RankOptions, 'isRareMore' | 'aggregate' | 'weights'>;
}

/** Culprit's own score first; the others are made to see what each part of it does. */
export const ownWays: readonly OwnWay[] = [
  { name: 'culprit', hasHistory: true, options: {} },
  { name: 'no ordinary formulas', hasHistory: true, options: { isRareMore: false } },
  { name: 'no stack', hasHistory: true, options: { weights: { stack: 0 } } },
  { name: 'no history', hasHistory: false, options: {} },
  {
    name: 'witnesses alone',
    hasHistory: false,
    options: { isRareMore: false, weights: { stack: 0, message: 0 } },
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

/** Undefined if it was ended from outside. */
async function locatedBug(
  bug: Bug,
  version: Version,
  edited: EditedVersion,
  strategy: WitnessStrategy,
  request: LocateStudyRequest,
): Promise<LocatedBug | undefined> {
  const { references, timeoutMs, memoryBytes, workers, mostTried, signal, onStep } = request;
  const nothing = {
    id: bug.id,
    strategy,
    witnesses: 0,
    tried: 0,
    similarities: [],
    files: 0,
    ranks: [],
    own: [],
  };
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
    // The paper knows nothing but witnesses and the history: without the first it has nothing to say.
    ranks:
      witnesses.length === 0 ? [] : weights.map((weight) => ranksBy({ score: 'smtloc', weight }, edited)),
    own: ownWays.map(({ name, hasHistory, options }) => ({
      name,
      ranks: ranksBy(options, hasHistory ? edited : undefined),
    })),
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
  { name: 'culprit, witnesses of SMTLOC', strategy: 'enumeration', weight: undefined },
  { name: 'culprit', strategy: 'nearest', weight: undefined },
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

/** Culprit's own ways, each over all bugs of its own strategy. */
export function ownQualities(
  located: readonly LocatedBug[],
): readonly { readonly name: string; readonly quality: Quality }[] {
  const bugs = located.filter(({ strategy }) => strategy === 'nearest');
  if (bugs.length === 0) return [];
  return ownWays.map(({ name }, at) => ({ name, quality: qualityBy(bugs, ({ own }) => own[at]?.ranks) }));
}

/** What comes of choosing among culprit's own ways by some bugs and judging the choice by others. */
export interface JudgedChoice {
  readonly name: string;
  /** The ways that were chosen. */
  readonly chosen: readonly string[];
  readonly quality: Quality;
}

/**
 * A way that was chosen by the bugs it is judged by looks better than it is. Here it never is: for each bug the choice is
 * made by all others, and for each half of them, every second one, by the other half.
 */
export function judgedChoices(located: readonly LocatedBug[]): readonly JudgedChoice[] {
  const bugs = located.filter(({ strategy }) => strategy === 'nearest');
  if (bugs.length < 2) return [];
  const isInFirst = (_: unknown, at: number): boolean => at % 2 === 0;
  const first = bugs.filter(isInFirst);
  const second = bugs.filter((bug, at) => !isInFirst(bug, at));
  const halved = (name: string, chosenBy: readonly LocatedBug[], judgedBy: readonly LocatedBug[]) => {
    const way = bestWay(chosenBy);
    const quality = qualityBy(judgedBy, ({ own }) => own[way]?.ranks);
    return { name, chosen: [ownWays[way]?.name ?? ''], quality };
  };
  const ways = new Map(bugs.map((bug) => [bug, bestWay(bugs.filter((other) => other !== bug))]));
  return [
    {
      name: 'each by all others',
      chosen: [...new Set(ways.values())].map((way) => ownWays[way]?.name ?? ''),
      quality: qualityBy(bugs, (bug) => bug.own[ways.get(bug) ?? 0]?.ranks),
    },
    halved('second half by the first', first, second),
    halved('first half by the second', second, first),
  ];
}

/** The one with most bugs among the first one, five and ten; the first of those that are equal. */
function bestWay(bugs: readonly LocatedBug[]): number {
  const worth = ownWays.map((_, at) => {
    const { top } = qualityBy(bugs, ({ own }) => own[at]?.ranks);
    return top[1] + top[5] + top[10];
  });
  return worth.indexOf(Math.max(...worth));
}
