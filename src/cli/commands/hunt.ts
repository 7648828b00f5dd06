import { join } from 'node:path';
import { Command, Option } from 'commander';
import { commitRange } from '../../history/index.js';
import {
  beginCampaign,
  type Campaign,
  caseName,
  type HuntData,
  type ReplayedTrial,
  replayCampaign,
  resumeCampaign,
  type StrategyName,
  strategies,
  strategyNames,
} from '../../hunt/index.js';
import { blameFolderIn, hunt, type LocateChoice, replayHunt, resumeHunt } from '../../jobs/index.js';
import { Fault } from '../../machine/index.js';
import { huntJson, huntNotices, huntSummary } from '../../report/index.js';
import { type LogicName, logicNames } from '../../smtlib/index.js';
import { usualSeeds } from '../../solver/index.js';
import { durationArgument, seedArgument } from '../options/arguments.js';
import { blameWords, buildChoice, checkBlameOptions, checkBlameRange } from '../options/blame-options.js';
import { type Constants, constantArgument } from '../options/constants-option.js';
import { type FailReason, failOnOption, isFailing } from '../options/fail-on.js';
import { corpusOf } from '../options/inputs.js';
import { tellLeftOut } from '../options/left-out.js';
import { checkLocateOptions } from '../options/locate-options.js';
import { withForceOption } from '../options/named-output.js';
import {
  mustTakeNotices,
  type NoticeOptions,
  takeNotices,
  withNoticeOptions,
} from '../options/notice-options.js';
import { type SlownessOptions, slownessRequest, withSlownessOptions } from '../options/slowness-options.js';
import { allowanceFor, type TrustOption, withTrustOption } from '../options/trust-option.js';
import { embeddedVersions, pinnedVersions, versionsAgain } from '../options/versions.js';
import { packageVersion } from '../package-version.js';
import { tellBusyCalibration } from '../screen/busy-calibration.js';
import { orFail } from '../screen/failure.js';
import { failureLine, HuntProgress } from '../screen/hunt-progress.js';
import { codeOfEnd, interruptible } from '../screen/interrupt.js';
import { printCulprits } from '../screen/print-culprits.js';
import { Progress } from '../screen/progress.js';
import { ink, print, printJson, printLine, screenWidth, tell, warn } from '../screen/terminal.js';

interface HuntOptions extends SlownessOptions, TrustOption, NoticeOptions, LocateChoice {
  readonly failOn: ReadonlySet<FailReason>;
  readonly blame?: boolean;
  readonly explain?: boolean;
  readonly quick?: boolean;
  readonly verify?: boolean;
  readonly on: string;
  readonly for?: number;
  readonly out?: string;
  readonly resume?: string;
  readonly replay?: string;
  readonly seed?: number;
  readonly strategy: StrategyName;
  readonly set: Constants;
  readonly logic: LogicName;
  readonly corpus?: string[];
  readonly forget?: boolean;
  readonly json?: boolean;
}

/** MulStringFuzz has the limit of its paper. */
const usualTimeouts = '2s, for MulStringFuzz 5s';

/** `culprit hunt`: the main job. */
export function huntCommand(): Command {
  const width = Math.max(...strategyNames.map(({ length }) => length));
  const listed = strategyNames
    .map((name) => `  ${name.padEnd(width)}  ${strategies[name].summary}`)
    .join('\n');
  return withNoticeOptions(
    withForceOption(withTrustOption(withSlownessOptions(new Command('hunt'), usualTimeouts))),
  )
    .option(
      '--on <versions>',
      'versions, oldest first; culprit hunts for slowdowns of the last one',
      embeddedVersions,
    )
    .option('--for <time>', 'time to hunt (default: 2m)', durationArgument)
    .option('--out <folder>', 'folder of the campaign (default: campaigns/ and the current time)')
    .option('--resume <folder>', 'resume a campaign; --for gives it more time')
    .option('--replay <folder>', 'repeat the search of a campaign from its journal, without solvers')
    .option(
      '--seed <n>',
      'random seed of the search (default: from the clock; stored in the campaign)',
      seedArgument,
    )
    .addOption(new Option('--strategy <name>', 'search strategy').choices(strategyNames).default('culprit'))
    .option(
      '--set <name=value>',
      'constant of the strategy, such as queue=5; repeatable',
      constantArgument,
      {},
    )
    .addOption(new Option('--logic <name>', 'logic of the formulas').choices(logicNames).default('QF_SLIA'))
    .option('--corpus <path...>', 'your formulas to start from: files or folders')
    .option('--forget', 'ignore the findings of earlier hunts')
    .addOption(failOnOption('nothing'))
    .option('--json', 'print the report as JSON')
    .option('--blame', 'after the hunt, find the commit to blame for each kind of finding')
    .option('--explain', 'with --blame: also name the changes within each culprit commit')
    .option(
      '--quick',
      'with --blame: use unoptimised builds, compared by effort (default if both are available and there is no --threshold)',
    )
    .option('--no-quick', 'with --blame: use optimised builds, compared by time')
    .option(
      '--verify',
      'with --blame: measure the culprits of quick builds again, by time on optimised builds',
    )
    .option(
      '--locate',
      'rank the files to blame for crashes and wrong answers, even if a commit has to be built for it',
    )
    .option('--no-locate', 'do not rank files, even for embedded versions, which need no build')
    .option(
      '--repo <path>',
      'with --blame or --locate: git repository of the solver (default: that of --on git:PATH@REV)',
    )
    .option('--good <revision>', 'with --blame or --locate: commit of the oldest version')
    .option('--bad <revision>', 'with --blame or --locate: commit of the newest version')
    .addHelpText(
      'after',
      `\nStrategies:\n${listed}\n\nExample:\n  $ culprit hunt --on z3@4.8.10,z3@4.8.12 --for 10m --threshold 1s`,
    )
    .action(async (options: HuntOptions) => {
      process.exitCode =
        options.replay === undefined
          ? await interruptible((signal) => run(options, signal))
          : await replay(options.replay, options.json ?? false);
    });
}

