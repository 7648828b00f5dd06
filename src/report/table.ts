/** Columns of text, aligned. */

import { type Ink, noInk, type Style, visibleLine } from '../machine/index.js';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Room for cells that are not known yet. */
  readonly width?: number;
  /** How a cell is to be seen. */
  readonly style?: (cell: string) => Style | undefined;
}

/** A table with a header, a line a row whatever is in its cells; trailing blanks are left out so that it pipes well. */
export function table(
  columns: readonly Column[],
  given: readonly (readonly string[])[],
  ink: Ink = noInk,
): string {
  const rows = given.map((row) => row.map(visibleLine));
  const { header, row } = tableLines(
    columns.map((column, i) => ({
      ...column,
      width: Math.max(column.width ?? 0, ...rows.map((row) => width(row[i] ?? ''))),
    })),
    ink,
  );
  return [header, ...rows.map(row)].join('\n');
}

/** The header and the rows of a table one by one, as they come; what is wider than its column sticks out. */
export interface TableLines {
  readonly header: string;
  row(cells: readonly string[]): string;
}

export function tableLines(columns: readonly Column[], ink: Ink = noInk): TableLines {
  const line = (cells: readonly string[], styled: (column: Column, cell: string) => string): string =>
    columns
      .map((column, i) => {
        const cell = visibleLine(cells[i] ?? '');
        const gap = ' '.repeat(Math.max(0, columnWidth(column) - width(cell)));
        const shown = styled(column, cell);
        return column.align === 'right' ? gap + shown : shown + gap;
      })
      .join('  ')
      .trimEnd();
  return {
    header: line(
      columns.map(({ title }) => title),
      (_, title) => (title === '' ? '' : ink('title', title)),
    ),
    row: (cells) =>
      line(cells, ({ style }, cell) => {
        const named = cell === '' ? undefined : style?.(cell);
        return named === undefined ? cell : ink(named, cell);
      }),
  };
}

/** How wide a line is whose cells all find room. */
export function tableWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + columnWidth(column), 2 * (columns.length - 1));
}

function columnWidth({ title, width: room = 0 }: Column): number {
  return Math.max(width(title), room);
}

/** Characters on the screen; names of files may hold more than ASCII. */
export function width(text: string): number {
  return [...text].length;
}
