import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { CompilePlan } from '../change/index.js';
import { Fault } from '../machine/index.js';
import { table } from '../report/index.js';
import { Repository } from '../repository/index.js';
import {
  type ComplexityData,
  complexityDataJson,
  complexityFigures,
  complexityPage,
  type MeasuredError,
  readErrors,
  type Subject,
  studyComplexity,
  thesisEnd,
} from '../study/index.js';
import { countArgument } from './arguments.js';
import { CommandFailure } from './failure.js';
import { interruptible } from './interrupt.js';
import { packageVersion } from './package-version.js';
import { Progress } from './progress.js';
import { orFail } from './versions.js';

interface StudyOptions {
  readonly lists: string;
  readonly recent: number;
  readonly compiler?: boolean;
  readonly asPublished?: boolean;
  readonly html?: string;
  readonly json?: boolean;
}

/** `culprit study complexity`: chapter 5.5 of Böhme's thesis. */
export function studyComplexityCommand(): Command {
  return new Command('complexity')
    .description('how complex regression errors are: CoREBench, chapter 5.5 of the thesis')
    .argument('<repositories...>', 'a project and its repository each, such as grep=../grep')
    .requiredOption('--lists <folder>', 'CoREBench’s lists of commits: grep.txt and so on')
    .option('--recent <n>', 'commits of each project that CyCC and CLoC are compared on', countArgument, 50)
    .option('--compiler', 'compile what can be compiled; otherwise all is read from its source alone')
    .option('--as-published', 'Algorithm 7 to the letter: without the way back from a called function')
    .option('--html <file>', 'write the figures as one page that needs nothing but itself')
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
  const subjects: Subject[] = [];
  for (const one of repositories) subjects.push(await subjectOf(one, options.lists, signal));
  const plan = options.compiler ? orFail(await CompilePlan.make(undefined, '.')) : undefined;
  const progress = new Progress();
  const data = await studyComplexity({
    subjects,
    recentPerSubject: options.recent,
    isAsPublished: options.asPublished ?? false,
    plan,
    signal,
    onProgress: (text) => progress.show(text),
  });
  progress.clear();
  if (options.html !== undefined) await writeFile(options.html, complexityPage(data, packageVersion));
  process.stdout.write(options.json ? `${JSON.stringify(complexityDataJson(data))}\n` : `${text(data)}\n`);
  return 0;
}

async function subjectOf(word: string, lists: string, signal: AbortSignal): Promise<Subject> {
  const [, name, path] = /^([\w-]+)=(.+)$/.exec(word) ?? [];
  if (name === undefined || path === undefined)
    throw new CommandFailure(2, `${word} is no project with its repository: write it as grep=../grep`);
  const repository = await Repository.open(path, signal);
  if (repository instanceof Fault) throw new CommandFailure(2, repository.message);
  const file = join(lists, `${name}.txt`);
  const list = await readFile(file, 'utf8').catch(() => undefined);
  if (list === undefined) throw new CommandFailure(2, `${file}: there is no such list`);
  return { name, repository, errors: readErrors(list), until: thesisEnd[name] };
}

function text(data: ComplexityData): string {
  const findings = table(
    [{ title: 'what' }, { title: 'here', align: 'right' }, { title: 'published', align: 'right' }],
    complexityFigures(data).map(({ says, own, published }) => [says, own, published]),
  );
  const left = data.errors.flatMap(leftOut);
  const times = [
    ...data.errors.flatMap(({ introducing, fixing }) => [introducing, fixing]),
    ...data.recent,
  ].flatMap((one) => (one instanceof Fault ? [] : [one.ownMs]));
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  return [
    findings,
    '',
    ...(middle === undefined
      ? []
      : [`${sorted.length} commits, ${Math.round(middle)} ms each in the median besides the compiler`]),
    ...left,
  ].join('\n');
}

function leftOut({ subject, error, introducing, fixing }: MeasuredError): readonly string[] {
  const of = (what: string, id: string, one: unknown): readonly string[] =>
    one instanceof Fault ? [`not measured: ${subject} ${id.slice(0, 10)}, ${what}: ${one.message}`] : [];
  return [...of('introducing', error.introducing, introducing), ...of('fixing', error.fixing, fixing)];
}
