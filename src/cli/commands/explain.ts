import { Command, InvalidArgumentError, Option } from 'commander';
import {
  beginExplanation,
  resumeExplanation,
  type StrategyName,
  strategyNames,
} from '../../explain/index.js';
import { explainTest, resumeExplain } from '../../jobs/index.js';
import { shellWord } from '../../page/index.js';
import { countArgument, memoryOption, timeOption } from '../options/arguments.js';
import { type ExplanationForms, mustTakeForms, tellExplanation } from '../options/explanation-forms.js';
import { withForceOption } from '../options/named-output.js';
import { allowanceFor, type TrustOption, withTrustOption } from '../options/trust-option.js';
import { packageVersion } from '../package-version.js';
import { triesText } from '../screen/explain-progress.js';
import { CommandFailure, orFail } from '../screen/failure.js';
import { Interrupted, interruptible } from '../screen/interrupt.js';
import { Progress } from '../screen/progress.js';
import { advise, tell, warn } from '../screen/terminal.js';

interface ExplainOptions extends TrustOption, ExplanationForms {
  readonly old?: string;
  readonly new: string;
  readonly build?: string;
  readonly test?: string;
  readonly repo: string;
  readonly only: readonly string[];
  readonly slowerThan?: number;
  readonly prints?: boolean;
  readonly strategy: StrategyName;
  readonly timeout: number;
  readonly memory: number;
  readonly buildTimeout: number;
  readonly treeTimeout: number;
  readonly repeat: number;
  readonly out?: string;
  readonly resume?: string;
}

/** `culprit explain`: why a test fails since an update (AFTER). */
export function explainCommand(): Command {
  return withTrustOption(withForceOption(new Command('explain')))
    .option('--old <version>', 'folder or commit on which the test passes')
    .option('--new <version>', 'folder or later commit on which the test fails', 'HEAD')
    .option(
      '--build <command>',
      'shell command that builds, run in the source folder; may reuse the objects of the last build',
    )
    .option(
      '--test <command>',
      'shell command that runs the test; exit 0 = pass, 125 = skip, anything else = fail',
    )
    .option(
      '--slower-than <factor>',
      'explain a slowdown: the test fails if it takes more than this many times as long as on the old version',
      factorArgument,
    )
    .option(
      '--prints',
      'with --slower-than: measure the last number that the test prints instead of its time',
    )
    .option('--repo <path>', 'git repository of the commits (read only)', '.')
    .option(
      '--only <path>',
      'compare only this file or folder; repeatable',
      (path: string, before: readonly string[]) => [...before, path.replace(/^(?:\.\/)+|\/+$/g, '')],
      [],
    )
    .addOption(
      new Option(
        '--strategy <name>',
        "culprit's own search, AFTER as published, or delta debugging (dd, add)",
      )
        .choices(strategyNames)
        .default('culprit'),
    )
    .addOption(timeOption('--timeout <time>', 'processor time limit of a test', '1m'))
    .addOption(memoryOption('--memory <size>', 'memory limit of a test', '2GB'))
    .addOption(timeOption('--build-timeout <time>', 'time limit of a build', '30m'))
    .addOption(timeOption('--tree-timeout <time>', 'time limit for the causes of the failure', '1m'))
    .option('--repeat <n>', 'number of test runs of each version and of the result', countArgument, 3)
    .option('--out <folder>', 'folder for all trials (default: explanations/ and the current time)')
    .option('--resume <folder>', 'resume an explanation')
    .option('--json', 'print the result as JSON')
    .option(
      '--html <file>',
      'write a self-contained HTML page with the causes next to the source (- for standard output)',
    )
    .option('--markdown <file>', 'write a report for an issue tracker (- for standard output)')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        "  $ culprit explain --old v1.0 --new v1.1 --build make --test 'sh tests/regress.sh'\n" +
        "  $ culprit explain --old ../tool-1.0 --new ../tool-1.1 --build 'make -j2' --test './tool in.txt | cmp - expected.txt'",
    )
    .action(async (options: ExplainOptions) => {
      process.exitCode = await interruptible((signal) => run(options, signal));
    });
}

function factorArgument(text: string): number {
  const factor = Number(text);
  if (!(factor > 1 && factor <= 1e9))
    throw new InvalidArgumentError('It must be a number above 1, such as 1.5.');
  return factor;
}

async function run(options: ExplainOptions, signal: AbortSignal): Promise<number> {
  await mustTakeForms(options);
  const begunExplanation = orFail(
    options.resume === undefined
      ? await begun(options, signal)
      : await resumeExplanation(options.resume, allowanceFor(options.resume, options)),
  );
  const progress = new Progress();
  try {
    const { patch, ...view } = orFail(
      await explainTest(begunExplanation, {
        signal,
        onStep: (step) => progress.follow(step),
        onTried: (tries) => progress.show(triesText(tries)),
      }).finally(() => progress.clear()),
    );
    await tellExplanation(view, options, true);
    if (!options.json) {
      tell(`written: ${patch}`);
      if (view.explanation.isRepaired) advise(`Revert it in the new version: git apply ${shellWord(patch)}`);
      else warn(`reverting it alone does not repair the test: ${whyNoRepair(view.settings.strategy)}`);
    }
    return 0;
  } catch (error) {
    if (error instanceof Interrupted) {
      error.isTold = true;
      progress.clear();
      warn(`interrupted; resume with ${resumeExplain(begunExplanation.folder.path)}`);
    }
    throw error;
  }
}

/** The reason why changes are named although reverting them does not repair the test. */
function whyNoRepair(strategy: StrategyName): string {
  return strategy === 'dd' || strategy === 'add'
    ? `${strategy} names a difference between a version that passes and one that fails, which need not repair the new one; --strategy culprit looks for what does`
    : 'with these changes reverted, the test passed once, but did not pass when it was run again';
}

async function begun(options: ExplainOptions, signal: AbortSignal) {
  const { old, build, test } = options;
  if (old === undefined || build === undefined || test === undefined)
    throw new CommandFailure(
      2,
      'name a version on which the test passes, how to build and how to test: culprit explain --old v1.0 --build make --test ./test.sh',
    );
  if (options.prints && options.slowerThan === undefined)
    throw new CommandFailure(
      2,
      '--prints measures a slowdown: add --slower-than, for example --slower-than 1.5',
    );
  return beginExplanation(
    {
      ...{ old, new: options.new, build, test, repository: options.repo },
      strategy: options.strategy,
      slowness:
        options.slowerThan === undefined
          ? undefined
          : { factor: options.slowerThan, isPrinted: options.prints ?? false },
      testLimitMs: options.timeout,
      memoryBytes: options.memory,
      buildLimitMs: options.buildTimeout,
      treeLimitMs: options.treeTimeout,
      repeats: options.repeat,
      only: [...options.only],
      out: options.out,
      culprit: packageVersion,
    },
    signal,
  );
}
