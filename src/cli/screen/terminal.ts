/**
 * The only module that prints. Foreign text (names, output of programs, commits, formulas) can move the cursor, or
 * hide and reorder text on a terminal, so control characters are made visible before printing.
 */

import { randomBytes } from 'node:crypto';
import {
  type Ink,
  lookUp,
  noInk,
  type Style,
  visible,
  visibleJson,
  visibleLine,
} from '../../machine/index.js';
import type { OutputName, Printed } from '../outputs/outputs.js';

/** Prints lines for people on standard output. */
export function print(text: string): void {
  toOutput(`${coloured(visible(text))}\n`);
}

/** Prints one line for people; line breaks in it are made visible. */
export function printLine(line: string): void {
  toOutput(`${coloured(visibleLine(line))}\n`);
}

/** A terminal shows both outputs; the status line must go first. */
function toOutput(text: string): void {
  hideStatus();
  process.stdout.write(text);
}

/** The line width of standard output. Undefined if it is no terminal. */
export const screenWidth: number | undefined = process.stdout.isTTY
  ? process.stdout.columns || 80
  : undefined;

/** Marks the start of a style until it is printed. It is random, so that foreign text cannot contain it. */
const mark = `<${randomBytes(12).toString('hex')}:`;

const colours: Readonly<Record<Style, string>> = {
  bad: '31',
  alarm: '1;31',
  good: '32',
  doubtful: '33',
  title: '1',
};

/** Colours for `print` and `printLine`, if a person reads them and has not disabled them. */
export const ink: Ink = wantsColours(process.env, process.stdout.isTTY)
  ? (style, text) => `${mark}${colours[style]}>${text}${mark}0>`
  : noInk;

/** Follows https://no-color.org and FORCE_COLOR. */
function wantsColours(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}

const marks = new RegExp(`${mark}([\\d;]+)>`, 'g');

function coloured(text: string): string {
  return ink === noInk ? text : text.replaceAll(marks, '\u001b[$1m');
}

/**
 * Prints a value as JSON on one line.
 *
 * @param _output the name of the output; only its type is used, so that no schema is loaded
 */
export function printJson<Name extends OutputName>(_output: Name, value: Printed<Name>): void {
  toOutput(`${visibleJson(value)}\n`);
}

/**
 * Prints a text for other programs, such as a formula, unchanged. On a terminal, control characters are made visible.
 */
export function printExact(text: string): void {
  toOutput(process.stdout.isTTY ? visible(text) : text);
}

/** Prints a line about the work on standard error. */
export function tell(line: string): void {
  hideStatus();
  process.stderr.write(`${shortened(visibleLine(line))}\n`);
}

/** Prints a warning with the name of the program. */
export function warn(message: string): void {
  tell(`culprit: ${message}`);
}

/** Suggests next steps to a person. Scripts do not get them. */
export function advise(...lines: readonly string[]): void {
  if (isWatched) for (const line of lines) tell(line);
}

/**
 * Calls back when standard output fails, with the reason. The reason is undefined if the reader has closed the pipe.
 */
export function onOutputLost(act: (why: string | undefined) => void): void {
  process.stdout.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
    const why = lookUp(obstacles, code) ?? message;
    act(code === 'EPIPE' ? undefined : why);
  });
  // If standard error fails, nothing can be reported; the work and its exit code stay the same.
  process.stderr.on('error', () => {});
}

const obstacles: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left where standard output goes to',
  EDQUOT: 'your share of the disk standard output goes to is used up',
  EFBIG: 'the file standard output goes to would be larger than files may be here',
  EIO: 'the terminal or the disk standard output goes to is gone',
};

/** Output of commander: help unchanged, errors in the form of culprit's messages. */
export const commanderOutput = {
  writeOut: (text: string): void => void process.stdout.write(text),
  writeErr: (text: string): void => void process.stderr.write(visible(text)),
  outputError: (text: string): void => warn(text.trim().replace(/^error: /, '')),
};

/** Whether a person reads standard error. */
export const isWatched = process.stderr.isTTY === true;

let isStatusShown = false;

/** Replaces the last line of a terminal. An empty text removes it. */
export function showStatus(text: string): void {
  if (text === '') {
    hideStatus();
    return;
  }
  const room = (process.stderr.columns || 80) - 1;
  process.stderr.write(`\r\u001b[K${[...visibleLine(text)].slice(0, room).join('')}`);
  isStatusShown = true;
}

function hideStatus(): void {
  if (isStatusShown) process.stderr.write('\r\u001b[K');
  isStatusShown = false;
}

/** A megabyte given as an option is not repeated in full. */
const longestLine = 2000;

function shortened(line: string): string {
  if (line.length <= longestLine) return line;
  const left = line.length - longestLine;
  return `${line.slice(0, longestLine - 500)} … (${left} characters left out) … ${line.slice(-500)}`;
}
