import { readIf, readStray, readSwitch, readTry } from './flow/conditionals.js';
import { readBreak, readContinue, readGoto, readReturn } from './flow/jumps.js';
import { readDo, readFor, readMacroLoop, readWhile } from './flow/loops.js';
import type { StatementReaders } from './statement-reader.js';

export const statementReaders: StatementReaders = {
  macroLoop: readMacroLoop,
  byWord: new Map([
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
  ]),
};
