/** Where a fault likely is, for people and for other tools. */

import type { Evidence, Ranked, RankedFile } from '../locate/index.js';
import type { Ink } from '../machine/index.js';
import { readableFunction } from './coverage.js';
import { count, counted } from './quantities.js';
import { table } from './table.js';

/** What was found about one formula on one version. */
export interface LocationView {
  readonly formula: string;
  readonly version: string;
  readonly evidence: Evidence;
  readonly files: readonly RankedFile[];
  readonly functions: readonly Ranked[];
}

/** As many as a reader looks at. */
const mostFiles = 20;
const mostFunctions = 10;

const right = { align: 'right' as const };

export function locationText({ version, evidence, files, functions }: LocationView, ink?: Ink): string {
  const { failure, witnesses, tried, failing, names } = evidence;
  const likeness = witnesses.map(({ similarity }) => similarity).toSorted((a, b) => a - b);
  const middle = likeness[Math.floor(likeness.length / 2)] ?? 0;
  const hasHistory = files.some(({ history }) => history !== undefined);
  const columns = [
    { title: '', ...right },
    { title: names.counts === 'lines' ? 'file' : 'class or namespace' },
    { title: 'score', ...right },
    { title: 'excess', ...right },
    { title: 'coverage', ...right },
    ...(hasHistory ? [{ title: 'history', ...right }] : []),
    { title: 'why', folds: true },
  ];
  const rows = files
    .slice(0, mostFiles)
    .map((file) => [
      String(file.rank),
      file.name,
      file.score.toFixed(3),
      file.excess.toFixed(1),
      file.coverage.toFixed(3),
      ...(hasHistory ? [(file.history ?? 0).toExponential(1)] : []),
      whyFile(file, witnesses.length, names.counts === 'lines' ? 'line' : 'function'),
    ]);
  const called = functions
    .slice(0, mostFunctions)
    .map(({ rank, name, score }) => [String(rank), readableFunction(name), score.toFixed(3)]);
  return [
    `${version} ${failure.says}`,
    `${count(witnesses.length)} witnesses among ${count(tried)} formulas near it, ${count(failing)} fail as well; a witness has ${middle.toFixed(2)} of its way in common (median)`,
    '',
    table(columns, rows, ink),
    '',
    table([{ title: '', ...right }, { title: 'function' }, { title: 'score', ...right }], called, ink),
  ].join('\n');
}

function whyFile(
  { executed, witnesses, edits, commits }: RankedFile,
  all: number,
  unit: 'line' | 'function',
): string {
  const shared = `${count(executed)} ${unit}${executed === 1 ? '' : 's'}, each executed by ${witnesses.toFixed(1)} of ${all} witnesses`;
  if (edits === undefined || commits === undefined) return shared;
  return `${shared}; touched by ${counted(commits, 'commit')}, a line edited ${edits.toFixed(1)} times`;
}

export function locationJson({ formula, version, evidence, files, functions }: LocationView) {
  const { failure, witnesses, tried, failing, names } = evidence;
  return {
    formula,
    version,
    failure,
    counts: names.counts,
    tried,
    failing,
    witnesses: witnesses.map(({ text, change, similarity }) => ({ text, change, similarity })),
    files,
    functions,
  };
}
