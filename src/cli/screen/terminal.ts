/**
 * The one place that prints. Whatever comes from outside (names, messages of programs, commits, formulas) can move the
 * cursor, hide or reorder text on a terminal, so nothing is printed before it was made visible.
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

/** Lines for people, on standard output. */
export function print(text: string): void {
  toOutput(`${coloured(visible(text))}\n`);
}

/** One line for people; whatever is in it, it stays one. */
export function printLine(line: string): void {
  toOutput(`${coloured(visibleLine(line))}\n`);
}

/** On a terminal both outputs share the last line, which what is printed must not be glued to. */
function toOutput(text: string): void {
  hideStatus();
  process.stdout.write(text);
}

/** How wide a line on standard output may be; as wide as it is where nobody watches. */
export const screenWidth: number | undefined = process.stdout.isTTY
  ? process.stdout.columns || 80
  : undefined;

/** What begins a style until it is printed. Nobody who writes formulas or commits can know it. */
const mark = `<${randomBytes(12).toString('hex')}:`;

const colours: Readonly<Record<Style, string>> = {
  bad: '31',
  alarm: '1;31',
  good: '32',
  doubtful: '33',
  title: '1',
};

/** For what goes through `print` and `printLine`: colours where a person sees them, who has not said otherwise. */
export const ink: Ink = wantsColours(process.env, process.stdout.isTTY)
  ? (style, text) => `${mark}${colours[style]}>${text}${mark}0>`
  : noInk;

/** By what https://no-color.org and its counterpart FORCE_COLOR ask for. */
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
 * A value for programs: JSON on one line.
 *
 * @param _output which of the outputs it is; only its type matters, so that no schema is loaded for it
 */
export function printJson<Name extends OutputName>(_output: Name, value: Printed<Name>): void {
  toOutput(`${visibleJson(value)}\n`);
}

/** A text that another program may read, such as a formula: as it is, but for a terminal, which would obey it. */
export function printExact(text: string): void {
  toOutput(process.stdout.isTTY ? visible(text) : text);
}

/** One line about the work, on standard error. */
export function tell(line: string): void {
  hideStatus();
  process.stderr.write(`${shortened(visibleLine(line))}\n`);
}

/** The same, and said by whom. */
export function warn(message: string): void {
  tell(`culprit: ${message}`);
}

/** What to do next, for a person; a script knows. */
export function advise(...lines: readonly string[]): void {
  if (isWatched) for (const line of lines) tell(line);
}

/**
 * Calls back when nothing more can be printed on standard output, with what stands in the way; without it, its reader
 * has gone.
 */
export function onOutputLost(act: (why: string | undefined) => void): void {
  process.stdout.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
    const why = lookUp(obstacles, code) ?? message;
    act(code === 'EPIPE' ? undefined : why);
  });
  // Whoever does not hear us cannot be told so; the work and its exit code are what they would be.
  process.stderr.on('error', () => {});
}

const obstacles: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left where standard output goes to',
  EDQUOT: 'your share of the disk standard output goes to is used up',
  EFBIG: 'the file standard output goes to would be larger than files may be here',
  EIO: 'the terminal or the disk standard output goes to is gone',
};

/** What commander prints: help as it is, complaints in our words. */
export const commanderOutput = {
  writeOut: (text: string): void => void process.stdout.write(text),
  writeErr: (text: string): void => void process.stderr.write(visible(text)),
  outputError: (text: string): void => warn(text.trim().replace(/^error: /, '')),
};

/** Whether standard error is read by a person as it comes. */
export const isWatched = process.stderr.isTTY === true;

let isStatusShown = false;

/** The last line on a terminal, in place of what stood there; an empty one takes it away. */
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

/** A word of a megabyte, given as an option, is not repeated whole. */
const longestLine = 2000;

function shortened(line: string): string {
  if (line.length <= longestLine) return line;
  const left = line.length - longestLine;
  return `${line.slice(0, longestLine - 500)} … (${left} characters left out) … ${line.slice(-500)}`;
}
