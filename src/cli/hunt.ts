import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { pinned } from '../builds/index.js';
import { beginCampaign, CampaignFolder } from '../campaign/index.js';
import {
  caseName,
  Hunt,
  HuntCollector,
  type HuntData,
  type HuntEvent,
  type HuntSettings,
  playBack,
  recallKinds,
  rememberKinds,
  runLocally,
  type StrategyName,
  settingsSchema,
  strategies,
  strategyNames,
} from '../hunt/index.js';
import { Fault } from '../machine/index.js';
import { huntSummary, shellWord } from '../report/index.js';
import { type LogicName, logicNames, printScript } from '../smtlib/index.js';
import { parseSpec, usualSeeds, type Version } from '../solver/index.js';
import { durationArgument, seedArgument } from './arguments.js';
import { nameCulprits } from './blame.js';
import { buildOf, writeReports } from './campaigns.js';
import { CommandFailure } from './failure.js';
import { HuntProgress } from './hunt-progress.js';
import { checkInput, faultLine, hasQuestion, inputsOf } from './inputs.js';
import { interruptible } from './interrupt.js';
import { packageVersion } from './package-version.js';
import { type SlownessOptions, slownessFrom, withSlownessOptions } from './slowness-options.js';
import { orFail, versionsOf } from './versions.js';

interface HuntOptions extends SlownessOptions {
  readonly blame?: boolean;
  readonly repo?: string;
  readonly good?: string;
  readonly bad?: string;
  readonly on: string;
  readonly for?: number;
  readonly out?: string;
  readonly resume?: string;
  readonly replay?: string;
  readonly seed?: number;
  readonly strategy: StrategyName;
  readonly set: Readonly<Record<string, unknown>>;
  readonly logic: LogicName;
  readonly corpus?: string[];
  readonly forget?: boolean;
  readonly json?: boolean;
}

const defaultForMs = 120_000;

/** `culprit hunt`: the main job. */
export function huntCommand(): Command {
  const listed = strategyNames.map((name) => `  ${name.padEnd(22)} ${strategies[name].says}`).join('\n');
  return withSlownessOptions(new Command('hunt'))
    .description('search for formulas on which the newest version got slower')
    .option('--on <versions>', 'versions, oldest first; the last one is suspected', 'z3@4.8.17,z3@5.2.0')
    .option('--for <time>', 'how long to hunt (default: 2m)', durationArgument)
    .option('--out <folder>', 'where the campaign is kept (default: campaigns/ and the time)')
    .option('--resume <folder>', 'go on with a campaign; --for gives it more time')
    .option(
      '--replay <folder>',
      'run the search of a campaign again on what its journal holds, without solvers',
    )
    .option('--seed <n>', 'seed of the search (default: drawn from the clock and written down)', seedArgument)
    .addOption(new Option('--strategy <name>', 'how to search').choices(strategyNames).default('culprit'))
    .option(
      '--set <name=value>',
      "one of the strategy's constants, such as queue=5; repeatable",
      settingArgument,
      {},
    )
    .addOption(new Option('--logic <name>', 'logic of the formulas').choices(logicNames).default('QF_SLIA'))
    .option('--corpus <path...>', 'formulas of yours to start from: files or folders')
    .option('--forget', 'search as if nothing had been found before')
    .option('--json', 'print the report as JSON')
    .option('--blame', 'when the hunt is over, find the commit to blame for each kind of finding')
    .option('--repo <path>', 'with --blame: the repository of the solver; that of --on git:PATH@REV')
    .option('--good <revision>', 'with --blame: the commit of the oldest version')
    .option('--bad <revision>', 'with --blame: the commit of the newest version')
    .addHelpText(
      'after',
      `\nStrategies:\n${listed}\n\nExample:\n  $ culprit hunt --on z3@4.8.10,z3@4.8.12 --for 10m --threshold 1s`,
    )
    .action(async (options: HuntOptions) => {
      process.exitCode =
        options.replay === undefined
          ? await interruptible((signal) => hunt(options, signal))
          : await replay(options.replay, options.json ?? false);
    });
}

