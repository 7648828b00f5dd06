import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { CampaignFolder } from '../campaign/folder.js';
import { prepareBlame } from '../history/blame.js';
import { dossiers } from '../history/dossier.js';
import { bisectLocally, localBuilds } from '../history/local-bisection.js';
import { recipeAt } from '../history/recipe.js';
import { Repository } from '../history/repository.js';
import { type BisectSettings, bisectSettingsSchema } from '../history/settings.js';
import { slownessOf } from '../hunt/hunt.js';
import { bisectionText } from '../report/bisection.js';
import { duration } from '../report/quantities.js';
import { shellWord } from '../report/shell-word.js';
import { trackerText } from '../report/tracker.js';
import { triageText } from '../report/triage.js';
import { printScript } from '../smtlib/print.js';
import { Fault } from '../solver/fault.js';
import { LocalRunner } from '../solver/local.js';
import { CommandFailure } from './failure.js';
import { checkInput, faultLine, inputsOf } from './inputs.js';
import { Interrupted, interruptible } from './interrupt.js';
import { packageVersion } from './package-version.js';
import { Progress } from './progress.js';
import { type SlownessOptions, slownessFrom, withSlownessOptions } from './slowness-options.js';
import { orFail } from './versions.js';

interface BlameOptions extends SlownessOptions {
  readonly repo: string;
  readonly good: string;
  readonly bad: string;
  readonly build: readonly string[];
  readonly binary?: string;
  readonly out?: string;
}

/** `culprit blame`: from a slow formula to a named, explained culprit. */
export function blameCommand(): Command {
  return withSlownessOptions(new Command('blame'))
    .description('confirm, reduce, bisect, verify, triage and report a slow formula, in one go')
    .argument('<formula>', 'a file')
    .option('--repo <path>', 'the git repository of the solver; it is only read', '.')
    .requiredOption('--good <revision>', 'a commit where it is quick')
    .option('--bad <revision>', 'a later commit where it is slow', 'HEAD')
    .option(
      '--build <command>',
      'how to build; repeatable; known for Z3, CVC4 and cvc5',
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .option('--binary <path>', 'where the program is after that')
    .option(
      '--out <folder>',
      'where every step is kept; the same folder goes on (default: blame/ and the name)',
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ culprit blame slow.smt2 --repo ../z3 --good z3-4.8.7 --bad z3-4.8.8',
    )
    .action(async (path: string, options: BlameOptions) => {
      process.exitCode = await interruptible((signal) => blame(path, options, signal));
    });
}

async function blame(path: string, options: BlameOptions, signal: AbortSignal): Promise<number> {
  const [input] = inputsOf([path]);
  if (input === undefined) throw new CommandFailure(2, `${path} holds no formula`);
  const formula = checkInput(input);
  if (!formula.ok) throw new CommandFailure(1, faultLine(input, formula.fault));
  const repository = orFail(await Repository.open(options.repo, signal));
  const good = orFail(await repository.resolve(options.good, signal));
  const bad = orFail(await repository.resolve(options.bad, signal));
  orFail(await repository.line(good, bad, 'first-parent', signal));
  const { recipe, family } = await recipeOf(repository, bad, options, signal);
  const folder = options.out ?? join('blame', input.name.replace(/.*\//, '').replace(/\.smt2$/, ''));
  const slowness = slownessOf({ slowness: await slownessFrom(options) });
  const say = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  const runner = new LocalRunner({ workers: options.workers });
  const progress = new Progress();
  try {
    const { reduced } = orFail(
      await prepareBlame({
        folder,
        formula: formula.value,
        repository,
        good,
        bad,
        recipe,
        family,
        builds: localBuilds(),
        runner,
        slowness,
        memoryBytes: options.memory,
        jobs: options.workers,
        signal,
        say,
      }),
    );
    say('4. bisect, and verify what is found');
    const settings: BisectSettings = {
      format: 1,
      job: 'bisect',
      culprit: packageVersion,
      repository: resolve(options.repo),
      good,
      bad,
      line: 'all',
      recipe,
      ...(family === undefined ? {} : { family }),
      cases: [
        { name: join(folder, 'reduced.smt2'), text: printScript(reduced) },
        { name: input.name, text: printScript(formula.value) },
      ],
      isPrinted: false,
      by: 'time',
      timeoutMs: slowness.timeoutMs,
      memoryBytes: options.memory,
      sensitivity: {
        least: slowness.thresholdMs ?? leastMs,
        noise: Math.max(leastNoise, slowness.noise.relative),
        share: 1 / 5,
      },
      confidence: 0,
      strategy: 'batch',
    };
    const bisection = orFail(
      await bisectLocally(
        await bisectionFolder(join(folder, 'bisection'), settings),
        settings,
        signal,
        ({ looked, remaining, leftMs, doing }) =>
          progress.show(
            `${looked} looked at, ${remaining} to go${leftMs === undefined ? '' : `, about ${duration(leftMs)}`}  ${doing}`,
          ),
      ),
    );
    progress.clear();
    say('5. triage and report');
    const found = await dossiers(bisection, repository, bad, signal);
    const link = await repository.commitLink(signal);
    const names = settings.cases.map((one) => one.name);
    const commits = new Map(
      (await repository.commits([...new Set(bisection.culprits.map((one) => one.commit))], signal)).map(
        (one) => [one.id, one],
      ),
    );
    process.stdout.write(`${bisectionText({ bisection, caseNames: names, commits, by: 'time' })}\n\n`);
    process.stdout.write(`${triageText(found, names, 'time')}\n`);
    for (const one of found) {
      const { name, text } = trackerText(one, settings, link);
      await writeFile(join(folder, name), text);
      process.stdout.write(`\nReport: ${join(folder, name)}\n`);
    }
    return found.length > 0 ? 0 : 1;
  } catch (error) {
    progress.clear();
    if (error instanceof Interrupted)
      say(`culprit: interrupted; the same command goes on in ${shellWord(folder)}`);
    throw error;
  } finally {
    progress.clear();
    await runner.close();
  }
}

/** A difference of less than this nobody would report. */
const leastMs = 250;

/** Times of processes differ by this share from build to build, however quiet the machine. */
const leastNoise = 0.05;

async function bisectionFolder(path: string, settings: BisectSettings): Promise<CampaignFolder> {
  const there = await CampaignFolder.open(path, bisectSettingsSchema);
  return there instanceof Fault ? orFail(await CampaignFolder.create(path, settings)) : there.folder;
}

async function recipeOf(repository: Repository, commit: string, options: BlameOptions, signal: AbortSignal) {
  if (options.build.length === 0) {
    const { recipe, name } = orFail(await recipeAt(repository, commit, signal));
    return { recipe, family: name };
  }
  if (options.binary === undefined)
    throw new CommandFailure(2, 'say where the program is after the build: --binary PATH');
  const { build, binary } = options;
  const recipe = { build: [...build], binary, env: {}, memoryMegabytes: 2048, minutes: 120 };
  return { recipe, family: undefined };
}
