/** Columns of text, aligned. */

import { visibleLine } from '../machine/index.js';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Room for cells that are not known yet. */
  readonly width?: number;
}

/** A table with a header, a line a row whatever is in its cells; trailing blanks are left out so that it pipes well. */
export function table(columns: readonly Column[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(visibleLine));
  const line = tableLine(
    columns.map((column, i) => ({
      ...column,
      width: Math.max(column.width ?? 0, ...rows.map((row) => width(row[i] ?? ''))),
    })),
  );
  return [line(columns.map((column) => column.title)), ...rows.map(line)].join('\n');
}

/** Lays out the header and the rows of a table one by one, as they come; what is wider than its column sticks out. */
export function tableLine(columns: readonly Column[]): (cells: readonly string[]) => string {
  return (cells) =>
    columns
      .map(({ title, align, width: room = 0 }, i) => {
        const cell = visibleLine(cells[i] ?? '');
        const gap = ' '.repeat(Math.max(0, Math.max(width(title), room) - width(cell)));
        return align === 'right' ? gap + cell : cell + gap;
      })
      .join('  ')
      .trimEnd();
}

/** Characters on the screen; names of files may hold more than ASCII. */
function width(text: string): number {
  return [...text].length;
}
