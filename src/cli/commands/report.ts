import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { CampaignFolder } from '../../campaign/index.js';
import { readExplanation } from '../../explain/index.js';
import { holdsTimelines, readCampaign, readRunResults, readTimelines } from '../../jobs/index.js';
import { Fault, type OnStep } from '../../machine/index.js';
import { shellWord } from '../../page/index.js';
import {
  huntHtml,
  huntJson,
  huntMarkdown,
  huntSummary,
  huntWithDemangledNames,
  timelineHtml,
  timelineJson,
  timelineText,
} from '../../report/index.js';
import {
  detectionJson,
  detectionPage,
  detectionText,
  multiObjectiveJson,
  multiObjectivePage,
  multiObjectiveText,
  readDetection,
  readMultiObjective,
} from '../../study/index.js';
import { tellExplanation } from '../options/explanation-forms.js';
import { putAndTell, standardOutput, withForceOption } from '../options/named-output.js';
import type { ReportOptions } from '../options/report-options.js';
import { RunForms } from '../options/run-forms.js';
import { withTrustOption } from '../options/trust-option.js';
import { packageVersion } from '../package-version.js';
import { CommandFailure, orFail } from '../screen/failure.js';
import { Progress } from '../screen/progress.js';
import { ink, print, printJson, screenWidth, warn } from '../screen/terminal.js';
import { reportBisection } from './report-bisection.js';

/** `culprit report`: a stored result in all formats. */
export function reportCommand(): Command {
  return withTrustOption(withForceOption(new Command('report')))
    .argument(
      '<path>',
      'campaign, bisection, explanation, study of strategies or variants, or output file of culprit run --json or timeline --json',
    )
    .option('--html <file>', 'write one self-contained HTML page (- for standard output)')
    .option('--markdown <file>', 'write a report for an issue tracker (- for standard output)')
    .option('--csv <file>', 'for culprit run: write one row per formula and version')
    .option(
      '--tracker <folder>',
      'for culprit bisect or blame: write one text per culprit commit into this folder',
    )
    .option('--json', 'print the whole result as JSON')
    .addHelpText('after', '\nExample:\n  $ culprit report campaigns/nightly --html report.html')
    .action(report);
}

async function report(path: string, options: ReportOptions): Promise<void> {
  const { html, markdown, csv, tracker, json } = options;
  const printed = [html, markdown, csv].filter((file) => file === standardOutput).length;
  if (printed + (json ? 1 : 0) > 1)
    throw new CommandFailure(2, 'only one report goes to standard output; name a file for the others');
  if (tracker !== undefined && (html ?? markdown ?? csv ?? json) !== undefined)
    throw new CommandFailure(2, '--tracker is of a bisection, and goes with no other report');
  const kind = statSync(path, { throwIfNoEntry: false });
  if (kind === undefined) throw new CommandFailure(2, `there is no file or folder ${path}`);
  if (kind.isFile()) return reportResults(path, options);
  if (csv !== undefined)
    throw new CommandFailure(2, '--csv is of what culprit run --json printed into a file');
  const study =
    CampaignFolder.isAt(path) || tracker !== undefined ? undefined : orFail(await readStudy(path));
  if (study !== undefined) return reportStudy(study, options);
  if (!CampaignFolder.isAt(path))
    throw new CommandFailure(2, `${path} holds no campaign, bisection, explanation or study of culprit`);
  const job = await CampaignFolder.jobAt(path);
  if (job === 'bisect' || job === 'blame' || tracker !== undefined) return reportBisection(path, options);
  if (job === 'explain') return reportExplanation(path, options);
  return reportHunt(path, options);
}

/** Reads results only; nothing is run. */
async function reportExplanation(path: string, options: ReportOptions): Promise<void> {
  const { settings, explanation } = orFail(await readExplanation(path));
  if (explanation === undefined)
    throw new CommandFailure(
      2,
      `${path} is not finished; resume it with: culprit explain --resume ${shellWord(path)}`,
    );
  const isText = options.html === undefined && options.markdown === undefined;
  await tellExplanation({ settings, explanation }, options, isText);
}