/** Every formula of a campaign, found again from its seed and its journal. */
async function replay(path: string, isJson: boolean): Promise<number> {
  const { folder, settings } = orFail(await CampaignFolder.open(path, settingsSchema));
  const hunt = orFail(Hunt.of(settings));
  let slowdowns = 0;
  // A lane's trial is asked for before its result is applied.
  const trials = Array.from({ length: settings.workers }, (_, lane) => hunt.trialOf(lane));
  const onEvent = (event: HuntEvent): void => {
    if (event.event === 'slowdown') slowdowns++;
    if (event.event !== 'tried') return;
    const trial = trials[event.lane];
    trials[event.lane] = hunt.trialOf(event.lane);
    if (!isJson || trial === undefined) return;
    const { at, lane, runs } = event;
    const { origin, measuring, formula } = trial;
    process.stdout.write(
      `${JSON.stringify({ at, lane, origin, measuring, text: printScript(formula), runs })}\n`,
    );
  };
  orFail(await playBack(folder, hunt, onEvent));
  if (!isJson) {
    process.stdout.write(
      `${hunt.triedCount} formulas replayed from ${path}: the same search, the same ${slowdowns} slowdowns.\n`,
    );
  }
  return 0;
}

async function hunt(options: HuntOptions, signal: AbortSignal): Promise<number> {
  // Whatever cannot be done afterwards is better said before.
  if (options.blame && options.resume === undefined) rangeOf(options.on, options);
  const { folder, settings, versions } =
    options.resume === undefined
      ? await begin(options, signal)
      : await resume(options.resume, options, signal);
  const collector = new HuntCollector();
  const progress = new HuntProgress(settings, collector);
  let why: 'time' | 'interrupted';
  try {
    progress.say('starting the solvers');
    const onEvent = (event: HuntEvent, state: Hunt): void => {
      collector.add(event);
      progress.show(event, state);
    };
    why = orFail(
      await runLocally({
        folder,
        settings,
        versions,
        signal,
        resume: `culprit hunt --resume ${folder.path}`,
        onEvent,
      }),
    );
  } finally {
    progress.end();
  }
  const data = collector.data(settings);
  await rememberKinds(
    settings.builds,
    data.groups.map((group) => group.findings[0].kind),
  );
  await writeReports(folder, data);
  process.stdout.write(options.json ? `${JSON.stringify(data)}\n` : `${huntSummary(data, folder.path)}\n`);
  if (why === 'time' && !options.blame) return 0;
  if (why === 'time') return blameFindings(data, settings, folder, options, signal);
  process.stderr.write(`culprit: interrupted; go on with: culprit hunt --resume ${folder.path}\n`);
  return 130;
}

/** The smallest formula of each kind, on its way from the campaign to a commit. */
async function blameFindings(
  data: HuntData,
  settings: HuntSettings,
  { path }: CampaignFolder,
  options: HuntOptions,
  signal: AbortSignal,
): Promise<number> {
  const cases = data.groups.map(({ findings: [smallest] }) => ({
    name: join(path, caseName(smallest.id)),
    text: smallest.text,
  }));
  if (cases.length === 0) {
    process.stdout.write('there is nothing to blame anything for\n');
    return 1;
  }
  const { slowness, memoryBytes } = settings;
  // Another hunt in the same campaign may have found others.
  const mark = createHash('sha256').update(JSON.stringify(cases)).digest('hex').slice(0, 8);
  return nameCulprits(
    cases,
    {
      out: join(path, `blame-${mark}`),
      goOn: `culprit hunt --resume ${shellWord(path)} --blame`,
      isJson: options.json ?? false,
    },
    {
      ...options,
      build: [],
      ...rangeOf(settings.versions.join(), options),
      seeds: usualSeeds,
      memory: memoryBytes,
      timeout: slowness.timeoutMs,
      ...(slowness.thresholdMs === undefined ? {} : { threshold: slowness.thresholdMs }),
    },
    signal,
  );
}

