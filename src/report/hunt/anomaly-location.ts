/** Texts on the files to look at for an anomaly, shared by all forms of a hunt's report. */

import { join } from 'node:path';
import { type AnomalyLocation, anomalyFile, type HuntSettings, type LocatedFiles } from '../../hunt/index.js';
import { Fault, type Ink } from '../../machine/index.js';
import { counted, table } from '../../page/index.js';
import { parseSpec, printSpec } from '../../solver/index.js';
import { locateCommand } from '../commands/next-steps.js';
import { evidenceText } from '../location/location.js';
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

/** Of a disagreement, the wrong version is often only assumed. */
export function assumptionText(
  { isAssumed, version }: AnomalyLocation,
  { versions }: HuntSettings,
  named: (name: string) => string = (name) => name,
): string | undefined {
  if (!isAssumed) return undefined;
  return `It is assumed that ${named(versions[version] ?? '')} is wrong, as the newest version: nothing shows which answer is right.`;
}

/** The evidence behind the ranks. */
export function witnessText({ witnesses, tried, failing }: LocatedFiles): string {
  return `${witnesses} ${witnesses === 1 ? 'witness' : 'witnesses'} among ${counted(tried, 'similar formula')}, ${failing} of which also fail`;
}

export function fileRows(
  { files, witnesses, counts }: LocatedFiles,
  most: number,
): readonly (readonly [rank: string, name: string, why: string])[] {
  const unit = counts === 'lines' ? 'line' : 'function';
  return files
    .slice(0, most)
    .map((file) => [String(file.rank), file.name, evidenceText(file, witnesses, unit)] as const);
}

export function fileTitle({ counts }: LocatedFiles): string {
  return counts === 'lines' ? 'file' : 'class or namespace';
}

/** Maximum number of files on a terminal. */
const mostInSummary = 5;

/** @param folder of the campaign */
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

/** The command that ranks the files; undefined if they are ranked. */
export function locateStep(
  { result, anomaly, version, references }: AnomalyLocation,
  { versions, builds, slowness }: HuntSettings,
  folder: string,
): string | undefined {
  if (result !== undefined) return undefined;
  const name = versions[version] ?? '';
  return locateCommand({
    formula: join(folder, anomalyFile(anomaly.id)),
    on: countingVersion(name, builds[version], version === versions.length - 1),
    references: references.map((at) => versions[at] ?? ''),
    timeoutMs: slowness.timeoutMs,
  });
}

/** Builds that count calls without another build. */
const counting = /^\S+ \S+ (?:embedded|npm) /;

/** The version as `culprit locate` takes it: a commit can be built with coverage, a release cannot. */
function countingVersion(name: string, build: string | undefined, isNewest: boolean): string {
  const spec = parseSpec(name);
  if (spec instanceof Fault) return unknownCommit(isNewest);
  if (spec.from === 'git') return printSpec({ ...spec, variant: undefined });
  return counting.test(build ?? '') ? name : unknownCommit(isNewest, spec.options);
}

/** A placeholder for a commit that only the user knows. */
function unknownCommit(isNewest: boolean, options: Readonly<Record<string, string>> = {}): string {
  const revision = isNewest ? 'NEW' : 'OLD';
  return printSpec({ from: 'git', repository: 'REPOSITORY', revision, options });
}
