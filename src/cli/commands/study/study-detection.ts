import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type StrategyName, strategies, strategyNames } from '../../../hunt/index.js';
import { counted, shellWord } from '../../../page/index.js';
import { type LogicName, logicNames } from '../../../smtlib/index.js';
import { detectionJson, detectionText, studyDetection } from '../../../study/index.js';
import { countArgument, timeOption } from '../../options/arguments.js';
import { type ConstantsByStrategy, strategyConstantArgument } from '../../options/constants-option.js';
import { releasesOf } from '../../options/releases-option.js';
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

interface DetectionOptions extends SlownessOptions {
  readonly on: string;
  readonly for: number;
  readonly repeat: number;
  readonly strategies: readonly StrategyName[];
  readonly set: ConstantsByStrategy;
  readonly out: string;
  readonly logic: LogicName;
  readonly asFound?: boolean;
  readonly commits?: string;
  readonly releases?: string | true;
  readonly json?: boolean;
}

/** `culprit study detection`: compares strategies (SPRFinder, Table 2, Fig. 2, Fig. 3). */
export function studyDetectionCommand(): Command {
  return withSlownessOptions(new Command('detection'))
    .description('which strategy finds more: SPRFinder, Table 2, Fig. 2 and Fig. 3')
    .option('--on <versions>', 'versions, oldest first', embeddedVersions)
    .addOption(timeOption('--for <time>', 'time of each campaign (the paper: 12h)', '30m'))
    .option('--repeat <n>', 'campaigns of each strategy (the paper: 5)', countArgument, 3)
    .addOption(
      new Option('--strategies <list>', 'names to compare, separated by commas')
        .argParser(strategiesArgument)
        .default(
          strategyNames.filter((name) => !strategies[name].isCounting),
          'all that need no versions that count what they execute',
        ),
    )
    .option(
      '--set <strategy.name=value>',
      'constant of a strategy, such as sprfinder.queue=5; repeatable',
      strategyConstantArgument,
      {},
    )
    .option('--out <folder>', 'folder of the campaigns; the same command resumes', 'study-detection')
    .addOption(new Option('--logic <name>', 'logic of the formulas').choices(logicNames).default('QF_SLIA'))
    .option(
      '--as-found',
      'confirm and count the original formulas, as the paper does; kinds need reduced ones',
    )
    .option(
      '--commits <folder>',
      'count the commits that culprit bisect named in this folder, instead of kinds',
    )
    .option(
      '--releases [list]',
      'count the releases in between that made something slower, instead of kinds: npm, pypi, or versions, oldest first',
    )
    .option('--json', 'print the result as JSON')
    .action(async (options: DetectionOptions) => {
      process.exitCode = await interruptible((signal) => study(options, signal));
    });
}

async function study(options: DetectionOptions, signal: AbortSignal): Promise<number> {
  const { repeat: repeats } = options;
  const { releases } = options;
  await tellBusyCalibration(options);
  const progress = new Progress();
  const all = options.strategies.length * repeats;
  const campaigns = new StudyCampaigns(progress, { all, repeats, forMs: options.for });
  const found = orFail(
    await studyDetection({
      culprit: packageVersion,
      versions: () => versionsOf(options.on, signal),
      releases: releases === undefined ? undefined : (versions) => releasesOf(releases, versions, signal),
      onTimeline: (done, total, all) =>
        progress.follow({ step: `on ${all} releases`, done, total, what: 'finding' }),
      strategies: options.strategies,
      constants: options.set,
      repeats,
      forMs: options.for,
      workers: options.workers,
      logic: options.logic,
      slowness: slownessRequest(options),
      memoryBytes: options.memory,
      isAsFound: options.asFound,
      commits: options.commits,
      out: options.out,
      signal,
      onCampaign: (strategy, repeat, { tried, slowdowns, groups }) => {
        campaigns.end();
        tell(
          `${strategy}, ${repeat} of ${repeats}: ${counted(tried, 'formula')}, ${counted(slowdowns, 'slowdown')}, ${counted(groups.length, 'kind')} by itself`,
        );
      },
      watchOf: (campaign) => campaigns.watch(campaign),
    }).finally(() => progress.clear()),
  );
  for (const note of found.notes) warn(note);
  if (options.json) printJson('study-detection', detectionJson(found));
  else print(detectionText(found, ink, screenWidth));
  if (!signal.aborted) {
    const [first] = found.campaigns.filter(({ data }) => data.slowdowns > 0);
    if (first !== undefined && !options.json)
      advise(
        `Do they hold under other random seeds? culprit study seeds ${shellWord(join(options.out, `${first.strategy}-${first.repeat}`))} --all`,
      );
    return 0;
  }
  warn('interrupted; the same command resumes it');
  return codeOfEnd(signal);
}

function strategiesArgument(text: string): readonly StrategyName[] {
  return text.split(',').map((part) => {
    const name = strategyNames.find((known) => known === part.trim());
    if (name !== undefined) return name;
    throw new InvalidArgumentError(
      `There is no strategy ${part.trim()}; there are ${strategyNames.join(', ')}.`,
    );
  });
}
