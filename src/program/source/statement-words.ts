import { readIf, readStray, readSwitch, readTry } from './conditionals.js';
import { readBreak, readContinue, readGoto, readReturn } from './jumps.js';
import { readDo, readFor, readWhile } from './loops.js';
import type { StatementContext } from './statement-context.js';
import type { StatementReading } from './statement-reading.js';

type ReadStatement = (reader: StatementReading, at: number, to: number, around: StatementContext) => number;

/** Readers by the first word of a statement. Labels were read before. */
export const statementReaders: ReadonlyMap<string, ReadStatement> = new Map([
  ['if', readIf],
  ['else', readStray],
  ['switch', readSwitch],
  ['while', readWhile],
  ['do', readDo],
  ['for', readFor],
  ['break', readBreak],
  ['continue', readContinue],
  ['goto', readGoto],
  ['return', readReturn],
  ['co_return', readReturn],
  ['try', readTry],
  ['catch', readStray],
]);
