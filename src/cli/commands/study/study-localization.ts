import { Command, InvalidArgumentError, Option } from 'commander';
import { usageFault } from '../../../machine/index.js';
import {
  localizationJson,
  localizationPage,
  localizationText,
  studyLocalization,
} from '../../../study/index.js';
import { durationArgument } from '../../options/arguments.js';
import { type ForceOption, mustBeWritable, putAndTell, withForceOption } from '../../options/named-output.js';
import { allowanceFor, type TrustOption, withTrustOption } from '../../options/trust-option.js';
import { packageVersion } from '../../package-version.js';
import { orFail } from '../../screen/failure.js';
import { interruptible } from '../../screen/interrupt.js';
import { Progress } from '../../screen/progress.js';
import { ink, print, printJson, screenWidth } from '../../screen/terminal.js';

interface LocalizationOptions extends TrustOption, ForceOption {
  readonly history: readonly string[];
  readonly buildTime?: number;
  readonly runFactor: number;
  readonly html?: string;
  readonly json?: boolean;
}

/** `culprit study localization`: SPRFinder, Fig. 5, 6 and 7, Table 3 and 4. */
export function studyLocalizationCommand(): Command {
  return withForceOption(withTrustOption(new Command('localization')))
    .description('how fast commits are found, and what they did: SPRFinder, Fig. 5 to 7, Table 3 and 4')
    .argument(
      '[folder...]',
      'folders of culprit bisect or culprit blame; their measurements are replayed, nothing is built',
    )
    .option(
      '--history <file...>',
      'JSON files with histories: the levels of cases and the commits at which they change',
      [],
    )
    .addOption(
      new Option('--build-time <time>', 'cost of a build (default: as recorded, or else 18m)').argParser(
        durationArgument,
      ),
    )
    .option('--run-factor <n>', 'cost of a run, as a multiple of its time', factorArgument, 1)
    .option('--html <file>', 'write the figures as one self-contained HTML page')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ culprit study localization bisections/2026-11-15T10-00-00\n' +
        '  $ culprit study localization --history examples/history/synthetic-512.json --build-time 18m',
    )
    .action(async (folders: string[], options: LocalizationOptions) => {
      await interruptible((signal) => run(folders, options, signal));
    });
}

async function run(
  folders: readonly string[],
  options: LocalizationOptions,
  signal: AbortSignal,
): Promise<void> {
  if (folders.length + options.history.length === 0)
    orFail(usageFault('name a folder of culprit bisect, or a history: --history FILE'));
  await mustBeWritable(options.html, options);
  const progress = new Progress();
  const found = orFail(
    await studyLocalization({
      folders,
      files: options.history,
      buildMs: options.buildTime,
      runFactor: options.runFactor,
      allowFor: (folder) => allowanceFor(folder, options),
      signal,
      onStep: (step) => progress.follow(step),
    }).finally(() => progress.clear()),
  );
  if (options.html !== undefined)
    await putAndTell(options.html, localizationPage(found, packageVersion), options);
  if (options.json) printJson('study-localization', localizationJson(found));
  else print(localizationText(found, ink, screenWidth));
}

function factorArgument(text: string): number {
  const factor = Number(text);
  if (!(factor > 0 && factor <= 1e6)) throw new InvalidArgumentError('It must be a number above 0.');
  return factor;
}
