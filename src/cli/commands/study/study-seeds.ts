import { Command } from 'commander';
import { type HuntData, originalSlowdowns } from '../../../hunt/index.js';
import { readCampaign, withSolvers } from '../../../jobs/index.js';
import { shellWord } from '../../../page/index.js';
import { usualSeeds } from '../../../solver/index.js';
import {
  measureSeededCases,
  publishedShares,
  robustnessesOf,
  robustnessShares,
  seedsPage,
  seedsStudyText,
} from '../../../study/index.js';
import { workersArgument } from '../../options/arguments.js';
import { type ForceOption, mustBeWritable, putAndTell, withForceOption } from '../../options/named-output.js';
import { allowanceFor, type TrustOption, withTrustOption } from '../../options/trust-option.js';
import { versionsAgain } from '../../options/versions.js';
import { packageVersion } from '../../package-version.js';
import { CommandFailure, orFail } from '../../screen/failure.js';
import { codeOfEnd, interruptible } from '../../screen/interrupt.js';
import { Progress } from '../../screen/progress.js';
import { ink, print, printJson, screenWidth, warn } from '../../screen/terminal.js';

interface SeedsOptions extends ForceOption, TrustOption {
  readonly all?: boolean;
  readonly workers: number;
  readonly html?: string;
  readonly json?: boolean;
}

/** `culprit study seeds`: the robustness of a campaign's slowdowns (SPRFinder, Fig. 4). */
export function studySeedsCommand(): Command {
  return withTrustOption(withForceOption(new Command('seeds')))
    .description('how many slowdowns hold under how many random seeds: SPRFinder, Fig. 4')
    .argument('<campaign...>', 'campaigns; without --all, only those with results of culprit confirm')
    .option('--all', 'run every original slowdown under seeds 1 to 30, not only the reduced findings')
    .option('--workers <n>', 'number of formulas at once', workersArgument, 1)
    .option('--html <file>', 'write the chart as one self-contained HTML page')
    .option('--json', 'print the result as JSON')
    .action(async (paths: string[], options: SeedsOptions) => {
      process.exitCode = await interruptible((signal) => study(paths, options, signal));
    });
}

async function study(paths: readonly string[], options: SeedsOptions, signal: AbortSignal): Promise<number> {
  await mustBeWritable(options.html, options);
  const robustnesses = options.all
    ? await allRobustnesses(paths, options, signal)
    : robustnessesOf(await readAll(paths));
  // A formula that is slower under no seed, and not without one, is no slowdown.
  const shown = robustnesses.filter((robustness) => robustness !== 'no seed');
  if (shown.length === 0 && !signal.aborted)
    throw new CommandFailure(
      2,
      options.all
        ? 'no slowdown of these campaigns shows under any seed'
        : `no finding has been confirmed under seeds: run culprit confirm ${shellWord(paths[0] ?? '')} first`,
    );
  const [cases, shares] = [shown.length, robustnessShares(shown)];
  if (options.html !== undefined)
    await putAndTell(options.html, seedsPage(cases, shares, packageVersion), options);
  if (options.json)
    printJson('study-seeds', {
      cases,
      gone: robustnesses.length - cases,
      shares: Object.fromEntries(shares),
      published: publishedShares,
    });
  else print(seedsStudyText(cases, shares, ink, screenWidth));
  if (shown.length < robustnesses.length)
    warn(
      `${robustnesses.length - cases} of ${robustnesses.length} no longer show a slowdown and are skipped`,
    );
  if (!signal.aborted) return 0;
  warn('interrupted; the same command resumes it');
  return codeOfEnd(signal);
}

async function readAll(paths: readonly string[]): Promise<readonly HuntData[]> {
  const progress = new Progress();
  const all: HuntData[] = [];
  for (const path of paths) all.push(orFail(await readCampaign(path, (step) => progress.follow(step))).data);
  progress.clear();
  return all;
}

async function allRobustnesses(
  paths: readonly string[],
  options: SeedsOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (signal.aborted) break;
    const progress = new Progress();
    const { folder, settings } = orFail(await readCampaign(path, (step) => progress.follow(step)));
    const texts = orFail(await originalSlowdowns(folder, settings));
    const versions = orFail(await versionsAgain(settings.versions, allowanceFor(path, options), signal));
    const unlock = orFail(await folder.lock());
    try {
      progress.show('starting the solvers');
      const cases = await withSolvers(options.workers, async (runner) => {
        await runner.prepare(versions, signal);
        return measureSeededCases(runner, {
          folder: folder.path,
          texts,
          versions,
          slowness: settings.slowness,
          seeds: usualSeeds,
          memoryBytes: settings.memoryBytes,
          workers: options.workers,
          signal,
          onCase: (done, total) =>
            progress.follow({ step: `${path} under seeds`, done, total, what: 'case' }),
        });
      });
      found.push(...orFail(cases).map(({ robustness }) => robustness));
    } finally {
      progress.clear();
      await unlock();
    }
  }
  return found;
}
