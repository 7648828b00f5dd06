/** Explains why a test fails since an update, in five steps: compare, check, observe, search, explain. */

import type { CampaignFolder } from '../campaign/index.js';
import { Fault, type OnStep, ThrownFault, usageFault } from '../machine/index.js';
import { assembleExplanation } from './assemble-explanation.js';
import { checkVersions } from './check-versions.js';
import { type ComparedVersions, compareVersions } from './compared-versions.js';
import { type Explanation, storedExplanation, storeExplanation } from './explanation.js';
import { observeTest } from './observation.js';
import { searchBlame } from './search-blame.js';
import type { ExplainSettings } from './settings.js';
import { slowLimit } from './slow-limit.js';
import { TestedVersion } from './trials/tested-version.js';
import { Trials, type Tries } from './trials/trials.js';
import { WorkTree } from './trials/work-tree.js';

export interface ExplainOptions {
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
  /** Called for every set of changes that the search asks about. */
  readonly onTried?: ((tries: Tries) => void) | undefined;
}

export async function explain(
  campaign: CampaignFolder,
  settings: ExplainSettings,
  options: ExplainOptions,
): Promise<Explanation | Fault> {
  const startedAt = performance.now();
  const unlock = await campaign.lock();
  if (unlock instanceof Fault) return unlock;
  try {
    const stored = storedExplanation(campaign);
    if (stored !== undefined) return stored;
    const found = await explainTest(campaign, settings, options);
    if (found instanceof Fault) return found;
    const explanation = { ...found, ms: performance.now() - startedAt };
    await storeExplanation(campaign, explanation);
    return explanation;
  } catch (error) {
    if (error instanceof ThrownFault) return error.fault;
    throw error;
  } finally {
    await unlock();
  }
}

async function explainTest(
  campaign: CampaignFolder,
  settings: ExplainSettings,
  { signal, onStep, onTried }: ExplainOptions,
): Promise<Explanation | Fault> {
  const old = new TestedVersion(settings.old, settings);
  const next = new TestedVersion(settings.new, settings);

  onStep?.({ step: 'comparing the versions', done: 0, total: 1, what: 'step' });
  const versions = await compareVersions(campaign, old, next, settings.only, signal);
  if (versions instanceof Fault) return versions;
  const { oldTree, newFolder, files } = versions;

  const onChecked = (done: number): void =>
    onStep?.({ step: 'building and testing both versions', done, total: 2, what: 'version' });
  onChecked(0);
  const slow = await slowLimit(campaign, oldTree, settings, signal);
  if (slow instanceof Fault) return slow;
  const tree = await WorkTree.open(newFolder, next, files, signal, slow);
  if (tree instanceof Fault) return tree;
  const trials = await Trials.open(campaign.journalPath, tree, signal, onTried);
  if (trials instanceof Fault) return trials;
  try {
    const check = { oldTree, newName: next.name, trials, repeats: settings.repeats, slow };
    const fault = await checkVersions({ ...check, onOldChecked: () => onChecked(1) }, signal);
    if (fault !== undefined) return fault;
    const { measure } = await trials.of([]);

    const observation = await observeTest({ campaign, settings, old, next, versions, signal, onStep });
    try {
      const blame = await searchBlame(settings.strategy, versions, observation, trials);
      if (blame === undefined) return nothingToBlame(versions);
      const found = await assembleExplanation(blame, versions, observation, trials, settings, onStep);
      return { ...found, slowdown: slow && { ...found.slowdown, old: slow.old, new: measure } };
    } finally {
      await observation.chains?.close();
    }
  } finally {
    trials.close();
  }
}

function nothingToBlame({ changes, notes }: ComparedVersions): Fault {
  return usageFault(
    [
      `with all ${changes.length} changes reverted the test still fails: a difference that is not in a text is to blame`,
      ...notes,
    ].join('; '),
  );
}
