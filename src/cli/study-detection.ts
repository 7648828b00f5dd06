import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type StrategyName, strategies, strategyNames } from '../hunt/index.js';
import { duration, table } from '../report/index.js';
import { type LogicName, logicNames } from '../smtlib/index.js';
import {
  type BlamedCommits,
  blamedFor,
  byCommit,
  byKind,
  type CampaignResult,
  countCampaigns,
  type DetectionRow,
  detectionPage,
  detectionTable,
  runDetection,
  sameText,
} from '../study/index.js';
import { countArgument, timeOption } from './arguments.js';
import { readBisectionAt } from './bisections.js';
import { buildOf } from './campaigns.js';
import { CommandFailure } from './failure.js';
import { interruptible } from './interrupt.js';
import { packageVersion } from './package-version.js';
import { type SlownessOptions, slownessFrom, withSlownessOptions } from './slowness-options.js';
import { orFail, versionsOf } from './versions.js';

interface DetectionOptions extends SlownessOptions {
  readonly on: string;
  readonly for: number;
  readonly repeat: number;
  readonly strategies: readonly StrategyName[];
  readonly out: string;
  readonly logic: LogicName;
  readonly commits?: string;
  readonly json?: boolean;
}

/** `culprit study detection`: which strategy finds more (SPRFinder, Table 2, Fig. 2, Fig. 3). */
export function studyDetectionCommand(): Command {
  return withSlownessOptions(new Command('detection'))
    .description('which strategy finds more: SPRFinder, Table 2, Fig. 2 and Fig. 3')
    .option('--on <versions>', 'versions, oldest first', 'z3@4.8.17,z3@5.2.0')
    .addOption(timeOption('--for <time>', 'how long each campaign hunts (the paper: 12h)', '30m'))
    .option('--repeat <n>', 'campaigns of each strategy (the paper: 5)', countArgument, 3)
    .option('--strategies <list>', 'which to compare', strategiesArgument, strategyNames)
    .option('--out <folder>', 'where the campaigns are kept; run it again to go on', 'study-detection')
    .addOption(new Option('--logic <name>', 'logic of the formulas').choices(logicNames).default('QF_SLIA'))
    .option(
      '--commits <folder>',
      'count the commits that culprit bisect, in this folder, named for what was found, and not kinds',
    )
    .option('--json', 'print JSON')
    .action(async (options: DetectionOptions) => {
      process.exitCode = await interruptible((signal) => study(options, signal));
    });
}

async function study(options: DetectionOptions, signal: AbortSignal): Promise<number> {
  const { versions, warnings } = await versionsOf(options.on, signal);
  for (const warning of warnings) process.stderr.write(`culprit: ${warning}\n`);
  if (versions.length < 2) throw new CommandFailure(2, 'a study needs two versions: --on OLD,NEW');
  const slowness = await slownessFrom(options);
  const blamed = options.commits === undefined ? undefined : await blamedIn(options.commits);
  const campaigns = orFail(
    await runDetection({
      out: options.out,
      strategies: options.strategies,
      repeats: options.repeat,
      versions,
      common: {
        format: 1,
        culprit: packageVersion,
        versions: versions.map((version) => version.name),
        builds: versions.map(buildOf),
        workers: options.workers,
        logic: options.logic,
        slowness,
        memoryBytes: options.memory,
        forMs: options.for,
        confirming: 'after',
        confirmedPerKind: 3,
        corpus: [],
        known: [],
      },
      optionsOf: (strategy) => strategies[strategy].options.parse({}),
      signal,
      onCampaign: (strategy, repeat, data) => {
        process.stderr.write(
          `${strategy}, ${repeat} of ${options.repeat}: ${data.tried} formulas, ${data.slowdowns} slowdowns, ` +
            `${data.groups.length} kinds by itself\n`,
        );
      },
    }),
  );
  if (blamed !== undefined) warnOfBlameless(campaigns, blamed);
  const counts = countCampaigns(campaigns, blamed === undefined ? byKind : byCommit(blamed));
  const rows = detectionTable(counts, options.strategies);
  const settings = {
    culprit: packageVersion,
    versions: versions.map((version) => version.name),
    forMs: options.for,
    repeats: options.repeat,
    workers: options.workers,
    slowness,
    causes: blamed === undefined ? 'kinds' : 'commits',
  } as const;
  const page = join(options.out, 'detection.html');
  if (counts.length > 0) await writeFile(page, detectionPage(counts, rows, settings));
  if (options.json) process.stdout.write(`${JSON.stringify({ settings, rows, counts })}\n`);
  else {
    const threshold = slowness.thresholdMs === undefined ? 'calibrated' : duration(slowness.thresholdMs);
    process.stdout.write(
      `${settings.versions.join(', ')}; ${duration(options.for)} a campaign, ${options.workers} workers, ` +
        `threshold ${threshold}, timeout ${duration(slowness.timeoutMs)}; causes are ${settings.causes}\n\n${rowsTable(rows)}\n\nCurves: ${page}\n`,
    );
  }
  if (!signal.aborted) return 0;
  process.stderr.write('culprit: interrupted; the same command goes on with it\n');
  return 130;
}

/** The commits a finished bisection is sure of, for each of its formulas. */
async function blamedIn(folder: string): Promise<BlamedCommits> {
  const { settings, bisection } = await readBisectionAt(folder);
  if (settings.command !== undefined || settings.cases.some(({ text }) => text === undefined))
    throw new CommandFailure(2, `${folder} holds the bisection of a command, and not of formulas`);
  return new Map(
    settings.cases.map(({ text = '' }, at) => {
      const own = bisection.culprits.filter(
        (one) => one.case === at && one.direction === 'slower' && one.isVerified,
      );
      return [sameText(text), own.map((one) => one.commit)];
    }),
  );
}

function warnOfBlameless(campaigns: readonly CampaignResult[], blamed: BlamedCommits): void {
  const texts = campaigns.flatMap(({ data }) =>
    data.groups.flatMap(({ findings }) => findings.map(({ text }) => text)),
  );
  const missing = texts.filter((text) => !blamed.has(sameText(text))).length;
  const blameless = texts.filter((text) => blamedFor(text, blamed).length === 0).length - missing;
  if (missing > 0)
    process.stderr.write(
      `culprit: ${missing} of ${texts.length} findings were not bisected; they count as nothing\n`,
    );
  if (blameless > 0)
    process.stderr.write(
      `culprit: no commit is sure to have made ${blameless} of ${texts.length} findings slower; they count as nothing\n`,
    );
}

function rowsTable(rows: readonly DetectionRow[]): string {
  const right = { align: 'right' as const };
  const spread = (one: DetectionRow['tests']): string[] => [
    String(one.min),
    String(one.max),
    one.average.toFixed(1),
  ];
  return table(
    [
      { title: 'strategy' },
      ...['formulas', '#test min', 'max', 'avg', '#cause min', 'max', 'avg', 'by luck'].map((title) => ({
        title,
        ...right,
      })),
    ],
    rows.map((row) => [
      row.strategy,
      row.formulas.toFixed(0),
      ...spread(row.tests),
      ...spread(row.causes),
      row.luck === undefined ? '' : row.luck.toFixed(3),
    ]),
  );
}

function strategiesArgument(text: string): readonly StrategyName[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(strategyNames as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`There is no strategy ${unknown}; there are ${strategyNames.join(', ')}.`);
  }
  return names as StrategyName[];
}
