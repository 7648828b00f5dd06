import { Command } from 'commander';
import { type JobStep, thisMachine } from '../../../machine/index.js';
import { studyTriage, triageStudyText } from '../../../study/index.js';
import { orFail } from '../../screen/failure.js';
import { interruptible } from '../../screen/interrupt.js';
import { Progress } from '../../screen/progress.js';
import { ink, print, printJson, screenWidth } from '../../screen/terminal.js';

/**
 * `culprit study triage`: compares the triage rules with labels by people who read the diffs (SPRFinder, Table 4).
 */
export function studyTriageCommand(): Command {
  return new Command('triage')
    .description('how often the rules of triage say what labels say: SPRFinder, the intentions of Table 4')
    .argument('<labels>', 'JSON file: { "commits": [{ "commit": …, "category": … }] }')
    .requiredOption('--repo <path>', 'git repository of the commits (read only)')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  $ culprit study triage examples/triage/z3-labels.json --repo ../z3')
    .action(async (labels: string, { repo, json }: { repo: string; json?: boolean }) => {
      await interruptible(async (signal) => {
        const progress = new Progress();
        const onStep = (step: JobStep): void => progress.follow(step);
        const asked = { labels, repo, folder: thisMachine().cwd, signal, onStep };
        const found = orFail(await studyTriage(asked).finally(() => progress.clear()));
        if (json) printJson('study-triage', found);
        else print(triageStudyText(found, ink, screenWidth));
      });
    });
}
