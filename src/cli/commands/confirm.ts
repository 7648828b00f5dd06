import { join } from 'node:path';
import { Command, Option } from 'commander';
import {
  type Confirmation,
  confirm,
  confirmCampaign,
  confirmFormulas,
  isCampaign,
} from '../../jobs/index.js';
import { Fault, type JobStep, usageFault } from '../../machine/index.js';
import { counted, duration } from '../../page/index.js';
import { blameStep, pageStep, reduceStep, seedsLines, unnamedFormula } from '../../report/index.js';
import { type Slowness, usualSeeds, type Version } from '../../solver/index.js';
import { seedsArgument } from '../options/arguments.js';
import { runnableFormulas } from '../options/inputs.js';
import { tellLeftOut } from '../options/left-out.js';
import { type SlownessOptions, slownessRequest, withSlownessOptions } from '../options/slowness-options.js';
import { allowanceFor, type TrustOption, withTrustOption } from '../options/trust-option.js';
import { printedNotes } from '../options/versions.js';
import { tellBusyCalibration } from '../screen/busy-calibration.js';
import { orFail } from '../screen/failure.js';
import { codeOfEnd, interruptible } from '../screen/interrupt.js';
import { Parts, Progress, type ShownStep } from '../screen/progress.js';
import { advise, ink, printJson, printLine, screenWidth, warn } from '../screen/terminal.js';

interface ConfirmOptions extends SlownessOptions, TrustOption {
  readonly on?: string;
  readonly seeds: readonly number[];
  readonly all?: boolean;
  readonly json?: boolean;
}

/** `culprit confirm`: a slowdown under other random seeds. */
export function confirmCommand(): Command {
  return withTrustOption(withSlownessOptions(new Command('confirm')))
    .argument('<path...>', 'formulas (with --on), or one campaign to confirm all of its findings')
    .option('--on <versions>', 'versions, oldest first')
    .addOption(
      new Option('--seeds <list>', 'random seeds to run on every version')
        .argParser(seedsArgument)
        .default([...usualSeeds], '1-30'),
    )
    .option('--all', 'run every seed, even if the class is certain before')
    .option('--json', 'print one JSON object per formula')
    .addHelpText('after', '\nExample:\n  $ culprit confirm slow.smt2 --on z3@4.8.17,z3@5.2.0')
    .action(async (paths: string[], options: ConfirmOptions) => {
      process.exitCode = await interruptible((signal) => run(paths, options, signal));
    });
}

async function run(paths: readonly string[], options: ConfirmOptions, signal: AbortSignal): Promise<number> {
  const progress = new Progress();
  const confirmation = orFail(
    await confirmationOf(paths, options, progress, signal).finally(() => progress.clear()),
  );
  const { cases, versions, slowness } = confirmation;
  if (cases.length === 0) {
    warn(`${paths.join(' ')} holds no findings to confirm`);
    await confirmation.close();
    return 0;
  }
  tellLeftOut(cases, versions);
  const lines = seedsLines(
    cases.map(({ name }) => name),
    ink,
    screenWidth,
  );
  const parts = new Parts<string>();
  const holding: { readonly name: string; readonly slower: number }[] = [];
  let printed = 0;
  progress.show('starting the solvers');
  let running: ShownStep | undefined;
  const done = await confirm(
    confirmation,
    {
      seeds: options.seeds,
      workers: options.workers,
      memoryBytes: options.memory,
      isThorough: options.all ?? false,
    },
    {
      signal,
      onReady: () => {
        running = progress.step({
          step: 'under other seeds',
          work: { total: cases.length, what: 'formula' },
        });
      },
      onSeed: (name, seeds, seed) => {
        parts.set(name, seeds / options.seeds.length);
        running?.show(parts.done, `${name}  seed ${seed}`);
      },
      onResult: (name, verdict) => {
        if (verdict.robustness !== 'no seed') holding.push({ name, slower: verdict.slower.length });
        if (options.json) printJson('confirm', { formula: name, ...verdict });
        else {
          if (printed++ === 0) for (const line of lines.header) printLine(line);
          printLine(lines.row(name, verdict));
        }
        parts.set(name, 1);
        running?.show(parts.done);
      },
    },
  ).finally(() => progress.clear());
  if (!signal.aborted) {
    const notHolding = done - holding.length;
    // Two versions that both run into the limit look alike.
    if (notHolding > 0)
      warn(
        `${notHolding} of ${counted(cases.length, 'formula')} showed nothing slower within ${duration(slowness.timeoutMs)}; --timeout allows more`,
      );
    if (!options.json) advise(...nextSteps(holding, paths, versions, slowness));
    return 0;
  }
  warn(`interrupted after ${done} of ${cases.length} formulas; the same command runs all of them again`);
  return codeOfEnd(signal);
}

/** The next steps for the formula that is slower under the most seeds. Findings of a campaign are already reduced. */
function nextSteps(
  holding: readonly { readonly name: string; readonly slower: number }[],
  [path = '']: readonly string[],
  versions: readonly Version[],
  { timeoutMs, thresholdMs }: Slowness,
): readonly string[] {
  const [surest] = holding.toSorted((a, b) => b.slower - a.slower);
  if (surest === undefined || surest.name === unnamedFormula) return [];
  if (isCampaign(path)) return [blameStep(join(path, surest.name)), pageStep(path)];
  const formula = surest.name;
  const slow = {
    formula,
    versions: versions.map(({ name }) => name),
    // An upper bound: the time of the quick version is not known here.
    referenceMs: timeoutMs,
    asked: { timeoutMs, thresholdMs },
  };
  return [reduceStep(slow), blameStep(formula)];
}

/** One campaign, or formulas with `--on`. */
async function confirmationOf(
  paths: readonly string[],
  options: ConfirmOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<Confirmation | Fault> {
  const watch = { ...printedNotes(signal), onStep: (step: JobStep) => progress.follow(step) };
  const [path] = paths;
  if (paths.length === 1 && path !== undefined && isCampaign(path))
    return confirmCampaign(path, allowanceFor(path, options), watch);
  if (options.on === undefined)
    return usageFault('name the versions: --on OLD,NEW (or a campaign instead of formulas)');
  const formulas = runnableFormulas(paths);
  if (formulas instanceof Fault) return formulas;
  await tellBusyCalibration(options);
  return confirmFormulas(formulas, options.on, slownessRequest(options), watch);
}
