import { join } from 'node:path';
import { Command, Option } from 'commander';
import { CampaignFolder } from '../../campaign/index.js';
import { Fault, forEachConcurrent, usageFault } from '../../machine/index.js';
import { counted, duration } from '../../page/index.js';
import { blameStep, pageStep, reduceStep, seedsLines, unnamedFormula } from '../../report/index.js';
import { type Confirmation, confirmCampaign } from '../../jobs/index.js';
import {
  askedSlowness,
  confirmUnderSeeds,
  openRunner,
  type Slowness,
  usualSeeds,
  type Version,
} from '../../solver/index.js';
import { seedsArgument } from '../options/arguments.js';
import { runnableFormulas } from '../options/inputs.js';
import { tellLeftOut } from '../options/left-out.js';
import { type SlownessOptions, slownessRequest, withSlownessOptions } from '../options/slowness-options.js';
import { allowanceFor, type TrustOption, withTrustOption } from '../options/trust-option.js';
import { versionsAgain, versionsOf } from '../options/versions.js';
import { tellBusyCalibration } from '../screen/busy-calibration.js';
import { orFail } from '../screen/failure.js';
import { codeOfEnd, Interrupted, interruptible } from '../screen/interrupt.js';
import { Parts, Progress } from '../screen/progress.js';
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
    .argument('<path...>', 'formulas with --on, or one campaign: then all of its findings')
    .option('--on <versions>', 'versions, oldest first')
    .addOption(
      new Option('--seeds <list>', 'random seeds, fixed on every version')
        .argParser(seedsArgument)
        .default([...usualSeeds], '1-30'),
    )
    .option('--all', 'run every seed, even where the class is certain before')
    .option('--json', 'print one JSON object per formula')
    .addHelpText('after', '\nExample:\n  $ culprit confirm slow.smt2 --on z3@4.8.17,z3@5.2.0')
    .action(async (paths: string[], options: ConfirmOptions) => {
      process.exitCode = await interruptible((signal) => confirm(paths, options, signal));
    });
}

async function confirm(
  paths: readonly string[],
  options: ConfirmOptions,
  signal: AbortSignal,
): Promise<number> {
  const progress = new Progress();
  const { cases, versions, slowness, close } = orFail(
    await confirmationOf(paths, options, progress, signal).finally(() => progress.clear()),
  );
  if (cases.length === 0) {
    warn(`${paths.join(' ')} holds no findings to confirm`);
    return 0;
  }
  tellLeftOut(cases, versions);
  const runner = openRunner({ workers: options.workers });
  const lines = seedsLines(
    cases.map(({ name }) => name),
    ink,
    screenWidth,
  );
  const parts = new Parts<string>();
  const holding: { readonly name: string; readonly slower: number }[] = [];
  let notHolding = 0;
  let done = 0;
  try {
    progress.show('starting the solvers');
    await runner.prepare(versions, signal);
    const running = progress.step({
      step: 'under other seeds',
      work: { total: cases.length, what: 'formula' },
    });
    await forEachConcurrent(cases, options.workers, async ({ name, formula, keep }) => {
      let seeds = 0;
      const verdict = await confirmUnderSeeds(runner, formula, versions, {
        slowness,
        seeds: options.seeds,
        memoryBytes: options.memory,
        signal,
        isThorough: options.all ?? false,
        onSeed: (seed) => {
          parts.set(name, ++seeds / options.seeds.length);
          running.show(parts.done, `${name}  seed ${seed}`);
        },
      });
      keep(verdict);
      if (verdict.robustness === 'no seed') notHolding++;
      else holding.push({ name, slower: verdict.slower.length });
      if (options.json) printJson('confirm', { formula: name, ...verdict });
      else {
        if (done === 0) for (const line of lines.header) printLine(line);
        printLine(lines.row(name, verdict));
      }
      done++;
      parts.set(name, 1);
      running.show(parts.done);
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    progress.clear();
    await runner.close();
    await close();
  }
  if (!signal.aborted) {
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

/** About the formula that holds on the most seeds; what a campaign found is small already. */
function nextSteps(
  holding: readonly { readonly name: string; readonly slower: number }[],
  [path = '']: readonly string[],
  versions: readonly Version[],
  { timeoutMs, thresholdMs }: Slowness,
): readonly string[] {
  const [surest] = holding.toSorted((a, b) => b.slower - a.slower);
  if (surest === undefined || surest.name === unnamedFormula) return [];
  if (CampaignFolder.isAt(path)) return [blameStep(join(path, surest.name)), pageStep(path)];
  const formula = surest.name;
  const slow = {
    formula,
    versions: versions.map(({ name }) => name),
    // At most: how long the quick one takes is not known here.
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
  const [path] = paths;
  if (paths.length === 1 && path !== undefined && CampaignFolder.isAt(path))
    return confirmCampaign(
      path,
      (names) => versionsAgain(names, allowanceFor(path, options), signal),
      (step) => progress.follow(step),
    );
  if (options.on === undefined)
    return usageFault('name the versions: --on OLD,NEW (or a campaign instead of formulas)');
  const formulas = runnableFormulas(paths);
  if (formulas instanceof Fault) return formulas;
  const versions = await versionsOf(options.on, signal);
  if (versions instanceof Fault) return versions;
  if (versions.length < 2) return usageFault('there is nothing to compare with one version: --on OLD,NEW');
  const cases = formulas.map((formula) => ({ ...formula, keep: () => {} }));
  await tellBusyCalibration(options);
  const slowness = await askedSlowness(slownessRequest(options));
  return { cases, versions, slowness, close: async () => {} };
}
