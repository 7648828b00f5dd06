/** A comparison as terminal lines. Each row can be printed as soon as it is measured. */

import { type Ink, noInk, type Style, visibleLine } from '../../machine/index.js';
import {
  type Column,
  commonFolder,
  duration,
  shortened,
  tableLines,
  tableWidth,
  width,
} from '../../page/index.js';
import { type Field, fieldText, markText, ratioText } from './cells.js';
import type { RunResult, VersionResult } from './run-result.js';

export interface RunLines {
  /** Lines above the rows. */
  readonly header: readonly string[];
  readonly row: (result: RunResult) => string;
  /** A sentence on the dropped columns. */
  readonly note: string | undefined;
}

/** Determines the column widths. */
export interface RunTable {
  /** Names of the versions, oldest first. */
  readonly versions: readonly string[];
  readonly formulas: readonly string[];
  /** The time limit of a run. */
  readonly wallMs: number;
  /** The line width; unlimited if left out. */
  readonly screen?: number | undefined;
  readonly ink?: Ink | undefined;
}

export function runLines(table: RunTable): RunLines {
  const { formulas, screen = Number.POSITIVE_INFINITY, ink = noInk } = table;
  const all = fieldSets.map((fields) => ({ fields, columns: columnsOf(table, fields) }));
  const longest = longestWidth(formulas);
  const others = (columns: readonly Column[]): number => tableWidth(columns) + 2;
  const fits = (room: number) => all.find(({ columns }) => others(columns) + room <= screen);
  const whole = fits(longest);
  const isWhole = whole !== undefined && whole.fields.length === widestFields.length;
  const folder = isWhole ? undefined : commonFolder(formulas);
  const shown = (formula: string): string => (folder === undefined ? formula : formula.slice(folder.length));
  const room = Math.max('formula'.length, longestWidth(formulas.map(shown)));
  const { fields, columns } = fits(room) ?? {
    fields: narrowestFields,
    columns: columnsOf(table, narrowestFields),
  };
  const left = Math.min(room, Math.max(leastName, screen - others(columns)));
  const { header, row } = tableLines([{ title: 'formula', width: left }, ...columns], ink);
  const isShown = (field: Field): boolean =>
    fields.includes(field) || (field === 'time' && fields.includes('brief'));
  const lost = widestFields.filter((field) => !isShown(field));
  return {
    header: [...(folder === undefined ? [] : [`in ${visibleLine(folder)}`]), header],
    row: (result) => row([shortened(visibleLine(shown(result.formula)), left), ...cellsOf(result, fields)]),
    note:
      lost.length === 0
        ? undefined
        : `Left out for lack of width: ${lost.join(', ')}; --json, --csv and --html have all columns.`,
  };
}

/** `brief` is for narrow screens: the time of an answer, or another outcome. */
type ColumnField = Field | 'brief';

const widestFields: readonly Field[] = ['outcome', 'time', 'effort', 'memory'];
const narrowestFields: readonly ColumnField[] = ['brief'];

/** The columns of each version; the first set that fits is used. */
const fieldSets: readonly (readonly ColumnField[])[] = [
  widestFields,
  ['outcome', 'time', 'effort'],
  ['outcome', 'time'],
  narrowestFields,
];

const columnText: Readonly<Record<ColumnField, (result: VersionResult) => string>> = {
  ...fieldText,
  brief: (result) =>
    ['sat', 'unsat', 'timeout'].includes(result.outcome) ? fieldText.time(result) : result.outcome,
};

/** The shortest readable name. */
const leastName = 12;

function columnsOf(
  { versions, wallMs, screen }: RunTable,
  fields: readonly ColumnField[],
): readonly Column[] {
  const time = Math.max(...[59_999, wallMs].map((ms) => `>${duration(ms)}`.length));
  const widths: Readonly<Record<ColumnField, number>> = {
    brief: time,
    outcome: 'unknown'.length,
    time,
    effort: '999M'.length,
    memory: '9999 MB'.length,
  };
  const columns = versions.flatMap((name) =>
    fields.map((field): Column => {
      if (field !== 'outcome' && field !== 'brief')
        return { title: field, width: widths[field], align: 'right' };
      const title = visibleLine(name);
      return {
        title: screen === undefined ? title : shortened(title, mostTitle),
        width: widths[field],
        align: field === 'brief' ? 'right' : 'left',
      };
    }),
  );
  if (versions.length > 1)
    columns.push(
      { title: 'ratio', align: 'right', width: 5 },
      { title: '', width: 'slower'.length, style: markStyle },
    );
  return columns;
}

/** Maximum width of a version's title on a terminal. */
const mostTitle = 24;

function cellsOf(result: RunResult, fields: readonly ColumnField[]): readonly string[] {
  const { versions } = result;
  const cells = versions.flatMap((version) => fields.map((field) => columnText[field](version)));
  return versions.length > 1 ? [...cells, ratioText(result), markText(result)] : cells;
}

function markStyle(mark: string): Style | undefined {
  if (mark.startsWith('DISAGREE')) return 'alarm';
  if (mark.startsWith('slower')) return 'bad';
  if (mark.startsWith('faster')) return 'good';
  return mark.startsWith('unsure') ? 'doubtful' : undefined;
}

function longestWidth(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, width(visibleLine(text))), 0);
}
