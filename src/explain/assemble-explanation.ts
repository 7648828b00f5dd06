/** Step 5: check that reverting the blamed changes repairs the test, and assemble the explanation. */

import type { OnStep } from '../machine/index.js';
import type { TracedCauses } from './causes/traced-causes.js';
import type { Change } from './changes/change.js';
import { revertingPatch } from './changes/patch.js';
import type { ComparedVersions } from './compared-versions.js';
import type { Explanation, Slowdown } from './explanation.js';
import type { Observation } from './observation.js';
import type { Blame } from './search/blame-search.js';
import type { ExplainSettings } from './settings.js';
import { sourceExcerpts } from './source-excerpts.js';
import type { Trials } from './trials/trials.js';

/** The measures of the two versions are still missing. */
type AssembledExplanation = Omit<Explanation, 'slowdown'> & {
  readonly slowdown: Pick<Slowdown, 'repaired' | 'functions'>;
};

export async function assembleExplanation(
  { blamed, auxiliary, staying = [] }: Blame,
  versions: ComparedVersions,
  { causes, chains, executed, grown, notes }: Observation,
  trials: Trials,
  { repeats, treeLimitMs }: Pick<ExplainSettings, 'repeats' | 'treeLimitMs'>,
  onStep: OnStep | undefined,
): Promise<AssembledExplanation> {
  const { files, changes } = versions;
  const { effort } = trials;
  const reverted = new Set(
    [...blamed.filter((change) => !staying.includes(change)), ...auxiliary].map(({ id }) => id),
  );
  const { verdict, measure } = await trials.of(reverted);
  let isRepaired = verdict === 'passes';
  for (let time = 1; time < repeats && isRepaired; time++)
    isRepaired = (await trials.again(reverted)).verdict === 'passes';
  onStep?.({ step: 'finding what forces the failure', done: 0, total: 1, what: 'failure' });
  const tree = await chains?.treeOf(blamed, treeLimitMs);
  const carriers = carriersOf(blamed, causes).filter((change) => !auxiliary.includes(change));
  const chainOf = (change: Change) => causes?.chains.get(change) ?? [];
  const reported = { tree, chains: blamed.map(chainOf), changes: [...blamed, ...auxiliary, ...carriers] };
  return {
    ...{ auxiliary, carriers, tree, effort, isRepaired },
    changes: changes.length,
    blamed: blamed.map((change) => ({
      ...change,
      chain: chainOf(change),
      stays: staying.includes(change),
    })),
    executed: executed?.length,
    slowdown: { repaired: measure, functions: grown ?? [] },
    causes: causes && {
      ...causes.failure,
      at: causes.place,
      levels: causes.levels.map((level) => level.length),
    },
    reasoning: chains?.reasoning ?? { causes: 0, questions: 0, solverMs: 0 },
    notes: [...notes, ...versions.notes],
    sources: sourceExcerpts(reported, files, causes?.source),
    patch: revertingPatch(files, (id) => reverted.has(id)).toString('latin1'),
  };
}

/** The changes whose lines pass the effect of the blamed ones on to the failure. */
function carriersOf(blamed: readonly Change[], causes: TracedCauses | undefined): readonly Change[] {
  if (causes === undefined) return [];
  const lines = blamed.flatMap((change) => causes.chains.get(change) ?? []);
  const isOn = ({ file, new: { from, to } }: Change): boolean =>
    lines.some((line) => line.file === file && from <= line.line && line.line <= to);
  return causes.levels.flat().filter((change) => !blamed.includes(change) && isOn(change));
}
