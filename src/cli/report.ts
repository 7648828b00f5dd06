import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { examinedBisection } from '../history/index.js';
import { huntHtml, huntMarkdown, huntSummary, readCampaign, trackerTexts } from '../report/index.js';
import { CommandFailure, orFail } from './failure.js';
import { type ForceOption, makeFolder, put, standardOutput, withForceOption } from './named-output.js';
import { print, printJson, printLine } from './terminal.js';
import { allowanceFor, type TrustOption, withTrustOption } from './trust-option.js';

interface ReportOptions extends ForceOption, TrustOption {
  readonly html?: string;
  readonly markdown?: string;
  readonly tracker?: string;
  readonly json?: boolean;
}

/** `culprit report`: what a campaign found, in every form there is. */
export function reportCommand(): Command {
  return withTrustOption(withForceOption(new Command('report')))
    .description('show what a campaign found: on the terminal, as a page, for a tracker, as JSON')
    .argument('<folder>', 'the campaign')
    .option('--html <file>', 'write one page that needs nothing but itself; - for standard output')
    .option('--markdown <file>', 'write a report for an issue tracker; - for standard output')
    .option('--tracker <folder>', 'of culprit bisect or blame: write one text for each culprit commit there')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', '\nExample:\n  $ culprit report campaigns/nightly --html report.html')
    .action(report);
}

async function report(path: string, options: ReportOptions): Promise<void> {
  const printed = [options.html, options.markdown].filter((file) => file === standardOutput).length;
  if (printed + (options.json ? 1 : 0) > 1) {
    throw new CommandFailure(2, 'only one report goes to standard output; name a file for the others');
  }
  if (options.tracker !== undefined) {
    if (options.html !== undefined || options.markdown !== undefined || options.json)
      throw new CommandFailure(2, '--tracker is of a bisection, and goes with no other report');
    await track(path, options.tracker, options);
    return;
  }
  const { folder, data } = orFail(await readCampaign(path));
  if (options.html !== undefined) await put(options.html, huntHtml(data, folder.path), options);
  if (options.markdown !== undefined) await put(options.markdown, huntMarkdown(data, folder.path), options);
  if (options.json) printJson(data);
  if (options.html === undefined && options.markdown === undefined && !options.json) {
    const hasPage = existsSync(join(folder.path, 'report.html'));
    print(huntSummary(data, folder.path, hasPage));
  }
}

/** One file for each commit to blame. */
async function track(path: string, into: string, options: ReportOptions): Promise<void> {
  const allow = allowanceFor(path, options);
  const examined = orFail(await examinedBisection(path, allow, new AbortController().signal));
  const texts = await trackerTexts(examined, examined.repository);
  await makeFolder(into);
  for (const { name, title, text } of texts) {
    await put(join(into, name), text, options);
    printLine(`${join(into, name)}  ${title}`);
  }
  if (texts.length === 0) printLine('no commit made anything slower: there is nothing to report');
}
