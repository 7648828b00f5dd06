import { Command, InvalidArgumentError, Option } from 'commander';
import { type StrategyName, strategies } from '../../../hunt/index.js';
import { counted, shellWord } from '../../../page/index.js';
import { type LogicName, logicNames } from '../../../smtlib/index.js';
import type { SlownessRequest } from '../../../solver/index.js';
import {
  multiObjectiveJson,
  multiObjectiveText,
  publishedVariants,
  sizesToRun,
  studyMultiObjective,
} from '../../../study/index.js';
import { countArgument, timeOption } from '../../options/arguments.js';
import {
  type SlownessOptions,
  slownessRequest,
  withSlownessOptions,
} from '../../options/slowness-options.js';
import { embeddedVersions, versionsOf } from '../../options/versions.js';
import { packageVersion } from '../../package-version.js';
import { tellBusyCalibration } from '../../screen/busy-calibration.js';
import { orFail } from '../../screen/failure.js';
import { codeOfEnd, interruptible } from '../../screen/interrupt.js';
import { Progress } from '../../screen/progress.js';
import { advise, ink, print, printJson, screenWidth, tell, warn } from '../../screen/terminal.js';
import { StudyCampaigns } from './study-campaigns.js';

interface MultiObjectiveOptions extends SlownessOptions {
  readonly on: string;
  readonly for: number;
  readonly repeat: number;
  readonly variants: readonly StrategyName[];
  readonly population: number;
  readonly populations: readonly number[];
  readonly long: number;
  readonly out: string;
  readonly logic: LogicName;
  readonly json?: boolean;
}

/** The limit in the paper. */
const { timeoutMs: usualTimeoutMs } = strategies.mulstringfuzz;

/** `culprit study multi-objective`: compares the variants of MulStringFuzz (Table I, Fig. 3 to 6). */
export function studyMultiObjectiveCommand(): Command {
  return withSlownessOptions(new Command('multi-objective'), '5s')
    .description(
      'what the populations of MulStringFuzz and StringFuzz come to: MulStringFuzz, Table I, Fig. 3 to 6',
    )
    .option(
      '--on <versions>',
      'reference versions, then the target version, which must count',
      embeddedVersions,
    )
    .addOption(timeOption('--for <time>', 'time of each campaign (the paper: 24h)', '30m'))
    .option('--repeat <n>', 'campaigns of each variant (the paper: 50)', countArgument, 3)
    .addOption(
      new Option('--variants <list>', 'names to compare, separated by commas')
        .argParser(variantsArgument)
        .default(publishedVariants, 'those of Table I'),
    )
    .option('--population <n>', 'number of formulas in a population', populationArgument, 40)
    .addOption(
      new Option(
        '--populations <list>',
        'also run mulstringfuzz with other population sizes (Fig. 6), such as 20,60,80',
      )
        .argParser(populationsArgument)
        .default([], 'no others'),
    )
    .addOption(
      timeOption('--long <time>', 'time limit of the last formulas on the target (the paper: 40m)', '1m'),
    )
    .option('--out <folder>', 'folder of the campaigns; the same command resumes', 'study-multi-objective')
    .addOption(new Option('--logic <name>', 'logic of the formulas').choices(logicNames).default('QF_SLIA'))
    .option('--json', 'print the result as JSON')
    .action(async (options: MultiObjectiveOptions) => {
      process.exitCode = await interruptible((signal) => study(options, signal));
    });
}

async function study(options: MultiObjectiveOptions, signal: AbortSignal): Promise<number> {
  const { repeat: repeats } = options;
  const versions = orFail(await versionsOf(options.on, signal));
  const progress = new Progress();
  const all = (options.variants.length + sizesToRun(options).length) * repeats;
  /** The first campaign with findings. */
  let first: string | undefined;
  await tellBusyCalibration(options);
  const campaigns = new StudyCampaigns(progress, { all, repeats, forMs: options.for });
  const found = orFail(
    await studyMultiObjective({
      culprit: packageVersion,
      versions,
      variants: options.variants,
      population: options.population,
      populations: options.populations,
      repeats,
      forMs: options.for,
      longMs: options.long,
      workers: options.workers,
      logic: options.logic,
      slowness: studySlowness(options),
      memoryBytes: options.memory,
      out: options.out,
      signal,
      onCampaign: ({ name, repeat, folder }, { tried, slowdowns }) => {
        campaigns.end();
        if (slowdowns > 0) first ??= folder;
        tell(
          `${name}, ${repeat} of ${repeats}: ${counted(tried, 'formula')}, ${counted(slowdowns, 'slowdown')}`,
        );
      },
      onLongRun: (done, total) =>
        progress.follow({ step: 'with a long time limit', done, total, what: 'formula' }),
      watchOf: (campaign, name) => campaigns.watch(campaign, name),
    }).finally(() => progress.clear()),
  );
  for (const note of found.notes) warn(note);
  if (options.json) printJson('study-multi-objective', multiObjectiveJson(found));
  else print(multiObjectiveText(found, ink, screenWidth));
  if (!signal.aborted) {
    if (first !== undefined && !options.json)
      advise(`Do they hold under other random seeds? culprit study seeds ${shellWord(first)} --all`);
    return 0;
  }
  warn('interrupted; the same command resumes it');
  return codeOfEnd(signal);
}

/** A threshold determines the time limit. */
export function studySlowness(
  options: Pick<SlownessOptions, 'threshold' | 'timeout' | 'preset'>,
): SlownessRequest {
  return { ...slownessRequest(options), usualTimeoutMs };
}

function variantsArgument(text: string): readonly StrategyName[] {
  const names = text.split(',').map((part) => {
    const name = publishedVariants.find((known) => known === part.trim());
    if (name !== undefined) return name;
    throw new InvalidArgumentError(
      `There is no variant ${part.trim()}; there are ${publishedVariants.join(', ')}.`,
    );
  });
  return [...new Set(names)];
}

/** At least two parents, or nothing is crossed. The upper bound is beyond any machine. */
function populationArgument(text: string): number {
  const many = countArgument(text);
  if (many < 2 || many > 100_000)
    throw new InvalidArgumentError('A population has from 2 to 100000 formulas.');
  return many;
}

function populationsArgument(text: string): readonly number[] {
  return text.split(',').map((part) => populationArgument(part.trim()));
}
