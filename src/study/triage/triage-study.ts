/** Compares the rules of triage with labels given by people who read the diffs: accuracy and confusion. */

import { z } from 'zod';
import { type Intention, intentions, triage, triageRulesIn } from '../../history/index.js';
import { Fault, type OnStep, usageFault } from '../../machine/index.js';
import { Repository } from '../../repository/index.js';
import { readJson } from '../read-json.js';

const labelsSchema = z.object({
  commits: z
    .array(
      z.object({
        commit: z.string().regex(/^[0-9a-f]{7,64}$/, 'a commit is named by its id'),
        category: z.enum(intentions),
        /** Rules may have been tuned on the first half; the second half is for evaluation. */
        half: z.enum(['first', 'second']).optional(),
      }),
    )
    .min(1),
});

export type Label = z.infer<typeof labelsSchema>['commits'][number];

const mostLabelBytes = 16 << 20;

export function readLabels(path: string): readonly Label[] | Fault {
  const labels = readJson(path, labelsSchema, mostLabelBytes);
  return labels instanceof Fault ? labels : labels.commits;
}

/** A labelled commit with the verdict of the rules. */
export interface TriageVerdict {
  readonly commit: string;
  readonly subject: string;
  readonly half?: Label['half'];
  readonly label: Intention;
  readonly told: Intention;
  readonly because: readonly string[];
}

export interface Agreement {
  readonly of: 'all' | 'first half' | 'second half';
  readonly commits: number;
  readonly right: number;
  /** Number of correct answers if every commit got the most common label. */
  readonly commonest: number;
  /** By label, then by verdict. */
  readonly confusion: Readonly<Record<Intention, Readonly<Record<Intention, number>>>>;
}

export interface TriageStudy {
  readonly told: readonly TriageVerdict[];
  /** Over all commits, and over each half if the labels have halves. */
  readonly agreements: readonly Agreement[];
}

export interface TriageStudyRequest {
  /** A file with labels. */
  readonly labels: string;
  readonly repo: string;
  /** The folder of `culprit.json`, whose rules also apply. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
}

export async function studyTriage({
  labels: path,
  repo,
  folder,
  signal,
  onStep,
}: TriageStudyRequest): Promise<TriageStudy | Fault> {
  const labels = readLabels(path);
  if (labels instanceof Fault) return labels;
  const rules = await triageRulesIn(folder);
  if (rules instanceof Fault) return rules;
  const repository = await Repository.open(repo, signal);
  if (repository instanceof Fault) return repository;
  const told: TriageVerdict[] = [];
  for (const { commit: name, category, half } of labels) {
    onStep?.({ step: 'reading', done: told.length, total: labels.length, what: 'commit', at: name });
    const id = await repository.resolve(name, signal);
    if (id instanceof Fault) return id;
    const commits = await repository.commits([id], signal);
    if (commits instanceof Fault) return commits;
    const files = await repository.filesOf(id, signal);
    if (files instanceof Fault) return files;
    const lines = await repository.changedLinesOf(id, signal);
    if (lines instanceof Fault) return lines;
    const [commit] = commits;
    if (commit === undefined) return usageFault(`${repo} has no commit ${name}`);
    const { intention, evidence } = triage({ commit, files, functions: [], lines, later: [] }, rules);
    const because = evidence
      .filter(({ means }) => means === intention)
      .map(({ says, on }) => `${says}: ${on}`);
    told.push({ commit: id, subject: commit.subject, half, label: category, told: intention, because });
  }
  return { told, agreements: agreementsOf(told) };
}

export function agreementsOf(told: readonly TriageVerdict[]): readonly Agreement[] {
  const halves = (['first', 'second'] as const).flatMap((half) => {
    const own = told.filter((one) => one.half === half);
    return own.length === 0 ? [] : [agreement(own, `${half} half`)];
  });
  return [agreement(told, 'all'), ...halves];
}

function agreement(told: readonly TriageVerdict[], of: Agreement['of']): Agreement {
  const many = (label: Intention, as?: Intention): number =>
    told.filter((one) => one.label === label && (as === undefined || one.told === as)).length;
  const row = (label: Intention) =>
    Object.fromEntries(intentions.map((as) => [as, many(label, as)])) as Record<Intention, number>;
  return {
    of,
    commits: told.length,
    right: told.filter(({ label, told: as }) => label === as).length,
    commonest: Math.max(...intentions.map((label) => many(label))),
    confusion: Object.fromEntries(intentions.map((label) => [label, row(label)])) as Record<
      Intention,
      Record<Intention, number>
    >,
  };
}
