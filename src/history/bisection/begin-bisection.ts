/** Begins a bisection: checks the request and writes it down, so that the bisection can be resumed. */

import type { BuilderRequest } from '../../builds/index.js';
import { CampaignFolder, timeStampedFolder } from '../../campaign/index.js';
import {
  type Allow,
  allowNamed,
  checkRunnable,
  Fault,
  machineKind,
  thisMachine,
  usageFault,
} from '../../machine/index.js';
import type { CommitLine } from '../../repository/index.js';
import { readCalibration } from '../../solver/index.js';
import { sensitivityFor } from '../measuring/levels.js';
import { namedCommits } from '../range/named-commits.js';
import { type QuicknessRequest, quickness } from '../range/quickness.js';
import { runnablesOf } from '../range/runnables.js';
import { type BisectSettings, bisectSettingsSchema } from './settings.js';

export interface BisectionRequest extends Omit<QuicknessRequest, 'isCommand' | 'hasThreshold'> {
  /** The version of this program. */
  readonly culprit: string;
  /** Formulas with their texts, or the names that a command runs on. */
  readonly cases: readonly { readonly name: string; readonly text?: string | undefined }[];
  /** The command that replaces a solver. Empty for formulas. */
  readonly command: readonly string[];
  /** The command as the user typed it, if it is a text for a shell. */
  readonly written?: string | undefined;
  readonly repo: string;
  readonly good?: string | undefined;
  readonly bad: string;
  readonly line: CommitLine;
  readonly builder: BuilderRequest;
  /** The measure is the last number that the command prints. */
  readonly isPrinted: boolean;
  readonly memoryBytes: number;
  /** The smallest difference that counts, in the unit of the measure. */
  readonly threshold?: number | undefined;
  /** Builds all of each commit, including the sources that no case calls. */
  readonly isWhole?: boolean | undefined;
  readonly confidence: number;
  readonly strategy: BisectSettings['strategy'];
  /** Default: the seed of the solver. */
  readonly seed?: number | undefined;
  /** Runs each case under these seeds at both ends, and fixes a seed under which it is slower. */
  readonly seeds?: readonly number[] | undefined;
  /** Default: a name from the date and time. */
  readonly out?: string | undefined;
  readonly signal: AbortSignal;
}

export interface BegunBisection {
  readonly folder: CampaignFolder;
  readonly settings: BisectSettings;
}

export async function beginBisection(request: BisectionRequest): Promise<BegunBisection | Fault> {
  const { culprit, command, good, line, isPrinted, memoryBytes, signal } = request;
  if (good === undefined) return usageFault('name a commit at which the cases are fast: --good REV');
  const contradiction = contradictionIn(request);
  if (contradiction !== undefined) return contradiction;
  const [program = '{program}'] = command;
  const missing = program.includes('{') ? undefined : checkRunnable(program, thisMachine());
  if (missing !== undefined) return missing;
  const commits = await namedCommits({ ...request, good }, request.builder, signal);
  if (commits instanceof Fault) return commits;
  const { family } = commits.builder;
  const asked = { ...request, isCommand: command.length > 0, hasThreshold: request.threshold !== undefined };
  const quick = quickness(asked, commits.builder);
  if (quick instanceof Fault) return quick;
  const { recipe, isQuick, verifying, by, timeoutMs } = quick;
  const noise = await readCalibration();
  const settings: BisectSettings = {
    format: 1,
    job: 'bisect',
    culprit,
    platform: machineKind(),
    repository: commits.path,
    good: commits.good,
    bad: commits.bad,
    line,
    recipe,
    isQuick,
    isWhole: request.isWhole,
    verifying,
    cases: casesOf(request),
    command: command.length === 0 ? undefined : [...command],
    family,
    isPrinted,
    by,
    timeoutMs,
    memoryBytes,
    sensitivity: sensitivityFor(isPrinted ? 'printed' : by, {
      threshold: request.threshold,
      relativeNoise: noise.relative,
    }),
    seeding: request.seeds && {
      seeds: [...request.seeds],
      slowness: { noise, timeoutMs, thresholdMs: by === 'effort' ? undefined : request.threshold },
    },
    confidence: request.confidence,
    strategy: request.strategy,
  };
  await allowNamed(runnablesOf(settings));
  const folder = await CampaignFolder.create(request.out ?? timeStampedFolder('bisections'), settings);
  return folder instanceof Fault ? folder : { folder, settings };
}

/** @param allow decides whether the programs in the settings may run: they may come from a stranger */
export async function resumeBisection(path: string, allow: Allow): Promise<BegunBisection | Fault> {
  const opened = await CampaignFolder.open(path, bisectSettingsSchema, 'bisect');
  if (opened instanceof Fault) return opened;
  return (await allow(runnablesOf(opened.settings))) ?? opened;
}

/** The first contradiction in a request. */
function contradictionIn({ cases, command, isPrinted, by, seeds }: BisectionRequest): Fault | undefined {
  const isNamed = (word: string): boolean => command.some((part) => part.includes(word));
  if (command.length === 0)
    return isPrinted ? usageFault('--prints needs a command: give it with --measure or after --') : undefined;
  if (by === 'effort')
    return usageFault('--by effort needs formulas; for a command, print a number and use --prints');
  if (!isNamed('{program}'))
    return usageFault('the measured command must contain {program}, which stands for the built program');
  if (cases.length > 1 && !isNamed('{case}'))
    return usageFault('the measured command must contain {case}, which stands for each case');
  if (cases.length === 0 && isNamed('{case}'))
    return usageFault('{case} stands for each case, but no case is given: name cases before the command');
  return seeds === undefined ? undefined : usageFault('--seeds needs formulas; a command sets its own seed');
}

function casesOf({
  cases,
  command,
  written = command.join(' '),
  seed,
}: BisectionRequest): BisectSettings['cases'] {
  if (command.length === 0) return cases.map(({ name, text }) => ({ name, text, seed }));
  return cases.length === 0 ? [{ name: written }] : cases.map(({ name }) => ({ name }));
}

/** The names are passed to the shell as arguments, so that any name is safe. */
export function shellCommand(text: string): readonly string[] {
  const script = text.replaceAll('{program}', '"$1"').replaceAll('{case}', '"$2"');
  return [
    ...['sh', '-c', script, 'sh'],
    ...(text.includes('{program}') ? ['{program}'] : []),
    ...(text.includes('{case}') ? ['{case}'] : []),
  ];
}
