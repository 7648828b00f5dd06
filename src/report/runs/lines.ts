/** A comparison as lines for a terminal: each row can be printed as soon as it was measured. */

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
import type { RunResult, VersionResult } from './result.js';
import { type Field, fieldText, markText, ratioText } from './words.js';

export interface RunLines {
  /** What stands above the rows. */
  readonly header: readonly string[];
  readonly row: (result: RunResult) => string;
  /** What there was no room for, in a sentence. */
  readonly note: string | undefined;
}

/** What decides about the widths. */
export interface RunTable {
  /** The names of the versions, oldest first. */
  readonly versions: readonly string[];
  /** The names of all formulas. */
  readonly formulas: readonly string[];
  /** How long a run may take. */
  readonly wallMs: number;
  /** What a line may have; as much as it takes when left out. */
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
  const isTold = (field: Field): boolean =>
    fields.includes(field) || (field === 'time' && fields.includes('brief'));
  const lost = widestFields.filter((field) => !isTold(field));
  return {
    header: [...(folder === undefined ? [] : [`in ${visibleLine(folder)}`]), header],
    row: (result) => row([shortened(visibleLine(shown(result.formula)), left), ...cellsOf(result, fields)]),
    note:
      lost.length === 0
        ? undefined
        : `There was no room for ${listed(lost)} here; --json, --csv and --html have everything.`,
  };
}

/** Where nothing else finds room: the time of an answer, and what else became of it. */
type Told = Field | 'brief';

const widestFields: readonly Field[] = ['outcome', 'time', 'effort', 'memory'];
const narrowestFields: readonly Told[] = ['brief'];

/** What is told of each version, the first that fits. */
const fieldSets: readonly (readonly Told[])[] = [
  widestFields,
  ['outcome', 'time', 'effort'],
  ['outcome', 'time'],
  narrowestFields,
];

const toldText: Readonly<Record<Told, (result: VersionResult) => string>> = {
  ...fieldText,
  brief: (result) =>
    ['sat', 'unsat', 'timeout'].includes(result.outcome) ? fieldText.time(result) : result.outcome,
};

/** A name of fewer characters says nothing. */
const leastName = 12;

function columnsOf({ versions, wallMs, screen }: RunTable, fields: readonly Told[]): readonly Column[] {
  const time = Math.max(...[59_999, wallMs].map((ms) => `>${duration(ms)}`.length));
  const widths: Readonly<Record<Told, number>> = {
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

/** A version by a path, on a terminal. */
const mostTitle = 24;

function cellsOf(result: RunResult, fields: readonly Told[]): readonly string[] {
  const { versions } = result;
  const cells = versions.flatMap((version) => fields.map((field) => toldText[field](version)));
  return versions.length > 1 ? [...cells, ratioText(result), markText(result)] : cells;
}

function markStyle(mark: string): Style | undefined {
  if (mark.startsWith('DISAGREE')) return 'alarm';
  if (mark.startsWith('slower')) return 'bad';
  if (mark.startsWith('faster')) return 'good';
  return mark.startsWith('unsure') ? 'doubtful' : undefined;
}

/** Such as `outcome, effort and memory`. */
function listed(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), words.at(-1)].filter((part) => part !== '').join(' and ');
}

function longestWidth(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, width(visibleLine(text))), 0);
}
