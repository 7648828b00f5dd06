/** The last step of `bisect` and `blame`: names the changes in each culprit commit, and the functions that do more work. */

import { join } from 'node:path';
import { CampaignFolder } from '../../campaign/index.js';
import {
  type BegunExplanation,
  beginExplanation,
  explain,
  resumeExplanation,
  type Tries,
} from '../../explain/index.js';
import type { Bisection, BisectSettings } from '../../history/index.js';
import { allowNamed, Fault } from '../../machine/index.js';
import { type ExplanationView, temporaryChanges } from '../../report/index.js';
import { shortId } from '../../repository/index.js';
import type { JobWatch } from '../job.js';
import { culpritQuestion } from './culprit-question.js';

export interface ExplainedBisection {
  readonly settings: BisectSettings;
  readonly bisection: Bisection;
}

export interface ExplainWatch extends JobWatch {
  /** Called after every tried set of changes. */
  readonly onTried?: (tries: Tries) => void;
  readonly onExplained: (view: ExplanationView) => void | Promise<void>;
}

/**
 * Explains every commit that made a case slower for good, by the case it slowed down the most. Explanations are stored in
 * the campaign's folder, and finished ones are read from there.
 *
 * @param culprit this culprit's own version
 */
export async function explainCulprits(
  { settings, bisection }: ExplainedBisection,
  folder: CampaignFolder,
  culprit: string,
  watch: ExplainWatch,
): Promise<void> {
  const passing = temporaryChanges(bisection.culprits);
  const growth = ({ beforeLevel, afterLevel }: Bisection['culprits'][number]): number =>
    afterLevel / Math.max(beforeLevel, 1e-9);
  const slower = bisection.culprits
    .filter((found) => found.direction === 'slower' && !passing.has(found))
    .toSorted((a, b) => growth(b) - growth(a));
  const commits = new Set<string>();
  for (const found of slower) {
    const { commit } = found;
    if (commits.has(commit)) continue;
    commits.add(commit);
    const name = `why-${shortId(commit)}`;
    await folder.makeFolder(name);
    const text = settings.cases[found.case]?.text;
    const formula = join(name, 'case.smt2');
    if (text !== undefined) await folder.writeAtomically(formula, text);
    const out = join(folder.path, name, 'explanation');
    const question = culpritQuestion(settings, found, join(folder.path, formula));
    const begun =
      question instanceof Fault
        ? question
        : CampaignFolder.isAt(out)
          ? await resumeExplanation(out, allowNamed)
          : await beginExplanation(
              { ...question, strategy: 'culprit', repeats: 2, treeLimitMs: 60_000, only: [], out, culprit },
              watch.signal,
            );
    const view = begun instanceof Fault ? begun : await explained(begun, shortId(commit), watch);
    if (view instanceof Fault) watch.onWarning?.(`${shortId(commit)} is not explained: ${view.message}`);
    else await watch.onExplained(view);
  }
}

async function explained(
  { folder, settings }: BegunExplanation,
  commit: string,
  watch: ExplainWatch,
): Promise<ExplanationView | Fault> {
  watch.onNote?.(`which changes of ${commit} are to blame? every trial is stored in ${folder.path}`);
  const explanation = await explain(folder, settings, watch);
  return explanation instanceof Fault ? explanation : { settings, explanation };
}
