/** The minimum-cost assignment of rows to columns, by the Hungarian method (Kuhn, Munkres). */

/**
 * Assigns each row a column of its own, or each column a row, whichever are fewer.
 *
 * @param cost of a row and a column, by number
 * @returns the column of each row, -1 for none
 */
export function leastAssignment(
  rows: number,
  columns: number,
  cost: (row: number, column: number) => number,
): Int32Array {
  if (rows > columns) {
    const byColumn = leastAssignment(columns, rows, (row, column) => cost(column, row));
    const found = new Int32Array(rows).fill(-1);
    for (const [column, row] of byColumn.entries()) found[row] = column;
    return found;
  }
  // Row and column numbers start at 1; zero means none.
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(columns + 1);
  const rowOf = new Int32Array(columns + 1);
  const before = new Int32Array(columns + 1);
  const slack = new Float64Array(columns + 1);
  const isUsed = new Uint8Array(columns + 1);
  for (let row = 1; row <= rows; row++) {
    rowOf[0] = row;
    slack.fill(Number.POSITIVE_INFINITY);
    isUsed.fill(0);
    let column = 0;
    do {
      isUsed[column] = 1;
      const current = rowOf[column] ?? 0;
      let [least, next] = [Number.POSITIVE_INFINITY, 0];
      for (let other = 1; other <= columns; other++) {
        if (isUsed[other]) continue;
        const reduced =
          cost(current - 1, other - 1) - (rowPotential[current] ?? 0) - (columnPotential[other] ?? 0);
        if (reduced < (slack[other] ?? 0)) {
          slack[other] = reduced;
          before[other] = column;
        }
        if ((slack[other] ?? 0) < least) [least, next] = [slack[other] ?? 0, other];
      }
      for (let other = 0; other <= columns; other++) {
        if (isUsed[other]) {
          const own = rowOf[other] ?? 0;
          rowPotential[own] = (rowPotential[own] ?? 0) + least;
          columnPotential[other] = (columnPotential[other] ?? 0) - least;
        } else slack[other] = (slack[other] ?? 0) - least;
      }
      column = next;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      const previous = before[column] ?? 0;
      rowOf[column] = rowOf[previous] ?? 0;
      column = previous;
    }
  }
  const found = new Int32Array(rows).fill(-1);
  for (let column = 1; column <= columns; column++) {
    const row = rowOf[column] ?? 0;
    if (row > 0) found[row - 1] = column - 1;
  }
  return found;
}
