/** Step 4: search the changes to blame, by one of the strategies. */

import type { Change } from './changes/change.js';
import type { ComparedVersions } from './compared-versions.js';
import { levelsOfWork } from './counting/work-by-function.js';
import type { Observation } from './observation.js';
import type { AuxiliaryStrategy } from './search/auxiliary-changes.js';
import { type Blame, BlameSearch } from './search/blame-search.js';
import { augmentedDeltaDebugging, deltaDebugging } from './search/delta-debugging.js';
import type { StrategyName } from './settings.js';
import type { Trials } from './trials/trials.js';

type Strategy = (
  versions: ComparedVersions,
  observation: Observation,
  trials: Trials,
) => Promise<Blame | undefined>;

const strategies: Readonly<Record<StrategyName, Strategy>> = {
  culprit: async (versions, observation, trials) =>
    (await byDivergence(versions, observation, trials)) ??
    byLevels(versions, observation, trials, ['by diagnostics', 'by diagnostics, then among all']),
  after: async (versions, observation, trials) =>
    (await byCauses(versions, observation, trials)) ??
    byLevels(versions, observation, trials, ['as published']),
  dd: ({ changes }, _, trials) => deltaDebugging(changes, trials),
  add: ({ changes }, { executed }, trials) => augmentedDeltaDebugging(changes, trials, executed ?? changes),
};

/** @returns undefined if the test also fails with all changes reverted */
export function searchBlame(
  name: StrategyName,
  versions: ComparedVersions,
  observation: Observation,
  trials: Trials,
): Promise<Blame | undefined> {
  trials.forgetEffort();
  return strategies[name](versions, observation, trials);
}

/** Algorithm 1 as published: after each cause that adds changes, the changes of all causes so far are tried. */
async function byCauses(
  { files }: ComparedVersions,
  { chains }: Observation,
  trials: Trials,
): Promise<Blame | undefined> {
  const search = new BlameSearch(files, trials, 'as published');
  const candidates: Change[] = [];
  for await (const { changes } of chains?.causes() ?? []) {
    const added = changes.filter((change) => !candidates.includes(change));
    if (added.length === 0) continue;
    candidates.push(...added);
    const blame = await search.among(candidates);
    if (blame !== undefined) return blame;
  }
  return undefined;
}

/** Tries the changes at which the runs of both versions diverge. */
async function byDivergence(
  { files }: ComparedVersions,
  { causes, divergenceWith }: Observation,
  trials: Trials,
): Promise<Blame | undefined> {
  if (divergenceWith === undefined) return undefined;
  const search = new BlameSearch(files, trials, 'by diagnostics');
  return search.suspected(divergenceWith, levelIn(causes?.levels ?? []));
}

/** Tries the changes found by dependence, adding one level after the other, and at last all changes. */
async function byLevels(
  { files, changes }: ComparedVersions,
  { causes, executed, grown = [] }: Observation,
  trials: Trials,
  auxiliaryStrategies: readonly AuxiliaryStrategy[],
): Promise<Blame | undefined> {
  const levels = causes?.levels ?? (executed === undefined ? [] : levelsOfWork(executed, grown));
  const levelOf = levelIn(levels);
  for (const strategy of auxiliaryStrategies) {
    const search = new BlameSearch(files, trials, strategy);
    const candidates: Change[] = [];
    for (const level of levels) {
      candidates.push(...level);
      const blame = await search.among(candidates, strategy !== 'as published', levelOf);
      if (blame !== undefined) return blame;
    }
    const blame = await search.among(changes, strategy !== 'as published', levelOf);
    if (blame !== undefined) return blame;
  }
  return undefined;
}

/** The number of decisions between a change and the failure. */
function levelIn(levels: readonly (readonly Change[])[]): (change: Change) => number {
  return (change) => {
    const level = levels.findIndex((changes) => changes.includes(change));
    return level < 0 ? levels.length : level;
  };
}
