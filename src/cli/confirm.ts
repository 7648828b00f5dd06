import { Command, Option } from 'commander';
import { CampaignFolder } from '../campaign/index.js';
import { Fault, inTurns, usageFault } from '../machine/index.js';
import { type Confirmation, confirmCampaign, seedsLines } from '../report/index.js';
import { askedSlowness, confirmUnderSeeds, openRunner, usualSeeds } from '../solver/index.js';
import { seedsArgument } from './arguments.js';
import { orFail } from './failure.js';
import { runnableFormulas } from './inputs.js';
import { codeOfEnd, Interrupted, interruptible } from './interrupt.js';
import { tellLeftOut } from './left-out.js';
import { Progress } from './progress.js';
import { type SlownessOptions, slownessRequest, withSlownessOptions } from './slowness-options.js';
import { printJson, printLine, warn } from './terminal.js';
import { allowanceFor, type TrustOption, withTrustOption } from './trust-option.js';
import { versionsAgain, versionsOf } from './versions.js';

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
  const { cases, versions, slowness, close } = orFail(await confirmationOf(paths, options, signal));
  tellLeftOut(cases, versions);
  const runner = openRunner({ workers: options.workers });
  const progress = new Progress();
  const lines = seedsLines(cases.map(({ name }) => name));
  let done = 0;
  try {
    progress.show('starting the solvers');
    await runner.prepare(versions, signal);
    await inTurns(cases, options.workers, async ({ name, formula, keep }) => {
      const verdict = await confirmUnderSeeds(runner, formula, versions, {
        slowness,
        seeds: options.seeds,
        memoryBytes: options.memory,
        signal,
        isThorough: options.all ?? false,
        onSeed: (seed) => progress.show(`${done + 1} of ${cases.length}  ${name}  seed ${seed}`),
      });
      keep(verdict);
      progress.clear();
      if (options.json) printJson('confirm', { formula: name, ...verdict });
      else {
        if (done === 0) printLine(lines.header);
        printLine(lines.row(name, verdict));
      }
      done++;
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    progress.clear();
    await runner.close();
    await close();
  }
  if (!signal.aborted) return 0;
  warn(`interrupted after ${done} of ${cases.length} formulas`);
  return codeOfEnd(signal);
}

/** One campaign, or formulas with `--on`. */
async function confirmationOf(
  paths: readonly string[],
  options: ConfirmOptions,
  signal: AbortSignal,
): Promise<Confirmation | Fault> {
  const [path] = paths;
  if (paths.length === 1 && path !== undefined && CampaignFolder.isAt(path))
    return confirmCampaign(path, (names) => versionsAgain(names, allowanceFor(path, options), signal));
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
