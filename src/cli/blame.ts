import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { localBuilds } from '../builds/index.js';
import { type BlameSettings, blame, openBlame } from '../history/index.js';
import {
  bisectionJson,
  bisectionText,
  dossiersJson,
  duration,
  shellWord,
  trackerText,
  triageText,
} from '../report/index.js';
import { Repository } from '../repository/index.js';
import { printScript } from '../smtlib/index.js';
import { LocalRunner, usualSeeds } from '../solver/index.js';
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
    .option('--json', 'print what was found as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ culprit blame slow.smt2 --repo ../z3 --good z3-4.8.7 --bad z3-4.8.8',
    )
    .action(
      async (paths: string[], options: BlameOptions & { readonly out?: string; readonly json?: boolean }) => {
        process.exitCode = await interruptible((signal) => {
          const cases = formulasAt(paths);
          const out = options.out ?? folderFor(cases);
          const goOn = `the same command, in ${shellWord(out)}`;
          return nameCulprits(cases, { out, goOn, isJson: options.json ?? false }, options, signal);
        });
      },
    );
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

export interface BlameManner {
  readonly out: string;
  /** How to go on with it once it was interrupted. */
  readonly goOn: string;
  readonly isJson: boolean;
}

/** Runs the steps in a folder, prints what was found and leaves a text for each culprit there. */
export async function nameCulprits(
  cases: Cases,
  { out, goOn, isJson }: BlameManner,
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
        resume: goOn,
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
    const limitMs = found.settings.timeoutMs;
    const report = { bisection: found.bisection, caseNames, commits, by: 'time', limitMs } as const;
    const link = await repository.commitLink(signal);
    const files: string[] = [];
    for (const one of found.dossiers) {
      const { name, text } = trackerText(one, found, link);
      files.push(join(folder.path, name));
      await folder.writeWhole(name, text);
    }
    process.stdout.write(
      isJson
        ? `${JSON.stringify({ ...bisectionJson(report), dossiers: dossiersJson(found.dossiers, caseNames), reports: files })}\n`
        : `${bisectionText(report)}\n\n${triageText(found.dossiers, caseNames, { by: 'time', limitMs })}\n` +
            files.map((file) => `\nReport: ${file}\n`).join(''),
    );
    return found.dossiers.length > 0 ? 0 : 1;
  } catch (error) {
    progress.clear();
    if (error instanceof Interrupted) {
      error.isTold = true;
      process.stderr.write(`culprit: interrupted; go on with ${goOn}\n`);
    }
    throw error;
  } finally {
    progress.clear();
    await runner.close();
  }
}
