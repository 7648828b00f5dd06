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
    .option('--repo <path>', 'the git repository of the solver; it is only read', '.')
    .requiredOption('--good <revision>', 'a commit where they are quick')
    .option('--bad <revision>', 'a later commit where they are slow', 'HEAD')
    .option(
      '--quick',
      "builds that are not optimised, compared by the solver's own count of its work (default where both are known)",
    )
    .option('--no-quick', 'optimised builds, compared by time')
    .option('--whole', 'with --quick: build all of each commit, also what no case calls')
    .option('--verify', 'measure the culprits that quick builds name by time on optimised ones, too')
    .addOption(
      new Option('--seeds <list>', 'random seeds to look under')
        .argParser(seedsArgument)
        .default([...usualSeeds], '1-30'),
    )
    .option(
      '--out <folder>',
      'where every step is kept; the same folder resumes (default: blame/ and the name)',
    )
    .option('--explain', 'name the changes in each culprit commit, too, and where more is done since')
    .option(
      '--locate',
      'of formulas that are not slower but answered otherwise, crash or end in an error: name the files to look at',
    )
    .option('--json', 'print what was found as JSON')
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
