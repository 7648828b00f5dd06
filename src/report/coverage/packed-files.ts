/** Lines of files, packed one by one, so that the browser unpacks only the opened file. */

import { deflateSync } from 'node:zlib';
import { visible } from '../../machine/index.js';
import { type HeatFile, type HeatMap, type HeatRow, mostOf } from './heat-map.js';

export interface PackedFile {
  /** As shown on the page. */
  readonly name: string;
  /** Deflated JSON in Base64; undefined if it did not fit. */
  readonly data: string | undefined;
}

/** The packed JSON, which the page's script reads. */
interface Unpacked {
  /** Line numbers as differences; 0 for none. The second run's are left out if they are the same. */
  readonly first: readonly number[];
  readonly second?: readonly number[];
  readonly text?: string;
  /** Execution counts, -1 if not executable. */
  readonly before: readonly number[];
  readonly after?: readonly number[];
  /** Reason for missing text. */
  readonly note?: string;
  readonly most: number;
}

/** The limit for all packed files together. */
export const mostPackedBytes = 8 * 2 ** 20;

/** A generated line may be as long as a file. */
const longestLine = 2000;

/** If not all files fit, the first ones have their text, the next ones only counts, the last ones nothing. */
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

const missing = 'The text of this file is not available. Lines are shown by number.';
const full = 'The text of this file would make the page too large. Lines are shown by number.';

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

/** Differences between line numbers are mostly 1 and compress well. */
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
