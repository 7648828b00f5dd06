import { Command } from 'commander';
import { FileCompiler } from '../../../change/index.js';
import {
  complexityDataJson,
  complexityPage,
  complexityStudyText,
  namedSubjects,
  studyComplexity,
} from '../../../study/index.js';
import { countArgument } from '../../options/arguments.js';
import { type ForceOption, mustBeWritable, putAndTell, withForceOption } from '../../options/named-output.js';
import { packageVersion } from '../../package-version.js';
import { orFail } from '../../screen/failure.js';
import { interruptible } from '../../screen/interrupt.js';
import { Progress } from '../../screen/progress.js';
import { ink, print, printJson, screenWidth } from '../../screen/terminal.js';

interface StudyOptions extends ForceOption {
  readonly lists: string;
  readonly seeded?: string;
  readonly recent: number;
  readonly compiler?: boolean;
  readonly asPublished?: boolean;
  readonly html?: string;
  readonly json?: boolean;
}

/** `culprit study complexity`: chapter 5.5 of Böhme's thesis. */
export function studyComplexityCommand(): Command {
  return withForceOption(new Command('complexity'))
    .description('how complex regression errors are: CoREBench, chapter 5.5 of the thesis')
    .argument('<repositories...>', 'projects with their repositories, such as grep=../grep')
    .requiredOption('--lists <folder>', 'folder with CoREBench’s lists of commits: grep.txt and so on')
    .option(
      '--seeded <folder>',
      'folder with seeded errors in the layout of the Siemens suite, to compare with',
    )
    .option('--recent <n>', 'number of commits per project to compare CyCC and CLoC on', countArgument, 50)
    .option('--compiler', 'compile what compiles (default: read source text only)')
    .option('--as-published', 'Algorithm 7 to the letter, on the lines that diff finds')
    .option('--html <file>', 'write the figures as one self-contained HTML page')
    .option('--json', 'print one JSON object')
    .action(async (repositories: string[], options: StudyOptions) => {
      process.exitCode = await interruptible((signal) => run(repositories, options, signal));
    });
}

async function run(
  repositories: readonly string[],
  options: StudyOptions,
  signal: AbortSignal,
): Promise<number> {
  await mustBeWritable(options.html, options);
  const subjects = orFail(await namedSubjects(repositories, options.lists, signal));
  const plan = options.compiler ? orFail(await FileCompiler.make(undefined, '.')) : undefined;
  const progress = new Progress();
  const data = orFail(
    await studyComplexity({
      subjects,
      seeded: options.seeded,
      recentPerSubject: options.recent,
      isAsPublished: options.asPublished ?? false,
      plan,
      signal,
      onProgress: (text) => progress.show(text),
    }),
  );
  progress.clear();
  if (options.html !== undefined)
    await putAndTell(options.html, complexityPage(data, packageVersion), options);
  if (options.json) printJson('study-complexity', complexityDataJson(data));
  else print(complexityStudyText(data, ink, screenWidth));
  return 0;
}
