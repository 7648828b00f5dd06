/** The last step of `bisect` and `blame`: of each culprit commit the changes in it, and where more is done since. */

import { join } from 'node:path';
import { CampaignFolder } from '../../campaign/index.js';
import { packageVersion } from '../../cli/package-version.js';
import { triesText } from '../../cli/screen/explain-progress.js';
import { Progress } from '../../cli/screen/progress.js';
import { ink, print, printJson, tell, warn } from '../../cli/screen/terminal.js';
import { beginExplanation, explain, resumeExplanation } from '../../explain/index.js';
import type { Bisection, BisectSettings } from '../../history/index.js';
import { allowNamed, Fault } from '../../machine/index.js';
import { explanationJson, explanationText, passingCulprits } from '../../report/index.js';
import { shortId } from '../../repository/index.js';
import { culpritQuestion } from '../index.js';

export interface ExplainedBisection {
  readonly settings: BisectSettings;
  readonly bisection: Bisection;
}

/** Those that made something slower for good, each by the case it made slowest; kept in the campaign's folder. */
export async function explainCulprits(
  { settings, bisection }: ExplainedBisection,
  folder: CampaignFolder,
  { isJson, signal }: { readonly isJson: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const passing = passingCulprits(bisection.culprits);
  const slower = bisection.culprits
    .filter((culprit) => culprit.direction === 'slower' && !passing.has(culprit))
    .toSorted(
      (a, b) => b.afterLevel / Math.max(b.beforeLevel, 1e-9) - a.afterLevel / Math.max(a.beforeLevel, 1e-9),
    );
  const told = new Set<string>();
  for (const culprit of slower) {
    const { commit } = culprit;
    if (told.has(commit)) continue;
    told.add(commit);
    const name = `why-${shortId(commit)}`;
    await folder.makeFolder(name);
    const text = settings.cases[culprit.case]?.text;
    const formula = join(name, 'case.smt2');
    if (text !== undefined) await folder.writeAtomically(formula, text);
    const out = join(folder.path, name, 'explanation');
    const question = culpritQuestion(settings, culprit, join(folder.path, formula));
    const begun =
      question instanceof Fault
        ? question
        : CampaignFolder.isAt(out)
          ? await resumeExplanation(out, allowNamed)
          : await beginExplanation(
              {
                ...{ ...question, strategy: 'culprit', repeats: 2, treeLimitMs: 60_000 },
                ...{ only: [], out, culprit: packageVersion },
              },
              signal,
            );
    if (begun instanceof Fault) {
      warn(`${shortId(commit)} is not explained: ${begun.message}`);
      continue;
    }
    tell(`which changes of ${shortId(commit)} are to blame? what is tried is kept in ${out}`);
    const progress = new Progress();
    const explanation = await explain(begun.folder, begun.settings, {
      signal,
      onStep: (step) => progress.follow(step),
      onTried: (tries) => progress.show(triesText(tries)),
    }).finally(() => progress.clear());
    if (explanation instanceof Fault) {
      warn(`${shortId(commit)} is not explained: ${explanation.message}`);
      continue;
    }
    const view = { settings: begun.settings, explanation };
    if (isJson) printJson('explain', explanationJson(view));
    else print(`\n${explanationText(view, ink)}`);
  }
}
