import { Command } from 'commander';
import { readRunResults } from '../../jobs/index.js';
import { compareResults, runNotices } from '../../report/index.js';
import { readCalibration } from '../../solver/index.js';
import { durationArgument } from '../options/arguments.js';
import { type FailReason, failOnOption, isFailing } from '../options/fail-on.js';
import {
  mustTakeNotices,
  type NoticeOptions,
  takeNotices,
  withNoticeOptions,
} from '../options/notice-options.js';
import { type FormOptions, RunForms, withFormOptions } from '../options/run-forms.js';
import { tellBusyCalibration } from '../screen/busy-calibration.js';
import { orFail } from '../screen/failure.js';
import { warn } from '../screen/terminal.js';

interface CompareOptions extends FormOptions, NoticeOptions {
  readonly threshold?: number;
  readonly all?: boolean;
  readonly failOn: ReadonlySet<FailReason>;
}

/** `culprit compare`: changes between two runs of the same formulas. */
export function compareCommand(): Command {
  return withNoticeOptions(withFormOptions(new Command('compare')))
    .argument('<before>', 'earlier output of culprit run --json')
    .argument('<after>', 'later output of culprit run --json; the newest version of each file is compared')
    .option(
      '--threshold <time>',
      'smallest difference that counts (default: calibrated to the machine)',
      durationArgument,
    )
    .option('--all', 'also show unchanged formulas')
    .addOption(failOnOption('disagree'))
    .addHelpText(
      'after',
      '\nExample:\n' +
        '  $ culprit run queries --on z3 --json > tonight.jsonl\n' +
        '  $ culprit compare yesterday.jsonl tonight.jsonl --fail-on slower,disagree',
    )
    .action(compare);
}

async function compare(before: string, after: string, options: CompareOptions): Promise<void> {
  const known = await mustTakeNotices(options);
  await tellBusyCalibration(options);
  const { both, changed, notes } = orFail(
    compareResults(
      { name: before, results: orFail(readRunResults(before, warn)) },
      { name: after, results: orFail(readRunResults(after, warn)) },
      { noise: await readCalibration(), thresholdMs: options.threshold },
    ),
  );
  const shown = options.all ? both : changed;
  const forms = await RunForms.forResults(options, both, shown);
  for (const result of shown) forms.add(result);
  await forms.close(both, shown, notes);
  const fresh = await takeNotices(runNotices(both), known, options);
  process.exitCode = isFailing(fresh, options.failOn) ? 1 : 0;
}
