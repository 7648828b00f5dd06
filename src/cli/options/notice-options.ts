/** Output for continuous integration: SARIF, annotations, and a baseline so that only new results fail. */

import type { Command } from 'commander';
import { annotation, baselineText, type Notice, readBaseline, sarif } from '../../page/index.js';
import { packageVersion } from '../package-version.js';
import { CommandFailure, orFail } from '../screen/failure.js';
import { tell, warn } from '../screen/terminal.js';
import { type ForceOption, type JsonOption, mustBeWritable, putAndTell } from './named-output.js';

export interface NoticeOptions extends ForceOption, JsonOption {
  readonly sarif?: string;
  readonly annotate?: boolean;
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
}

export function withNoticeOptions(command: Command): Command {
  return command
    .option('--sarif <file>', 'write the results as SARIF, for code scanning')
    .option('--annotate', 'print results as annotations of a GitHub workflow, on standard error')
    .option('--baseline <file>', 'file with known results: they are reported, but do not fail the command')
    .option('--update-baseline', 'write the results into the baseline');
}

export async function mustTakeNotices(options: NoticeOptions): Promise<ReadonlySet<string>> {
  if (options.updateBaseline && options.baseline === undefined)
    throw new CommandFailure(2, '--update-baseline needs a file: --baseline FILE');
  await mustBeWritable(options.sarif, options);
  return options.baseline === undefined ? new Set() : orFail(readBaseline(options.baseline));
}

/**
 * Writes notices in the requested formats.
 *
 * @returns the notices that are not in the baseline
 */
export async function takeNotices(
  notices: readonly Notice[],
  known: ReadonlySet<string>,
  options: NoticeOptions,
): Promise<readonly Notice[]> {
  const isKnown = ({ key }: Notice): boolean => known.has(key);
  const fresh = notices.filter((notice) => !isKnown(notice));
  if (options.annotate) for (const notice of fresh) tell(annotation(notice));
  const { sarif: sarifFile, force = false, updateBaseline = false } = options;
  const files = [
    { file: sarifFile, text: () => sarif(notices, packageVersion, isKnown), force },
    { file: updateBaseline ? options.baseline : undefined, text: () => baselineText(notices), force: true },
  ];
  for (const { file, text, force } of files)
    if (file !== undefined) await putAndTell(file, text(), { force });
  if (fresh.length < notices.length)
    warn(`${notices.length - fresh.length} of ${notices.length} are known by ${options.baseline}`);
  return fresh;
}
