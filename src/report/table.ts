/** Columns of text, aligned. */

import { visibleLine } from '../machine/index.js';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** A table with a header, a line a row whatever is in its cells; trailing blanks are left out so that it pipes well. */
export function table(columns: readonly Column[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(visibleLine));
  const widths = columns.map((column, i) =>
    Math.max(width(column.title), ...rows.map((row) => width(row[i] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map((column, i) => {
        const cell = cells[i] ?? '';
        const gap = ' '.repeat(Math.max(0, (widths[i] ?? 0) - width(cell)));
        return column.align === 'right' ? gap + cell : cell + gap;
      })
      .join('  ')
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)].join('\n');
}

/** Characters on the screen; names of files may hold more than ASCII. */
function width(text: string): number {
  return [...text].length;
}
