import { Command, Option } from 'commander';
import { blameFolder } from '../../jobs/index.js';
import { shellWord } from '../../page/index.js';
import { printScript } from '../../smtlib/index.js';
import { usualSeeds } from '../../solver/index.js';
import { seedsArgument } from '../options/arguments.js';
import { formulaArgument, runnableFormulas } from '../options/inputs.js';
import { tellLeftOut } from '../options/left-out.js';
import { builderRequest, type RecipeOptions, withRecipeOptions } from '../options/recipe-options.js';
import { type SlownessOptions, slownessRequest, withSlownessOptions } from '../options/slowness-options.js';
import { packageVersion } from '../package-version.js';
import { tellBusyCalibration } from '../screen/busy-calibration.js';
import { orFail } from '../screen/failure.js';
import { interruptible } from '../screen/interrupt.js';
import { printCulprits } from '../screen/print-culprits.js';

interface BlameOptions extends SlownessOptions, RecipeOptions {
  readonly repo: string;
  readonly good: string;
  readonly bad: string;
  readonly seeds: readonly number[];
  readonly quick?: boolean;
  readonly whole?: boolean;
  readonly verify?: boolean;
  readonly explain?: boolean;
  readonly locate?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

/** `culprit blame`: from slow formulas to named, explained culprits. */
export function blameCommand(): Command {
  return withRecipeOptions(withSlownessOptions(new Command('blame')))
    .argument('<formula...>', formulaArgument)
    .option('--repo <path>', 'git repository of the solver (read only)', '.')
    .requiredOption('--good <revision>', 'a commit on which the cases are quick')
    .option('--bad <revision>', 'a later commit on which the cases are slow', 'HEAD')
    .option(
      '--quick',
      'use unoptimised builds, compared by effort, the work that the solver counts itself (default if both are available)',
    )
    .option('--no-quick', 'use optimised builds, compared by time')
    .option('--whole', 'with --quick: build all of each commit, including code that no case calls')
    .option('--verify', 'measure the culprits of quick builds again, by time on optimised builds')
    .addOption(
      new Option('--seeds <list>', 'random seeds to run each formula under')
        .argParser(seedsArgument)
        .default([...usualSeeds], '1-30'),
    )
    .option(
      '--out <folder>',
      'folder for every step; the same folder resumes (default: blame/ and the name of the formula)',
    )
    .option(
      '--explain',
      'also name the changes within each culprit commit, and the functions that do more work since',
    )
    .option(
      '--locate',
      'rank the files to blame for formulas that are not slower, but get another answer, crash or end in an error',
    )
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ culprit blame slow.smt2 --repo ../z3 --good z3-4.8.7 --bad z3-4.8.8',
    )
    .action(async (paths: string[], options: BlameOptions) => {
      process.exitCode = await interruptible((signal) => run(paths, options, signal));
    });
}

async function run(paths: readonly string[], options: BlameOptions, signal: AbortSignal): Promise<number> {
  const formulas = orFail(runnableFormulas(paths));
  tellLeftOut(formulas);
  const cases = formulas.map(({ name, formula }) => ({
    name,
    text: printScript(formula),
  }));
  const {
    repo,
    good,
    bad,
    quick,
    whole,
    verify,
    seeds,
    memory,
    workers,
    out = blameFolder(cases),
    json = false,
  } = options;
  await tellBusyCalibration(options);
  return printCulprits(
    {
      culprit: packageVersion,
      cases,
      repo,
      good,
      bad,
      builder: builderRequest(options),
      slowness: slownessRequest(options),
      isQuick: quick,
      isWhole: whole,
      verifies: verify,
      memoryBytes: memory,
      seeds,
      out,
      signal,
    },
    {
      resume: `the same command, in ${shellWord(out)}`,
      workers,
      isJson: json,
      isExplained: options.explain,
      isLocated: options.locate,
    },
  );
}
