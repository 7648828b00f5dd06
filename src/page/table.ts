/** Columns of text, aligned. */

import { type Ink, noInk, type Style, visibleLine } from '../machine/index.js';
import { foldedLines } from './fold.js';
import { width } from './text-width.js';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Room for cells that are not known yet. */
  readonly width?: number;
  /** How a cell is to be seen. */
  readonly style?: (cell: string) => Style | undefined;
  /** On a screen that is too narrow its cells take several lines. */
  readonly folds?: boolean;
  /** On one that is too narrow even so it is left out; the last of several first. */
  readonly mayGo?: boolean;
  /** Of paths: the folders that all of them begin with are said once where the screen is too narrow. */
  readonly holdsPaths?: boolean;
}

/** What stands on the lines of a table. */
export interface TableParts {
  readonly header: readonly string[];
  /** Each row is one line, or several where it had to be folded. */
  readonly rows: readonly (readonly string[])[];
  /** What there was no room for, in a sentence. */
  readonly note: string | undefined;
}

/**
 * A table with a header, a line a row whatever is in its cells; trailing blanks are left out so that it pipes well.
 *
 * @param screen what a line may have: rows that are wider are folded; as much as it takes when left out
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  ink: Ink = noInk,
  screen?: number,
): string {
  const { header, rows: lines, note } = tableParts(columns, rows, ink, screen);
  return [...header, ...lines.flat(), ...(note === undefined ? [] : ['', note])].join('\n');
}

export function tableParts(
  columns: readonly Column[],
  given: readonly (readonly string[])[],
  ink: Ink = noInk,
  screen = Number.POSITIVE_INFINITY,
): TableParts {
  const rows = given.map((row) => row.map(visibleLine));
  const natural = withRoom(columns, rows);
  if (tableWidth(natural) > screen) return foldedTable(natural, rows, ink, screen);
  const { header, row } = tableLines(natural, ink);
  return { header: [header], rows: rows.map((cells) => [row(cells)]), note: undefined };
}

/** The header and the rows of a table one by one, as they come; what is wider than its column sticks out. */
export interface TableLines {
  readonly header: string;
  row(cells: readonly string[]): string;
}

export function tableLines(columns: readonly Column[], ink: Ink = noInk): TableLines {
  return {
    header: lineOf(
      columns,
      columns.map(({ title }) => title),
      (_, title) => (title === '' ? '' : ink('title', title)),
    ),
    row: (cells) => lineOf(columns, cells, (at, cell) => styled(columns[at], cell, cell, ink)),
  };
}

function lineOf(
  columns: readonly Column[],
  cells: readonly string[],
  inked: (column: number, cell: string) => string,
): string {
  return columns
    .map((column, i) => {
      const cell = visibleLine(cells[i] ?? '');
      const gap = ' '.repeat(Math.max(0, columnWidth(column) - width(cell)));
      const shown = inked(i, cell);
      return column.align === 'right' ? gap + shown : shown + gap;
    })
    .join('  ')
    .trimEnd();
}

/** @param cell which decides about the style of its parts */
function styled(column: Column | undefined, cell: string, part: string, ink: Ink): string {
  const named = part === '' ? undefined : column?.style?.(cell);
  return named === undefined ? part : ink(named, part);
}

/** A column that folds gets so much at least: less cannot be read. */
const leastFolded = 12;

type Fitted = Column & { readonly width: number };

