import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { type BlameSettings, blame, openBlame } from '../history/blame.js';
import { localBuilds } from '../history/local-bisection.js';
import { Repository } from '../history/repository.js';
import { bisectionText } from '../report/bisection.js';
import { duration } from '../report/quantities.js';
import { shellWord } from '../report/shell-word.js';
import { trackerText } from '../report/tracker.js';
import { triageText } from '../report/triage.js';
import { printScript } from '../smtlib/print.js';
import { LocalRunner } from '../solver/local.js';
import { usualSeeds } from '../solver/seeds.js';
import { seedsArgument } from './arguments.js';
import { CommandFailure } from './failure.js';
import { checkInput, faultLine, hasQuestion, inputsOf } from './inputs.js';
import { Interrupted, interruptible } from './interrupt.js';
import { packageVersion } from './package-version.js';
import { Progress } from './progress.js';
import { type RecipeOptions, recipeFrom, withRecipeOptions } from './recipe-options.js';
import { type SlownessOptions, slownessFrom, withSlownessOptions } from './slowness-options.js';
import { orFail } from './versions.js';

/** What every command that names culprits asks for. */
export interface BlameOptions extends SlownessOptions, RecipeOptions {
  readonly repo: string;
  readonly good: string;
  readonly bad: string;
  readonly seeds: readonly number[];
}

/** `culprit blame`: from slow formulas to named, explained culprits. */
export function blameCommand(): Command {
  return withRecipeOptions(withSlownessOptions(new Command('blame')))
    .description('confirm, reduce, bisect, verify, triage and report slow formulas, in one go')
    .argument('<formula...>', 'files, or folders of .smt2 files')
    .option('--repo <path>', 'the git repository of the solver; it is only read', '.')
    .requiredOption('--good <revision>', 'a commit where they are quick')
    .option('--bad <revision>', 'a later commit where they are slow', 'HEAD')
    .option('--seeds <list>', 'random seeds to look under', seedsArgument, [...usualSeeds])
    .option(
      '--out <folder>',
      'where every step is kept; the same folder goes on (default: blame/ and the name)',
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ culprit blame slow.smt2 --repo ../z3 --good z3-4.8.7 --bad z3-4.8.8',
    )
    .action(async (paths: string[], options: BlameOptions & { readonly out?: string }) => {
      process.exitCode = await interruptible((signal) => {
        const cases = formulasAt(paths);
        return nameCulprits(cases, options.out ?? folderFor(cases), options, signal);
      });
    });
}

type Cases = BlameSettings['cases'];

function formulasAt(paths: readonly string[]): Cases {
  return inputsOf(paths).map((input) => {
    const formula = checkInput(input);
    if (!formula.ok) throw new CommandFailure(1, faultLine(input, formula.fault));
    if (!hasQuestion(formula.value))
      throw new CommandFailure(2, `${input.name} holds no check-sat: there is nothing to run`);
    return { name: input.name, text: printScript(formula.value) };
  });
}

function folderFor([first]: Cases): string {
  const name = first?.name.replace(/.*\//, '').replace(/\.smt2$/, '') ?? '';
  return join('blame', name === '' || name === '-' ? 'formula' : name);
}

/** Runs the steps in a folder, prints what was found and leaves a text for each culprit there. */
export async function nameCulprits(
  cases: Cases,
  out: string,
  options: BlameOptions,
  signal: AbortSignal,
): Promise<number> {
  if (cases.length === 0) throw new CommandFailure(2, 'there is no formula to look into');
  const repository = orFail(await Repository.open(options.repo, signal));
  const good = orFail(await repository.resolve(options.good, signal));
  const bad = orFail(await repository.resolve(options.bad, signal));
  orFail(await repository.line(good, bad, 'first-parent', signal));
  const { recipe, family } = await recipeFrom(repository, bad, options, signal);
  const { folder, settings } = orFail(
    await openBlame(out, {
      format: 1,
      job: 'blame',
      culprit: packageVersion,
      repository: resolve(options.repo),
      good,
      bad,
      recipe,
      ...(family === undefined ? {} : { family }),
      cases,
      slowness: await slownessFrom(options),
      memoryBytes: options.memory,
      seeds: [...options.seeds],
    }),
  );
  const runner = new LocalRunner({ workers: options.workers });
  const progress = new Progress();
  try {
    const found = orFail(
      await blame({
        folder,
        settings,
        repository,
        builds: localBuilds(),
        runner,
        jobs: options.workers,
        signal,
        say: (line) => {
          progress.clear();
          process.stderr.write(`${line}\n`);
        },
        onProgress: ({ looked, remaining, leftMs, doing }) =>
          progress.show(
            `${looked} looked at, ${remaining} to go${leftMs === undefined ? '' : `, about ${duration(leftMs)}`}  ${doing}`,
          ),
      }),
    );
    progress.clear();
    const caseNames = found.settings.cases.map((one) => one.name);
    const ids = [...new Set(found.bisection.culprits.map((one) => one.commit))];
    const commits = new Map((await repository.commits(ids, signal)).map((one) => [one.id, one]));
    process.stdout.write(
      `${bisectionText({ bisection: found.bisection, caseNames, commits, by: 'time' })}\n\n` +
        `${triageText(found.dossiers, caseNames, 'time')}\n`,
    );
    const link = await repository.commitLink(signal);
    for (const one of found.dossiers) {
      const { name, text } = trackerText(one, found, link);
      await writeFile(join(folder.path, name), text);
      process.stdout.write(`\nReport: ${join(folder.path, name)}\n`);
    }
    return found.dossiers.length > 0 ? 0 : 1;
  } catch (error) {
    progress.clear();
    if (error instanceof Interrupted)
      process.stderr.write(`culprit: interrupted; the same command goes on in ${shellWord(folder.path)}\n`);
    throw error;
  } finally {
    progress.clear();
    await runner.close();
  }
}
