/** Text tables. */

import { type Ink, noInk, type Style, visibleLine } from '../machine/index.js';
import { width } from './text-width.js';
import { wrappedLines } from './wrap.js';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** The least width, for cells that come later. */
  readonly width?: number;
  /** The style of a cell. */
  readonly style?: (cell: string) => Style | undefined;
  /** Cells wrap if the screen is too narrow. */
  readonly wraps?: boolean;
  /** The column is dropped if wrapping is not enough, the last such column first. */
  readonly isOptional?: boolean;
  /** Cells are paths. On a narrow screen, their common folder is printed once above the table. */
  readonly holdsPaths?: boolean;
}

/** The lines of a table. */
export interface TableParts {
  readonly header: readonly string[];
  /** The lines of each row: more than one if it wraps. */
  readonly rows: readonly (readonly string[])[];
  /** A sentence on the dropped columns. */
  readonly note: string | undefined;
}

/**
 * A table with a header. Each row is one line, without trailing blanks, unless it is wider than the screen.
 * @param screen the line width; unlimited if left out
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
  const natural = sizedColumns(columns, rows);
  if (tableWidth(natural) > screen) return wrappedTable(natural, rows, ink, screen);
  const { header, row } = tableLines(natural, ink);
  return { header: [header], rows: rows.map((cells) => [row(cells)]), note: undefined };
}

/** A table whose rows are printed one at a time. A cell wider than its column sticks out. */
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

/** @param cell the whole cell, which decides the style of its part */
function styled(column: Column | undefined, cell: string, part: string, ink: Ink): string {
  const named = part === '' ? undefined : column?.style?.(cell);
  return named === undefined ? part : ink(named, part);
}

/** The least width of a column that wraps. */
const leastWrapped = 12;

type SizedColumn = Column & { readonly width: number };

/** Removes common folders first, then wraps titles and cells, then drops columns. */
function wrappedTable(
  columns: readonly SizedColumn[],
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
    const gone = kept.findLastIndex(({ column }) => column.isOptional);
    if (gone < 0) break;
    kept.splice(gone, 1);
  }
  const widths = sharedWidths(kept, screen - 2 * (kept.length - 1));
  // Wrapped text may be narrower than its column.
  const fitted = kept.map(({ column, i }, at) => ({
    ...column,
    title: '',
    width: [column.title, ...cut.map((row) => row[i] ?? '')]
      .flatMap((cell) => wrappedLines(cell, widths[at] ?? leastWrapped))
      .reduce((most, line) => Math.max(most, width(line)), 0),
  }));
  const lines = (
    cells: readonly string[],
    inked: (at: number, whole: string, part: string) => string,
    isBottom = false,
  ): readonly string[] => {
    const parts = cells.map((cell, at) => wrappedLines(cell, widths[at] ?? leastWrapped));
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
        : `Left out for lack of width: ${lost.join(', ')}; --json has all columns.`,
  };
}

function leastOf({ wraps }: Column, cell: number, title: number): number {
  return Math.max(title, wraps ? Math.min(cell, leastWrapped) : cell);
}

/** Shares the remaining width equally among the columns that need more than their least. */
function sharedWidths(
  needs: readonly { readonly least: number; readonly most: number }[],
  room: number,
): number[] {
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

/** The width of a line if every cell fits its column. */
export function tableWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + columnWidth(column), 2 * (columns.length - 1));
}

/** The width of the table without wrapping. */
export function naturalWidth(columns: readonly Column[], rows: readonly (readonly string[])[]): number {
  return tableWidth(sizedColumns(columns, rows));
}

function sizedColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): readonly SizedColumn[] {
  return columns.map((column, i) => ({
    ...column,
    width: Math.max(column.width ?? 0, ...rows.map((row) => width(row[i] ?? ''))),
  }));
}

function columnWidth({ title, width: room = 0 }: Column): number {
  return Math.max(width(title), room);
}

/** The longest common prefix that ends in `/`; of a single name its folder. */
export function commonFolder(names: readonly string[]): string | undefined {
  const [first = '', ...others] = names;
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  while (folder !== '' && !others.every((name) => name.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return folder === '' || folder === '/' ? undefined : folder;
}
