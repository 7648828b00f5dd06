/** What runs executed, for people and for other tools. */

import { type Executed, growth, linesOf, type Whole, without } from '../coverage/index.js';
import type { Ink } from '../machine/index.js';
import { demangledName } from '../program/ir/index.js';
import { count } from './quantities.js';
import { table } from './table.js';

/** One formula on one version. */
export interface CoverageView {
  readonly formula: string;
  readonly version: string;
  readonly outcome: string;
  readonly executed: Executed;
  readonly whole: Whole;
}

/** As many as fit on a screen. */
const mostShown = 10;

/** A line for each run, then the functions that were called most. */
export function coverageText(views: readonly CoverageView[], ink?: Ink): string {
  const share = (part: number, whole: number | undefined): string =>
    whole === undefined ? '' : `${count(part)} of ${count(whole)}`;
  const rows = views.map(({ formula, version, outcome, executed, whole }) => [
    formula,
    version,
    outcome,
    share(executed.files.size, whole.files),
    share(executed.functions.size, whole.functions),
    share(linesOf(executed), whole.lines),
  ]);
  const columns = [
    { title: 'formula' },
    { title: 'version' },
    { title: 'outcome' },
    { title: 'files', align: 'right' as const },
    { title: 'functions', align: 'right' as const },
    { title: 'lines', align: 'right' as const },
  ];
  const used = columns.map((_, at) => rows.some((row) => row[at] !== ''));
  return table(
    columns.filter((_, at) => used[at]),
    rows.map((row) => row.filter((_, at) => used[at])),
    ink,
  );
}

/** The functions that a run called most often. */
export function mostCalledText({ executed }: CoverageView, ink?: Ink): string {
  const most = [...executed.functions].toSorted((a, b) => b[1] - a[1]).slice(0, mostShown);
  return table(
    [{ title: 'calls', align: 'right' }, { title: 'function' }],
    most.map(([name, calls]) => [count(calls), readableFunction(name)]),
    ink,
  );
}

/** What tells two runs apart: what only one of them executes, and where the other has more to do. */
export function differenceText(before: CoverageView, after: CoverageView, ink?: Ink): string {
  const name = (view: CoverageView): string =>
    before.version === after.version ? view.formula : view.version;
  const only = (one: CoverageView, other: CoverageView): string => {
    const own = without(one.executed, other.executed);
    const lines = one.whole.lines === undefined ? '' : ` and ${count(linesOf(own))} lines`;
    return `only ${name(one)} executes ${count(own.functions.size)} functions${lines}`;
  };
  const grown = growth(before.executed, after.executed).slice(0, mostShown);
  const columns = [
    { title: name(before), align: 'right' as const },
    { title: name(after), align: 'right' as const },
    { title: `functions that ${name(after)} calls more often` },
  ];
  const rows = grown.map((one) => [count(one.before), count(one.after), readableFunction(one.name)]);
  return [only(before, after), only(after, before), '', table(columns, rows, ink)].join('\n');
}

/** Everything, by name; maps as objects. */
export function coverageJson({ executed, whole, ...view }: CoverageView) {
  return {
    ...view,
    whole,
    functions: Object.fromEntries(executed.functions),
    files: Object.fromEntries([...executed.files].map(([file, lines]) => [file, Object.fromEntries(lines)])),
  };
}

/** lcov's format, which other tools read: every line that was executed, of every run a record a file. */
export function lcov(views: readonly CoverageView[]): string {
  const records = views.flatMap(({ formula, executed }) =>
    [...executed.files].map(([file, lines]) => {
      const data = [...lines].toSorted((a, b) => a[0] - b[0]).map(([line, times]) => `DA:${line},${times}`);
      return [`TN:${testName(formula)}`, `SF:${file}`, ...data, `LH:${lines.size}`, 'end_of_record', ''].join(
        '\n',
      );
    }),
  );
  return records.join('');
}

/** lcov takes letters, digits and underscores alone. */
function testName(formula: string): string {
  return formula.replaceAll(/\W/g, '_');
}

/** As a programmer writes it. */
export function readableFunction(name: string): string {
  return demangledName(name) ?? name;
}