/** The report of a study in its formats. */
interface StudyForms {
  readonly notes: readonly string[];
  readonly page: () => string;
  readonly text: () => string;
  readonly printJson: () => void;
}

async function readStudy(path: string): Promise<StudyForms | undefined | Fault> {
  const progress = new Progress();
  try {
    return await studyAt(path, (step) => progress.follow(step));
  } finally {
    progress.clear();
  }
}

async function studyAt(path: string, onRead: OnStep): Promise<StudyForms | undefined | Fault> {
  const populations = await readMultiObjective(path, onRead);
  if (populations instanceof Fault) return populations;
  if (populations !== undefined)
    return {
      notes: populations.notes,
      page: () => multiObjectivePage(populations),
      text: () => multiObjectiveText(populations, ink, screenWidth),
      printJson: () => printJson('study-multi-objective', multiObjectiveJson(populations)),
    };
  const detection = await readDetection(path, onRead);
  if (detection instanceof Fault || detection === undefined) return detection;
  return {
    notes: detection.notes,
    page: () => detectionPage(detection, detection.settings),
    text: () => detectionText(detection, ink, screenWidth),
    printJson: () => printJson('study-detection', detectionJson(detection)),
  };
}

async function reportStudy(study: StudyForms, options: ReportOptions): Promise<void> {
  const { html, markdown, json } = options;
  if (markdown !== undefined)
    throw new CommandFailure(2, 'a study is reported on the terminal, with --html, or with --json');
  for (const note of study.notes) warn(note);
  if (html !== undefined) await putAndTell(html, study.page(), options);
  if (json) study.printJson();
  else if (html === undefined) print(study.text());
}

async function reportHunt(path: string, options: ReportOptions): Promise<void> {
  const { html, markdown, json } = options;
  const progress = new Progress();
  const { folder, data } = orFail(
    await readCampaign(path, (step) => progress.follow(step)).finally(() => progress.clear()),
  );
  const shown = html === undefined && markdown === undefined ? data : await huntWithDemangledNames(data);
  if (html !== undefined) await putAndTell(html, huntHtml(shown, folder.path), options);
  if (markdown !== undefined) await putAndTell(markdown, huntMarkdown(shown), options);
  if (json) printJson('hunt', huntJson(data, folder.path));
  if (html === undefined && markdown === undefined && !json) {
    const hasPage = existsSync(join(folder.path, 'report.html'));
    print(huntSummary(data, folder.path, { hasPage, ink, screen: screenWidth }));
  }
}

/** Prints the results as `culprit run` did. */
async function reportResults(path: string, options: ReportOptions): Promise<void> {
  if (options.tracker !== undefined) throw new CommandFailure(2, `${path} is no folder of a bisection`);
  if (holdsTimelines(path)) return reportTimelines(orFail(readTimelines(path, warn)), options);
  const results = orFail(readRunResults(path, warn, 'culprit run --json or culprit timeline --json'));
  const forms = await RunForms.forResults(options, results);
  for (const result of results) forms.add(result);
  await forms.close(results);
}

async function reportTimelines(
  { by, timelines }: Exclude<ReturnType<typeof readTimelines>, Fault>,
  options: ReportOptions,
): Promise<void> {
  const { html, markdown, csv, json } = options;
  if ((markdown ?? csv) !== undefined)
    throw new CommandFailure(2, 'timelines are reported on the terminal, with --html, or with --json');
  if (html !== undefined) await putAndTell(html, timelineHtml(timelines, by, packageVersion), options);
  for (const line of timelines)
    if (json) printJson('timeline', timelineJson(line, by));
    else if (html === undefined) print(`${timelineText(line, by, ink, screenWidth)}\n`);
}