/** Repeats a search from its seed and journal, and lists every formula. */
async function replay(path: string, isJson: boolean): Promise<number> {
  const onTrial = (trial: ReplayedTrial): void => printJson('hunt-replay', trial);
  const progress = new Progress();
  const { formulas, slowdowns, failure } = orFail(
    await replayCampaign(path, isJson ? onTrial : undefined, (step) => progress.follow(step)).finally(() =>
      progress.clear(),
    ),
  );
  if (failure !== undefined) tell(failureLine(failure.stack ?? failure.message));
  if (!isJson)
    printLine(
      `${formulas} formulas replayed from ${path}: the same search, the same ${slowdowns} slowdowns.`,
    );
  return 0;
}

async function run(options: HuntOptions, signal: AbortSignal): Promise<number> {
  const known = await mustTakeNotices(options);
  const campaign = orFail(
    checkBlameOptions(options) ?? checkLocateOptions(options) ?? (await openCampaign(options, signal)),
  );
  const { settings, folder } = campaign;
  const huntProgress = new HuntProgress(settings, { replay: replayHunt(folder) });
  const progress = new Progress();
  huntProgress.starting();
  const { end, data } = orFail(
    await hunt(campaign, options, {
      signal,
      onEvent: (event, state, collector) => huntProgress.show(event, state, collector),
      onReducing: (reduction) => huntProgress.showReduction(reduction),
      onSearched: () => huntProgress.end(),
      onStep: (step) => progress.follow(step),
      onNote: (line) => {
        progress.clear();
        tell(line);
      },
      onWarning: (line) => {
        progress.clear();
        warn(line);
      },
    }).finally(() => {
      huntProgress.end();
      progress.clear();
    }),
  );
  if (options.json) printJson('hunt', huntJson(data, folder.path));
  else print(huntSummary(data, folder.path, { ink, screen: screenWidth }));
  if (end === 'time' && !signal.aborted) {
    const notices = await takeNotices(huntNotices(data, folder.path), known, options);
    const blamed = options.blame ? await blameFindings(data, campaign, options, signal) : 0;
    return isFailing(notices, options.failOn) ? 1 : blamed;
  }
  warn(`interrupted; resume with: ${resumeHunt(folder)}`);
  return codeOfEnd(signal);
}

/** A new campaign, or a stored one with more time. */
async function openCampaign(options: HuntOptions, signal: AbortSignal): Promise<Campaign | Fault> {
  const { resume: path } = options;
  if (path !== undefined)
    return resumeCampaign(path, {
      moreMs: options.for,
      versions: async ({ versions, slowness: { thresholdMs } }) =>
        (await checkBlameRange(versions.join(), { thresholdMs }, options, signal)) ??
        versionsAgain(versions, allowanceFor(path, options), signal),
    });
  const slowness = slownessRequest(options);
  const fault = await checkBlameRange(options.on, slowness, options, signal);
  if (fault !== undefined) return fault;
  const corpus = await corpusOf(options.corpus ?? [], signal);
  if (corpus instanceof Fault) return corpus;
  await tellBusyCalibration(options);
  return beginCampaign({
    culprit: packageVersion,
    strategy: options.strategy,
    constants: options.set,
    versions: async () => {
      const versions = await pinnedVersions(options.on, signal);
      if (!(versions instanceof Fault)) tellLeftOut(corpus, versions);
      return versions;
    },
    seed: options.seed,
    workers: options.workers,
    logic: options.logic,
    slowness,
    memoryBytes: options.memory,
    forMs: options.for,
    corpus: corpus.map(({ formula }) => formula),
    ignoresKnownKinds: options.forget ?? false,
    out: options.out,
  });
}

/** Names culprits for the smallest formula of each kind. */
async function blameFindings(
  { groups }: HuntData,
  { settings, folder }: Campaign,
  options: HuntOptions,
  signal: AbortSignal,
): Promise<number> {
  const cases = groups.map(({ findings: [smallest] }) => ({
    name: join(folder.path, caseName(smallest.id)),
    text: smallest.text,
  }));
  if (cases.length === 0) {
    warn('the hunt found no slowdown to blame a commit for');
    return 1;
  }
  return printCulprits(
    {
      ...orFail(commitRange(settings.versions.join(), options)),
      culprit: packageVersion,
      cases,
      ...buildChoice(options),
      slowness: { thresholdMs: settings.slowness.thresholdMs },
      releaseTimeoutMs: settings.slowness.timeoutMs,
      memoryBytes: settings.memoryBytes,
      seeds: usualSeeds,
      out: blameFolderIn(folder.path, cases),
      signal,
    },
    {
      resume: [resumeHunt(folder), '--blame', ...blameWords(options)].join(' '),
      workers: options.workers,
      isJson: options.json ?? false,
      isExplained: options.explain,
    },
  );
}
