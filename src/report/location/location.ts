/** The result of fault localization, for people and for other tools. */

import type { Evidence, RankedFile, RankedFunction, RankedLine } from '../../locate/index.js';
import type { Ink } from '../../machine/index.js';
import { count, counted, percent, table } from '../../page/index.js';

export interface LocationView {
  readonly formula: string;
  readonly version: string;
  readonly evidence: Evidence;
  readonly files: readonly RankedFile[];
  readonly functions: readonly RankedFunction[];
  readonly lines: readonly RankedLine[];
}

/** Maximum numbers of rows on a terminal. */
const mostFiles = 20;
const mostFunctions = 10;
const mostLines = 10;
const mostCalls = 10;

/** Maximum number of lines in JSON. */
const mostJsonLines = 1000;

const right = { align: 'right' as const };

export function locationText(
  { version, evidence, files, functions, lines }: LocationView,
  ink?: Ink,
): string {
  const { failure, witnesses, tried, failing, names, stack } = evidence;
  const likeness = witnesses.map(({ similarity }) => similarity).toSorted((a, b) => a - b);
  const middle = likeness[Math.floor(likeness.length / 2)] ?? 0;
  const hasHistory = files.some(({ history }) => history !== undefined);
  const columns = [
    { title: '', ...right },
    { title: names.counts === 'lines' ? 'file' : 'class or namespace' },
    { title: 'score', ...right },
    { title: 'rare', ...right },
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
      file.rare.toFixed(1),
      file.excess.toFixed(1),
      file.coverage.toFixed(3),
      ...(hasHistory ? [(file.history ?? 0).toExponential(1)] : []),
      evidenceText(file, witnesses.length, names.counts === 'lines' ? 'line' : 'function'),
    ]);
  const called = functions
    .slice(0, mostFunctions)
    .map(({ rank, name, score, stack: place }) => [
      String(rank),
      name,
      score.toFixed(3),
      place === undefined ? '' : `had not returned: ${stackPosition(place)} on the stack`,
    ]);
  const numbered =
    names.counts === 'lines'
      ? lines
          .slice(0, mostLines)
          .map(({ rank, file, line, score, witnesses: passing, ordinary }) => [
            String(rank),
            `${file}:${line}`,
            score.toFixed(3),
            `executed by ${passing} of ${witnesses.length} witnesses, ${ordinary} of ${evidence.ordinary} ordinary formulas`,
          ])
      : [];
  const why = { title: 'why', folds: true };
  const calls = stack.slice(0, mostCalls).map(({ name, file }) => `  ${name}, ${file}`);
  return [
    `${version} ${failure.message}`,
    `${count(witnesses.length)} witnesses among ${count(tried)} similar formulas, ${count(failing)} of which also fail; a witness shares ${middle.toFixed(2)} of the execution path (median)`,
    '',
    table(columns, rows, ink),
    '',
    table([{ title: '', ...right }, { title: 'function' }, { title: 'score', ...right }, why], called, ink),
    ...(numbered.length === 0
      ? []
      : [
          '',
          table(
            [{ title: '', ...right }, { title: 'line' }, { title: 'score', ...right }, why],
            numbered,
            ink,
          ),
        ]),
    ...(calls.length === 0 ? [] : ['', 'It ended in these calls, the last first:', ...calls]),
  ].join('\n');
}

export function stackPosition(place: number): string {
  return place === 1 ? 'last' : `${place}. from last`;
}

/** The evidence behind a file's rank. */
export type FileEvidence = Pick<RankedFile, 'executed' | 'witnesses'> &
  Partial<Pick<RankedFile, 'edits' | 'commits' | 'stack' | 'message' | 'older'>>;

/** The evidence behind a file's rank, in words. */
export function evidenceText(
  { executed, witnesses, edits, commits, stack, message, older }: FileEvidence,
  all: number,
  unit: 'line' | 'function',
): string {
  const ended = stack === undefined ? '' : `it ended there (${stackPosition(stack)} on the stack); `;
  const named = message === undefined ? '' : `the check that failed names its line ${message}; `;
  const fresh =
    older === undefined ? '' : `; ${percent(older)} of that in functions the older version does not execute`;
  const shared = `${ended}${named}${count(executed)} ${unit}${executed === 1 ? '' : 's'}, each executed by ${witnesses.toFixed(1)} of ${all} witnesses${fresh}`;
  if (edits === undefined || commits === undefined) return shared;
  return `${shared}; touched by ${counted(commits, 'commit')}, a line edited ${edits.toFixed(1)} times`;
}

export function locationJson({ formula, version, evidence, files, functions, lines }: LocationView) {
  const { failure, witnesses, tried, failing, names, ordinary, stack } = evidence;
  return {
    formula,
    version,
    failure: { kind: failure.kind, says: failure.message },
    counts: names.counts,
    tried,
    failing,
    ordinary,
    witnesses,
    files,
    functions,
    lines: names.counts === 'lines' ? lines.slice(0, mostJsonLines) : [],
    stack,
  };
}
