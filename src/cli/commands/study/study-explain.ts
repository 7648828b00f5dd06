import { Command, InvalidArgumentError } from 'commander';
import { type StrategyName, strategyNames } from '../../../explain/index.js';
import { explainStudyJson, explainStudyText, studyExplain, subjectsIn } from '../../../study/index.js';
import { memoryOption, timeOption } from '../../options/arguments.js';
import { packageVersion } from '../../package-version.js';
import { orFail } from '../../screen/failure.js';
import { codeOfEnd, interruptible } from '../../screen/interrupt.js';
import { Progress } from '../../screen/progress.js';
import { ink, print, printJson, tell, warn } from '../../screen/terminal.js';

interface StudyOptions {
  readonly strategies: readonly StrategyName[];
  readonly timeout: number;
  readonly memory: number;
  readonly buildTimeout: number;
  readonly treeTimeout: number;
  readonly most: number;
  readonly out: string;
  readonly json?: boolean;
}

/** `culprit study explain`: compares strategies that name changes to blame (AFTER, Tables II to IV). */
export function studyExplainCommand(): Command {
  return new Command('explain')
    .description('how well changes to blame for a failed test are named: AFTER, Tables II to IV')
    .argument('<folder>', 'folder of regressions, each a folder with a subject.json')
    .option('--strategies <list>', 'names, separated by commas', strategiesArgument, [...strategyNames])
    .addOption(timeOption('--timeout <time>', 'processor time limit of a test', '1m'))
    .addOption(memoryOption('--memory <size>', 'memory limit of a test', '2GB'))
    .addOption(timeOption('--build-timeout <time>', 'time limit of a build', '30m'))
    .addOption(timeOption('--tree-timeout <time>', 'time limit for the causes of the failure', '1m'))
    .addOption(timeOption('--most <time>', 'time limit of a strategy on a subject', '10m'))
    .option('--out <folder>', 'folder for all trials; the same command resumes', 'study-explain')
    .option('--json', 'print the result as JSON')
    .action(async (folder: string, options: StudyOptions) => {
      process.exitCode = await interruptible((signal) => study(folder, options, signal));
    });
}

async function study(folder: string, options: StudyOptions, signal: AbortSignal): Promise<number> {
  const subjects = orFail(await subjectsIn(folder));
  const progress = new Progress();
  const explained = orFail(
    await studyExplain({
      subjects,
      strategies: options.strategies,
      testLimitMs: options.timeout,
      memoryBytes: options.memory,
      buildLimitMs: options.buildTimeout,
      treeLimitMs: options.treeTimeout,
      mostMs: options.most,
      culprit: packageVersion,
      out: options.out,
      signal,
      onStep: (step) => progress.follow(step),
      onSubject: ({ name, strategy, why, match, reported, tests, builds }) => {
        progress.clear();
        tell(
          `${name}, ${strategy}: ${why ?? `${match}, ${reported} reported, ${tests} tests, ${builds} builds`}`,
        );
      },
    }).finally(() => progress.clear()),
  );
  if (options.json) printJson('study-explain', explainStudyJson(explained));
  else print(explainStudyText(explained, subjects, ink));
  if (!signal.aborted) return 0;
  warn('interrupted; the same command resumes it');
  return codeOfEnd(signal);
}

function strategiesArgument(text: string): readonly StrategyName[] {
  const names = text.split(',').map((name) => name.trim());
  const strategies = strategyNames.filter((name) => names.includes(name));
  if (strategies.length === names.length) return strategies;
  throw new InvalidArgumentError(`There are ${strategyNames.join(', ')}.`);
}
