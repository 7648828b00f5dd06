/** Coverage of runs, for people and for other tools. */

import { join } from 'node:path';
import {
  type Executable,
  type Executed,
  executedLineCount,
  executedOnlyBy,
  growth,
  totalsOf,
} from '../../coverage/index.js';
import type { Ink } from '../../machine/index.js';
import { count, table } from '../../page/index.js';
import type { Demangler } from '../../program/compile/index.js';

export interface CoverageView {
  readonly of: CoveredRun | CoveredBuild;
  readonly executed: Executed;
  readonly executable: Executable;
}

/** One formula on one version. */
export interface CoveredRun {
  readonly formula: string;
  readonly version: string;
  readonly outcome: string;
}

/** A build that culprit did not make, with its counters. */
export interface CoveredBuild {
  /** The folder or file with the counters. */
  readonly counters: string;
  /** The folder that file names are relative to. */
  readonly sources: string;
}

const mostShown = 10;

/** A table row of a run; cells may be empty. */
export function coverageRow({ of, executed, executable }: CoverageView): readonly string[] {
  const whole = totalsOf(executable);
  return [
    ...('counters' in of ? ['', '', '', of.counters] : [of.formula, of.version, of.outcome, '']),
    share(executed.files.size, whole.files),
    share(executed.functions.size, whole.functions),
    share(executed.regions ?? 0, whole.regions),
    share(executedLineCount(executed), whole.lines),
  ];
}

function share(part: number, whole: number | undefined): string {
  return whole === undefined ? '' : `${count(part)} of ${count(whole)}`;
}

/** Drops columns that are empty in every row. */
export function coverageTable(rows: readonly (readonly string[])[], ink?: Ink): string {
  const columns = [
    { title: 'formula' },
    { title: 'version' },
    { title: 'outcome' },
    { title: 'counters' },
    { title: 'files', align: 'right' as const },
    { title: 'functions', align: 'right' as const },
    { title: 'regions', align: 'right' as const },
    { title: 'lines', align: 'right' as const },
  ];
  const used = columns.map((_, at) => rows.some((row) => row[at] !== ''));
  return table(
    columns.filter((_, at) => used[at]),
    rows.map((row) => row.filter((_, at) => used[at])),
    ink,
  );
}

export function mostCalledText({ executed }: CoverageView, demangle: Demangler, ink?: Ink): string {
  const most = [...executed.functions].toSorted((a, b) => b[1] - a[1]).slice(0, mostShown);
  return table(
    [{ title: 'calls', align: 'right' }, { title: 'function' }],
    most.map(([name, calls]) => [count(calls), demangle(name)]),
    ink,
  );
}

/** The shortest names that distinguish two views. */
export function distinguishingNames(one: CoverageView, other: CoverageView): readonly [string, string] {
  const [a, b] = [one.of, other.of];
  if ('counters' in a || 'counters' in b) return [nameOf(a), nameOf(b)];
  return a.version === b.version ? [a.formula, b.formula] : [a.version, b.version];
}

function nameOf(of: CoverageView['of']): string {
  return 'counters' in of ? of.counters : of.formula;
}

function shortCounted(many: number, word: string): string {
  return `${count(many)} ${word}${many === 1 ? '' : 's'}`;
}

/** The heading of one of several comparisons. */
export function comparisonHeading(before: CoverageView, after: CoverageView): string {
  return `${fullNameOf(after.of)}, compared with ${fullNameOf(before.of)}:`;
}

export function fullNameOf(of: CoverageView['of']): string {
  return 'counters' in of ? of.counters : `${of.formula} on ${of.version}`;
}

/** Differences between two runs: code that only one executes, and functions that the second calls more often. */
export function differenceText(
  before: CoverageView,
  after: CoverageView,
  demangle: Demangler,
  ink?: Ink,
): string {
  const [nameBefore, nameAfter] = distinguishingNames(before, after);
  const only = (name: string, one: CoverageView, other: CoverageView): string => {
    const own = executedOnlyBy(one.executed, other.executed);
    const lines =
      one.executable.files === undefined ? '' : ` and ${shortCounted(executedLineCount(own), 'line')}`;
    return `only ${name} executes ${shortCounted(own.functions.size, 'function')}${lines}`;
  };
  const grown = growth(before.executed, after.executed).slice(0, mostShown);
  const columns = [
    { title: nameBefore, align: 'right' as const },
    { title: nameAfter, align: 'right' as const },
    { title: `functions that ${nameAfter} calls more often` },
  ];
  const rows = grown.map((one) => [count(one.before), count(one.after), demangle(one.name)]);
  const apart = [only(nameBefore, before, after), only(nameAfter, after, before)];
  return (rows.length === 0 ? apart : [...apart, '', table(columns, rows, ink)]).join('\n');
}

export interface ComparedView<Of> extends Omit<CoverageView, 'of'> {
  readonly of: Of;
}

/** All executed code by name, and the difference from another run. */
export function coverageJson(view: ComparedView<CoveredRun>, before?: ComparedView<CoveredRun>) {
  const { formula, version } = before?.of ?? view.of;
  const compared = before && { formula, version, ...differenceJson(before, view) };
  return { ...view.of, ...countsJson(view), ...(compared && { compared }) };
}

/** Like `coverageJson`, for a build. */
export function coverageBuildJson(view: ComparedView<CoveredBuild>, before?: ComparedView<CoveredBuild>) {
  const compared = before && { counters: before.of.counters, ...differenceJson(before, view) };
  return { ...view.of, ...countsJson(view), ...(compared && { compared }) };
}

type Counts = Pick<CoverageView, 'executed' | 'executable'>;

function countsJson({ executed, executable }: Counts) {
  const { regions } = executed;
  return {
    whole: totalsOf(executable),
    ...(regions !== undefined && { regions }),
    ...executedJson(executed),
  };
}

function executedJson({ functions, files }: Executed) {
  return {
    functions: Object.fromEntries(functions),
    files: Object.fromEntries([...files].map(([file, lines]) => [file, Object.fromEntries(lines)])),
  };
}

function differenceJson({ executed: before }: Counts, { executed: after }: Counts) {
  return {
    onlyThis: onlyJson(after, before),
    onlyOther: onlyJson(before, after),
    grown: growth(before, after),
  };
}

function onlyJson(one: Executed, other: Executed) {
  const { functions, files: lines } = executedJson(executedOnlyBy(one, other));
  return { files: [...one.files.keys()].filter((file) => !other.files.has(file)), functions, lines };
}

/** The lcov format: one record for each run and file, with every executable line. */
export function lcov(views: readonly CoverageView[]): string {
  const records = views.flatMap(({ of, executed, executable }) =>
    [...(executable.files ?? [])].map(([file, numbers]) => {
      const lines = executed.files.get(file);
      const data = numbers.toSorted((a, b) => a - b).map((line) => `DA:${line},${lines?.get(line) ?? 0}`);
      const path = 'counters' in of ? join(of.sources, file) : file;
      return [
        `TN:${testName(nameOf(of))}`,
        `SF:${path.replaceAll('\n', '\\n')}`,
        ...data,
        `LF:${numbers.length}`,
        `LH:${lines?.size ?? 0}`,
        'end_of_record',
        '',
      ].join('\n');
    }),
  );
  return records.join('');
}

/** lcov allows only letters, digits and underscores. */
function testName(name: string): string {
  return name.replaceAll(/\W/g, '_');
}