/** First a common path is said once; then titles, then cells take several lines; then columns go. */
function foldedTable(
  columns: readonly Fitted[],
  rows: readonly (readonly string[])[],
  ink: Ink,
  screen: number,
): TableParts {
  const folders = columns.map(({ holdsPaths }, i) =>
    holdsPaths ? commonFolder(rows.map((row) => row[i] ?? '').filter((cell) => cell !== '')) : undefined,
  );
  const cut = rows.map((row) => row.map((cell, i) => cell.slice(folders[i]?.length ?? 0)));
  const above = columns.flatMap(({ title }, i) =>
    folders[i] === undefined ? [] : [`${title} in ${folders[i]}`],
  );
  const needs = columns.map((column, i) => {
    const cell = Math.max(0, ...cut.map((row) => width(row[i] ?? '')));
    const title = Math.max(0, ...column.title.split(' ').map(width));
    const most = Math.max(cell, width(column.title));
    return { column, i, most, least: leastOf(column, cell, title) };
  });
  const kept = [...needs];
  const sum = (): number => kept.reduce((all, { least }) => all + least, 2 * (kept.length - 1));
  while (sum() > screen) {
    const gone = kept.findLastIndex(({ column }) => column.mayGo);
    if (gone < 0) break;
    kept.splice(gone, 1);
  }
  const widths = shared(kept, screen - 2 * (kept.length - 1));
  // What was folded may need less than it was given.
  const fitted = kept.map(({ column, i }, at) => ({
    ...column,
    title: '',
    width: [column.title, ...cut.map((row) => row[i] ?? '')]
      .flatMap((cell) => foldedLines(cell, widths[at] ?? leastFolded))
      .reduce((most, line) => Math.max(most, width(line)), 0),
  }));
  const lines = (
    cells: readonly string[],
    inked: (at: number, whole: string, part: string) => string,
    isBottom = false,
  ): readonly string[] => {
    const parts = cells.map((cell, at) => foldedLines(cell, widths[at] ?? leastFolded));
    const many = Math.max(...parts.map(({ length }) => length));
    return Array.from({ length: many }, (_, line) =>
      lineOf(
        fitted,
        parts.map((own) => own[isBottom ? line - many + own.length : line] ?? ''),
        (at, part) => inked(at, cells[at] ?? '', part),
      ),
    );
  };
  const lost = needs.filter((need) => !kept.includes(need)).map(({ column }) => column.title);
  return {
    header: [
      ...above,
      ...lines(
        kept.map(({ column }) => column.title),
        (_, __, part) => (part === '' ? '' : ink('title', part)),
        true,
      ),
    ],
    rows: cut.map((row) =>
      lines(
        kept.map(({ i }) => row[i] ?? ''),
        (at, cell, part) => styled(kept[at]?.column, cell, part, ink),
      ),
    ),
    note:
      lost.length === 0
        ? undefined
        : `There was no room for ${lost.join(' and ')} here; --json has everything.`,
  };
}

function leastOf({ folds }: Column, cell: number, title: number): number {
  return Math.max(title, folds ? Math.min(cell, leastFolded) : cell);
}

/** The room that is left goes to those that need more than their least, in equal parts as far as they need it. */
function shared(needs: readonly { readonly least: number; readonly most: number }[], room: number): number[] {
  const widths = needs.map(({ least }) => least);
  let left = room - widths.reduce((sum, least) => sum + least, 0);
  for (;;) {
    const wanting = needs.flatMap(({ most }, at) => (most > (widths[at] ?? 0) ? [at] : []));
    if (left < 1 || wanting.length === 0) return widths;
    const each = Math.max(1, Math.floor(left / wanting.length));
    for (const at of wanting) {
      const more = Math.min(each, left, (needs[at]?.most ?? 0) - (widths[at] ?? 0));
      widths[at] = (widths[at] ?? 0) + more;
      left -= more;
    }
  }
}

/** How wide a line is whose cells all find room. */
export function tableWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + columnWidth(column), 2 * (columns.length - 1));
}

/** How wide a table is that is not folded. */
export function naturalWidth(columns: readonly Column[], rows: readonly (readonly string[])[]): number {
  return tableWidth(withRoom(columns, rows));
}

function withRoom(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly Fitted[] {
  return columns.map((column, i) => ({
    ...column,
    width: Math.max(column.width ?? 0, ...rows.map((row) => width(row[i] ?? ''))),
  }));
}

function columnWidth({ title, width: room = 0 }: Column): number {
  return Math.max(width(title), room);
}

/** The folders that all names begin with, up to a `/`; of a single name all of its folders. */
export function commonFolder(names: readonly string[]): string | undefined {
  const [first = '', ...others] = names;
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  while (folder !== '' && !others.every((name) => name.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return folder === '' || folder === '/' ? undefined : folder;
}
