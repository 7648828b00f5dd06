/** The files to look at for what a hunt met, in the words that every form of its report uses. */

import { join } from 'node:path';
import { type AnomalyLocation, anomalyFile, type HuntSettings, type LocatedFiles } from '../../hunt/index.js';
import { Fault, type Ink } from '../../machine/index.js';
import { counted, table } from '../../page/index.js';
import { parseSpec, printSpec } from '../../solver/index.js';
import { locateCommand } from '../commands/next-steps.js';
import { whyFile } from '../location/location.js';
import { anomalyWord } from './anomaly-word.js';

/** Such as `crash of z3@5.2.0`. */
export function locationTitle(
  { anomaly, version }: AnomalyLocation,
  { versions }: HuntSettings,
  named: (name: string) => string = (name) => name,
): string {
  const what = anomaly.kind === 'disagreement' ? 'wrong answer' : anomalyWord(anomaly.kind);
  return `${what} of ${named(versions[version] ?? '')}`;
}

/** That it is this version which is wrong is more than what was seen. */
export function assumptionText(
  { isAssumed, version }: AnomalyLocation,
  { versions }: HuntSettings,
  named: (name: string) => string = (name) => name,
): string | undefined {
  if (!isAssumed) return undefined;
  return `That ${named(versions[version] ?? '')} is the wrong one is an assumption: nothing shows who is right, and it is the newest.`;
}

/** What stands behind the ranks. */
export function witnessText({ witnesses, tried, failing }: LocatedFiles): string {
  return `${witnesses} ${witnesses === 1 ? 'witness' : 'witnesses'} among ${counted(tried, 'formula')} near it, ${failing} fail as well`;
}

/** Each file with its rank and the reason. */
export function fileRows(
  { files, witnesses, counts }: LocatedFiles,
  most: number,
): readonly (readonly [rank: string, name: string, why: string])[] {
  const unit = counts === 'lines' ? 'line' : 'function';
  return files
    .slice(0, most)
    .map((file) => [String(file.rank), file.name, whyFile(file, witnesses, unit)] as const);
}

export function fileTitle({ counts }: LocatedFiles): string {
  return counts === 'lines' ? 'file' : 'class or namespace';
}

/** On a terminal, the first of them say enough. */
const mostInSummary = 5;

/** @param folder where the campaign is */
export function locationLines(
  location: AnomalyLocation,
  settings: HuntSettings,
  folder: string,
  ink: Ink,
  screen: number | undefined,
): readonly string[] {
  const { result, anomaly } = location;
  if (result === undefined) return [];
  const title = locationTitle(location, settings);
  const file = join(folder, anomalyFile(anomaly.id));
  if (result.kind === 'fault')
    return ['', `No files to look at for the ${title}: ${result.message}.`, `  ${file}`];
  const assumption = assumptionText(location, settings);
  const columns = [
    { title: '', align: 'right' as const },
    { title: fileTitle(result), folds: true },
    { title: 'why', folds: true, mayGo: true },
  ];
  return [
    '',
    `Files to look at for the ${title}: it ${result.says}; ${witnessText(result)}.`,
    ...(assumption === undefined ? [] : [assumption]),
    `  ${file}`,
    ...table(columns, fileRows(result, mostInSummary), ink, screen).split('\n'),
  ];
}

/** How to come to the files where nobody has looked for them; undefined where somebody has. */
export function leftCommand(
  { result, anomaly, version, references }: AnomalyLocation,
  { versions, builds, slowness }: HuntSettings,
  folder: string,
): string | undefined {
  if (result !== undefined) return undefined;
  const name = versions[version] ?? '';
  return locateCommand({
    formula: join(folder, anomalyFile(anomaly.id)),
    on: countingName(name, builds[version], version === versions.length - 1),
    references: references.map((at) => versions[at] ?? ''),
    timeoutMs: slowness.timeoutMs,
  });
}

/** Those that count with nothing to build. */
const counting = /^\S+ \S+ (?:embedded|npm) /;

/** What `culprit locate` takes for a version: commits can be built to count, what was released cannot. */
function countingName(name: string, build: string | undefined, isNewest: boolean): string {
  const spec = parseSpec(name);
  if (spec instanceof Fault) return unknownCommit(isNewest);
  if (spec.from === 'git') return printSpec({ ...spec, variant: undefined });
  return counting.test(build ?? '') ? name : unknownCommit(isNewest, spec.options);
}

/** A commit that only the user knows. */
function unknownCommit(isNewest: boolean, options: Readonly<Record<string, string>> = {}): string {
  const revision = isNewest ? 'NEW' : 'OLD';
  return printSpec({ from: 'git', repository: 'REPOSITORY', revision, options });
}
