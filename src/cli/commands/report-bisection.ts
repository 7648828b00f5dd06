/** `culprit report` for folders of `culprit bisect` and `culprit blame`, finished or not. */

import { join } from 'node:path';
import { CampaignFolder } from '../../campaign/index.js';
import { type ExaminedBisection, examinedBisection, type Standing, standingOf } from '../../history/index.js';
import { shellWord } from '../../page/index.js';
import {
  bisectionHtml,
  bisectionJson,
  bisectionProgressJson,
  bisectionProgressText,
  bisectionReport,
  bisectionText,
  trackerTexts,
} from '../../report/index.js';
import { makeFolder, put, putAndTell } from '../options/named-output.js';
import type { ReportOptions } from '../options/report-options.js';
import { allowanceFor } from '../options/trust-option.js';
import { orFail } from '../screen/failure.js';
import { Progress } from '../screen/progress.js';
import { ink, print, printJson, printLine, screenWidth } from '../screen/terminal.js';

export async function reportBisection(path: string, options: ReportOptions): Promise<void> {
  const { signal } = new AbortController();
  const allow = allowanceFor(path, options);
  const progress = new Progress();
  progress.show(`reading ${path}`);
  const standing = orFail(await standingOf(path, allow, signal));
  // An unfinished bisection has no final culprits.
  const needsEnd = options.tracker !== undefined || options.markdown !== undefined;
  const finished =
    standing.isFinished || needsEnd
      ? orFail(await examinedBisection(path, allow, signal, (step) => progress.follow(step)))
      : undefined;
  progress.clear();
  if (options.tracker !== undefined && finished !== undefined)
    await track(finished, options.tracker, options);
  if (options.html !== undefined)
    await putAndTell(
      options.html,
      bisectionHtml({ standing, bisection: finished?.bisection, dossiers: finished?.dossiers }),
      options,
    );
  if (options.markdown !== undefined && finished !== undefined) {
    const texts = await trackerTexts(finished, finished.repository);
    await putAndTell(options.markdown, texts.map(({ text }) => text).join('\n'), options);
  }
  if (options.json) await printAsJson(standing, finished, signal);
  const isTold = [options.tracker, options.html, options.markdown].some((form) => form !== undefined);
  if (!isTold && !options.json) await tell(path, standing, finished, signal);
}

async function tell(
  path: string,
  standing: Standing,
  finished: ExaminedBisection | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (finished === undefined) {
    print(bisectionProgressText(standing, ink, screenWidth));
    const again =
      (await CampaignFolder.jobAt(path)) === 'blame'
        ? `the same culprit blame command, with --out ${shellWord(path)}`
        : `culprit bisect --resume ${shellWord(path)}`;
    print(`\nTo go on: ${again}`);
    return;
  }
  print(
    bisectionText(orFail(await bisectionReport(finished, finished.repository, signal)), ink, screenWidth),
  );
}

async function printAsJson(
  standing: Standing,
  finished: ExaminedBisection | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (finished === undefined) {
    printJson('unfinished', bisectionProgressJson(standing));
    return;
  }
  const report = orFail(await bisectionReport(finished, finished.repository, signal));
  printJson('bisect', bisectionJson(report));
}

/** Writes one file per culprit commit. */
async function track(examined: ExaminedBisection, into: string, options: ReportOptions): Promise<void> {
  const texts = await trackerTexts(examined, examined.repository);
  await makeFolder(into);
  for (const { name, title, text } of texts) {
    await put(join(into, name), text, options);
    printLine(`${join(into, name)}  ${title}`);
  }
  if (texts.length === 0) printLine('no commit made anything slower: there is nothing to report');
}
