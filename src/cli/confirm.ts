import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { Journal } from '../campaign/index.js';
import { caseName } from '../hunt/index.js';
import { inTurns } from '../machine/index.js';
import { table } from '../report/index.js';
import { parseScript, type Script } from '../smtlib/index.js';
import {
  confirmUnderSeeds,
  openRunner,
  type SeedVerdict,
  type Slowness,
  usualSeeds,
  type Version,
} from '../solver/index.js';
import { seedsArgument } from './arguments.js';
import { readCampaign, writeReports } from './campaigns.js';
import { CommandFailure } from './failure.js';
import { checkInput, faultLine, hasQuestion, inputsOf } from './inputs.js';
import { Interrupted, interruptible } from './interrupt.js';
import { Progress } from './progress.js';
import { type SlownessOptions, slownessFrom, withSlownessOptions } from './slowness-options.js';
import { orFail, versionsOf } from './versions.js';

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
    .option('--json', 'print one JSON object a formula')
    .addHelpText('after', '\nExample:\n  $ culprit confirm slow.smt2 --on z3@4.8.17,z3@5.2.0')
    .action(async (paths: string[], options: ConfirmOptions) => {
      process.exitCode = await interruptible((signal) => confirm(paths, options, signal));
    });
}

/** A formula to confirm, and whom to tell. */
interface Case {
  readonly name: string;
  readonly formula: Script;
  readonly keep: (verdict: SeedVerdict) => void;
}

interface Job {
  readonly cases: readonly Case[];
  readonly versions: readonly Version[];
  readonly slowness: Slowness;
  readonly close: () => Promise<void>;
}

async function confirm(
  paths: readonly string[],
  options: ConfirmOptions,
  signal: AbortSignal,
): Promise<number> {
  const [path] = paths;
  const isCampaign = paths.length === 1 && path !== undefined && existsSync(join(path, 'campaign.json'));
  const { cases, versions, slowness, close } = isCampaign
    ? await ofCampaign(path, signal)
    : await ofFormulas(paths, options, signal);
  const runner = openRunner({ workers: options.workers });
  const progress = new Progress();
  const verdicts = new Map<Case, SeedVerdict>();
  try {
    progress.show('starting the solvers');
    await runner.prepare(versions, signal);
    await inTurns(cases, options.workers, async (one) => {
      const verdict = await confirmUnderSeeds(runner, one.formula, versions, {
        slowness,
        seeds: options.seeds,
        memoryBytes: options.memory,
        signal,
        isThorough: options.all ?? false,
        onSeed: (seed) => progress.show(`${verdicts.size + 1} of ${cases.length}  ${one.name}  seed ${seed}`),
      });
      verdicts.set(one, verdict);
      one.keep(verdict);
      if (options.json) process.stdout.write(`${JSON.stringify({ formula: one.name, ...verdict })}\n`);
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    progress.clear();
    await runner.close();
    await close();
  }
  if (!options.json) process.stdout.write(`${seedTable(cases, verdicts)}\n`);
  if (!signal.aborted) return 0;
  process.stderr.write(`culprit: interrupted after ${verdicts.size} of ${cases.length} formulas\n`);
  return 130;
}

function seedTable(cases: readonly Case[], verdicts: ReadonlyMap<Case, SeedVerdict>): string {
  const rows = cases.flatMap((one) => {
    const verdict = verdicts.get(one);
    if (verdict === undefined) return [];
    return [[one.name, `${verdict.slower.length} of ${verdict.tried.length}`, verdict.robustness]];
  });
  return table([{ title: 'formula' }, { title: 'slower on', align: 'right' }, { title: 'shows on' }], rows);
}

/** Every finding of a campaign, by the campaign's own rule; verdicts go into its journal. */
async function ofCampaign(path: string, signal: AbortSignal): Promise<Job> {
  const { folder, settings, data } = await readCampaign(path);
  const { versions } = await versionsOf(settings.versions.join(), signal);
  const unlock = orFail(await folder.lock());
  const journal = new Journal(folder.journalPath);
  const findings = data.groups.flatMap((group) => group.findings);
  const cases = findings.map(
    ({ id, text }): Case => ({
      name: caseName(id),
      formula: parseScript(text),
      keep: ({ slower, tried, robustness }) =>
        journal.append({ event: 'seeds', at: data.elapsedMs, slowdown: id, slower, tried, robustness }),
    }),
  );
  const close = async (): Promise<void> => {
    journal.close();
    await writeReports(folder, (await readCampaign(path)).data);
    await unlock();
  };
  return { cases, versions, slowness: settings.slowness, close };
}

async function ofFormulas(
  paths: readonly string[],
  options: ConfirmOptions,
  signal: AbortSignal,
): Promise<Job> {
  if (options.on === undefined)
    throw new CommandFailure(2, 'name the versions: --on OLD,NEW (or a campaign instead of formulas)');
  const cases = inputsOf(paths).map((input): Case => {
    const formula = checkInput(input);
    if (!formula.ok) throw new CommandFailure(1, faultLine(input, formula.fault));
    if (!hasQuestion(formula.value))
      throw new CommandFailure(2, `${input.name} holds no check-sat: there is nothing to run`);
    return { name: input.name, formula: formula.value, keep: () => {} };
  });
  const { versions, warnings } = await versionsOf(options.on, signal);
  for (const warning of warnings) process.stderr.write(`culprit: ${warning}\n`);
  if (versions.length < 2)
    throw new CommandFailure(2, 'there is nothing to compare with one version: --on OLD,NEW');
  const slowness = await slownessFrom(options);
  return { cases, versions, slowness, close: async () => {} };
}
