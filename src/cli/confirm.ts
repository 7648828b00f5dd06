import { Command, Option } from 'commander';
import { CampaignFolder } from '../campaign/index.js';
import { Fault, inTurns, usageFault } from '../machine/index.js';
import { type Confirmation, type ConfirmCase, confirmCampaign, seedsTable } from '../report/index.js';
import {
  askedSlowness,
  confirmUnderSeeds,
  openRunner,
  type SeedVerdict,
  usualSeeds,
} from '../solver/index.js';
import { seedsArgument } from './arguments.js';
import { orFail } from './failure.js';
import { runnableFormulas } from './inputs.js';
import { Interrupted, interruptible } from './interrupt.js';
import { tellLeftOut } from './left-out.js';
import { Progress } from './progress.js';
import { type SlownessOptions, slownessRequest, withSlownessOptions } from './slowness-options.js';
import { versionsAgain, versionsOf } from './versions.js';

interface ConfirmOptions extends SlownessOptions {
  readonly on?: string;
  readonly seeds: readonly number[];
  readonly all?: boolean;
  readonly json?: boolean;
}

/** `culprit confirm`: a slowdown under other random seeds. */
export function confirmCommand(): Command {
  return withSlownessOptions(new Command('confirm'))
    .description('see whether slowdowns hold under other random seeds')
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
  const { cases, versions, slowness, close } = orFail(await confirmationOf(paths, options, signal));
  tellLeftOut(cases, versions);
  const runner = openRunner({ workers: options.workers });
  const progress = new Progress();
  const verdicts = new Map<ConfirmCase, SeedVerdict>();
  try {
    progress.show('starting the solvers');
    await runner.prepare(versions, signal);
    await inTurns(cases, options.workers, async (toConfirm) => {
      const { name, formula, keep } = toConfirm;
      const verdict = await confirmUnderSeeds(runner, formula, versions, {
        slowness,
        seeds: options.seeds,
        memoryBytes: options.memory,
        signal,
        isThorough: options.all ?? false,
        onSeed: (seed) => progress.show(`${verdicts.size + 1} of ${cases.length}  ${name}  seed ${seed}`),
      });
      verdicts.set(toConfirm, verdict);
      keep(verdict);
      if (options.json) process.stdout.write(`${JSON.stringify({ formula: name, ...verdict })}\n`);
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    progress.clear();
    await runner.close();
    await close();
  }
  if (!options.json) process.stdout.write(`${seedsTable(cases, verdicts)}\n`);
  if (!signal.aborted) return 0;
  process.stderr.write(`culprit: interrupted after ${verdicts.size} of ${cases.length} formulas\n`);
  return 130;
}

/** One campaign, or formulas with `--on`. */
async function confirmationOf(
  paths: readonly string[],
  options: ConfirmOptions,
  signal: AbortSignal,
): Promise<Confirmation | Fault> {
  const [path] = paths;
  if (paths.length === 1 && path !== undefined && CampaignFolder.isAt(path))
    return confirmCampaign(path, (names) => versionsAgain(names, signal));
  if (options.on === undefined)
    return usageFault('name the versions: --on OLD,NEW (or a campaign instead of formulas)');
  const formulas = runnableFormulas(paths);
  if (formulas instanceof Fault) return formulas;
  const versions = await versionsOf(options.on, signal);
  if (versions instanceof Fault) return versions;
  if (versions.length < 2) return usageFault('there is nothing to compare with one version: --on OLD,NEW');
  const cases = formulas.map((formula) => ({ ...formula, keep: () => {} }));
  const slowness = await askedSlowness(slownessRequest(options));
  return { cases, versions, slowness, close: async () => {} };
}