/** The commits between which to look: those the user names, or those the versions are. */
function rangeOf(on: string, { repo, good, bad }: HuntOptions): { repo: string; good: string; bad: string } {
  const specs = on.split(',').map((one) => parseSpec(one));
  const [oldest, newest] = [specs[0], specs.at(-1)].map((spec) =>
    spec !== undefined && !(spec instanceof Fault) && spec.from === 'git' ? spec : undefined,
  );
  const range = {
    repo: repo ?? newest?.repository,
    good: good ?? oldest?.revision,
    bad: bad ?? newest?.revision,
  };
  if (range.repo === undefined || range.good === undefined || range.bad === undefined)
    throw new CommandFailure(
      2,
      '--blame needs commits: hunt --on git:PATH@OLD,git:PATH@NEW, or name them with --repo, --good and --bad',
    );
  return { repo: range.repo, good: range.good, bad: range.bad };
}

interface Begun {
  readonly folder: CampaignFolder;
  readonly settings: HuntSettings;
  readonly versions: readonly Version[];
}

async function begin(options: HuntOptions, signal: AbortSignal): Promise<Begun> {
  const strategy = strategies[options.strategy];
  const constants = strategy.options.safeParse(options.set);
  const unknown = Object.keys(options.set).find((name) => !(name in strategy.options.shape));
  if (unknown !== undefined || !constants.success) {
    const [issue] = constants.error?.issues ?? [];
    const names = Object.keys(strategy.options.shape).join(', ');
    throw new CommandFailure(
      2,
      unknown === undefined
        ? `--set ${issue?.path.join('.')}: ${issue?.message}`
        : `${options.strategy} has no constant ${unknown}; it has ${names}`,
    );
  }
  const corpus = corpusOf(options.corpus ?? []);
  const on = orFail(await pinned(options.on, { folder: process.cwd(), signal }));
  const { versions, warnings } = await versionsOf(on, signal);
  for (const warning of warnings) process.stderr.write(`culprit: ${warning}\n`);
  if (versions.length < 2) throw new CommandFailure(2, 'a hunt needs two versions: --on OLD,NEW');
  const builds = versions.map(buildOf);
  const settings: HuntSettings = {
    format: 1,
    culprit: packageVersion,
    strategy: options.strategy,
    options: constants.data,
    versions: versions.map((version) => version.name),
    builds,
    seed: options.seed ?? Date.now() % 1_000_000_000,
    workers: options.workers,
    logic: options.logic,
    slowness: await slownessFrom(options),
    memoryBytes: options.memory,
    forMs: options.for ?? defaultForMs,
    confirming: 'during',
    confirmedPerKind: 3,
    corpus,
    known: options.forget
      ? []
      : (await recallKinds(builds)).map((kind) => ({ ...kind, operators: [...kind.operators] })),
  };
  const folder = orFail(await beginCampaign(options.out, 'campaigns', settings));
  return { folder, settings, versions };
}

async function resume(path: string, options: HuntOptions, signal: AbortSignal): Promise<Begun> {
  const { folder, settings: stored } = orFail(await CampaignFolder.open(path, settingsSchema));
  if (options.blame) rangeOf(stored.versions.join(), options);
  const settings = { ...stored, forMs: stored.forMs + (options.for ?? 0) };
  const { versions } = await versionsOf(settings.versions.join(), signal);
  const changed = versions.find((version, at) => buildOf(version) !== settings.builds[at]);
  if (changed !== undefined) {
    throw new CommandFailure(
      3,
      `${changed.name} is another build than the one ${path} was begun with: ${buildOf(changed)}`,
    );
  }
  if (options.for !== undefined) await folder.rewrite(settings);
  return { folder, settings, versions };
}

/** The formulas that can be used; those that cannot are told about. */
function corpusOf(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const usable = inputsOf(paths).flatMap((input) => {
    const formula = checkInput(input);
    if (formula.ok && hasQuestion(formula.value)) return [printScript(formula.value)];
    const fault = formula.ok ? { line: 1, column: 1, message: 'it holds no check-sat' } : formula.fault;
    process.stderr.write(`${faultLine(input, fault)}\n`);
    return [];
  });
  if (usable.length === 0) throw new CommandFailure(2, 'the corpus holds no formula that could be run');
  return usable;
}

function settingArgument(text: string, before: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const match = /^(\w+)=(.+)$/.exec(text);
  if (match === null) throw new InvalidArgumentError('A constant is written queue=5 or depthRange=[2,6].');
  try {
    return { ...before, [match[1] as string]: JSON.parse(match[2] as string) };
  } catch {
    throw new InvalidArgumentError('A value is a number or a list such as [2,6].');
  }
}
