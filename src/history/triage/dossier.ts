/** Collects the facts about each culprit commit of a bisection. */

import type { CaseId } from '../../campaign/index.js';
import { Fault, type OnStep, thisMachine } from '../../machine/index.js';
import { type Commit, type Repository, shortId } from '../../repository/index.js';
import type { Bisection, Culprit } from '../bisection/bisection.js';
import { type Triage, triage } from './triage.js';
import { triageRulesIn } from './triage-rules.js';

export interface Dossier {
  readonly commit: Commit;
  readonly triage: Triage;
  /** The cases that became slower, the largest difference first. */
  readonly cases: readonly Culprit[];
  /** Later commits that made some of these cases fast again. */
  readonly healedBy: readonly Commit[];
  /** Cases that are still slow at the end of the line. */
  readonly stillSlow: readonly CaseId[];
}

/** One dossier per slowing commit, the commit with the most cases first. */
export async function dossiers(
  bisection: Bisection,
  repository: Repository,
  bad: string,
  signal: AbortSignal,
  onStep?: OnStep,
): Promise<readonly Dossier[] | Fault> {
  const slower = bisection.culprits.filter(({ direction }) => direction === 'slower');
  const ids = [...new Set(slower.map(({ commit }) => commit))];
  const rules = await triageRulesIn(thisMachine().cwd);
  if (rules instanceof Fault) return rules;
  const found: Dossier[] = [];
  for (const [done, id] of ids.entries()) {
    onStep?.({ step: 'reading what commits did', done, total: ids.length, what: 'commit', at: shortId(id) });
    const cases = slower
      .filter((culprit) => culprit.commit === id)
      .toSorted((a, b) => b.afterLevel - b.beforeLevel - (a.afterLevel - a.beforeLevel));
    const healing = healers(bisection.culprits, cases);
    const commits = await repository.commits([id], signal);
    if (commits instanceof Fault) return commits;
    const [commit] = commits;
    if (commit === undefined) continue;
    const healedBy = await repository.commits([...new Set(healing.map((healer) => healer.commit))], signal);
    if (healedBy instanceof Fault) return healedBy;
    const naming = await repository.commitsNaming(id, bad, signal);
    if (naming instanceof Fault) return naming;
    const files = await repository.filesOf(id, signal);
    if (files instanceof Fault) return files;
    const functions = await repository.functionsOf(id, signal);
    if (functions instanceof Fault) return functions;
    const lines = await repository.changedLinesOf(id, signal);
    if (lines instanceof Fault) return lines;
    found.push({
      commit,
      triage: triage({ commit, files, functions, lines, later: [...healedBy, ...naming] }, rules),
      cases,
      healedBy,
      stillSlow: cases
        .map((culprit) => culprit.case)
        .filter((slow) => !healing.some((healer) => healer.case === slow)),
    });
  }
  return found.toSorted((a, b) => b.cases.length - a.cases.length);
}

/** Later steps at which the same cases became fast again. Culprits of a case are in line order. */
function healers(all: readonly Culprit[], cases: readonly Culprit[]): readonly Culprit[] {
  return cases.flatMap((culprit) => {
    const own = all.filter((other) => other.case === culprit.case);
    return own.slice(own.indexOf(culprit) + 1).filter((other) => other.direction === 'quicker');
  });
}
