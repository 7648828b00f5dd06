/** The lines of files as a page carries them: packed one by one, so that only the one that is opened is unpacked. */

import { deflateSync } from 'node:zlib';
import { visible } from '../../machine/index.js';
import { type HeatFile, type HeatMap, type HeatRow, mostOf } from './heat-map.js';

export interface PackedFile {
  /** As it is shown. */
  readonly name: string;
  /** Base 64 of what deflate made of JSON; undefined where there was no room left. */
  readonly data: string | undefined;
}

/** What is unpacked, see the page's script. */
interface Unpacked {
  /** Numbers of lines, each less the one before; 0 for none. Of the second run only where they differ. */
  readonly first: readonly number[];
  readonly second?: readonly number[];
  readonly text?: string;
  /** How often each line was executed, -1 where it could not be. */
  readonly before: readonly number[];
  readonly after?: readonly number[];
  /** Why it is shown in another way than the others. */
  readonly note?: string;
  readonly most: number;
}

/** All of them together, as they stand in the page. */
export const mostPackedBytes = 8 * 2 ** 20;

/** A line that a program wrote may be as long as a file. */
const longestLine = 2000;

/** Where there is too little room for all, those that come first have their text, and the others their counts. */
export function packedFiles(
  { files, isCompared, unit }: Pick<HeatMap, 'files' | 'isCompared' | 'unit'>,
  mostBytes = mostPackedBytes,
): readonly PackedFile[] {
  let left = mostBytes;
  return files.map((file) => {
    const shown = unpacked(file, isCompared, unit === 'lines' && !file.hasText ? missing : undefined);
    let data: string | undefined = packed(shown);
    if (data.length > left && unit === 'lines' && file.hasText)
      data = packed(
        unpacked({ ...file, rows: file.rows.filter(isExecutable), hasText: false }, isCompared, full),
      );
    if (data.length > left) data = undefined;
    left -= data?.length ?? 0;
    return { name: visible(file.name), data };
  });
}

const missing = 'The text of this file is not at hand: its lines are shown by their numbers.';
const full = 'The page would be too large with the text of this file: its lines are shown by their numbers.';

function isExecutable({ before, after }: HeatRow): boolean {
  return before !== undefined || after !== undefined;
}

function packed(file: Unpacked): string {
  return deflateSync(JSON.stringify(file)).toString('base64');
}

function unpacked({ rows, hasText }: HeatFile, isCompared: boolean, note: string | undefined): Unpacked {
  const isNumberedTwice = isCompared && rows.some(({ first, second }) => first !== second);
  return {
    first: distances(rows.map(({ first }) => first)),
    ...(isNumberedTwice ? { second: distances(rows.map(({ second }) => second)) } : {}),
    ...(hasText ? { text: rows.map(({ text }) => shownText(text)).join('\n') } : {}),
    before: rows.map(({ before = -1 }) => before),
    ...(isCompared ? { after: rows.map(({ after = -1 }) => after) } : {}),
    ...(note === undefined ? {} : { note }),
    most: mostOf(rows),
  };
}

/** Mostly ones, which take next to no room. */
function distances(numbers: readonly number[]): readonly number[] {
  let last = 0;
  return numbers.map((number) => {
    if (number === 0) return 0;
    const distance = number - last;
    last = number;
    return distance;
  });
}

function shownText(line: string): string {
  const text = visible(line.endsWith('\r') ? line.slice(0, -1) : line).replaceAll('\n', ' ');
  return text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
}
