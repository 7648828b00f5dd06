/** Builds the table of a program from its compiler's notes. */

import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Fault, usageFault, YieldTimer } from '../../machine/index.js';
import { lineSums } from '../gcov/line-sums.js';
import { type NotedFunction, readNotes } from '../gcov/notes.js';
import { GrowingTable, type SourceFolders } from '../growing-table.js';
import type { TableParts } from '../table.js';
import type { LinkedCounters, LinkedUnit } from './linked-counters.js';

export async function makeTable(
  { bytes, units }: LinkedCounters,
  folders: SourceFolders,
  signal: AbortSignal,
): Promise<TableParts | Fault> {
  const growing = new GrowingTable(folders);
  const yieldTimer = new YieldTimer(signal);
  for (const unit of units) {
    if (yieldTimer.isDue) await yieldTimer.yieldNow();
    const fault = await addUnit(unit, growing);
    if (fault !== undefined) return fault;
  }
  return growing.finish(bytes);
}

async function addUnit(
  { stamp, path, functions }: LinkedUnit,
  growing: GrowingTable,
): Promise<Fault | undefined> {
  const file = path.replace(/\.gcda$/, '.gcno');
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) return usageFault(`the compiler's notes ${file} are missing`);
  const notes = readNotes(bytes);
  if (notes instanceof Fault) return new Fault(notes.kind, `${file}: ${notes.message}`);
  if (notes.stamp !== stamp) return new Fault('text', `${file} belongs to another build than the program`);
  const linked = new Map(functions.map((one) => [one.ident, one]));
  const isKept = ({ ident, flowChecksum }: NotedFunction): boolean =>
    linked.get(ident)?.flowChecksum === flowChecksum;
  for (const sums of lineSums(notes.functions, isKept)) {
    const linkedFunction = linked.get(sums.noted.ident);
    // If the notes have no folder, assumes that the compiler ran in the folder of its output.
    if (linkedFunction !== undefined) growing.add(linkedFunction, sums, notes.folder ?? dirname(path));
  }
  return undefined;
}
