/** Finds objective faults in the way a command ended. */

import type { CommandEnd, Violation } from './attempt.js';

const documentedCodes: ReadonlySet<number | undefined> = new Set([0, 1, 2, 3, 130]);

/** A line of a stack trace, or Node's message about an uncaught exception. */
const trace = /^ {4}at .*$|this is a bug in culprit|^Uncaught|UnhandledPromiseRejection|^Node\.js v\d+/m;

/** Control characters for terminals, and marks that change the direction of text; without line breaks and tabs. */
const escapes = /(?![\n\t])[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u;

export function violationsIn(ended: CommandEnd, printsData = false): readonly Violation[] {
  const violations: Violation[] = [];
  const add = (what: string, detail: string): void => void violations.push({ what, detail });
  if (ended.overLimit !== undefined) add('over its limit', ended.overLimit);
  else if (ended.signal !== undefined) add('killed by a signal', ended.signal);
  else if (!documentedCodes.has(ended.exitCode)) add('exit code', String(ended.exitCode));
  if (trace.test(ended.stderr)) add('stack trace', traceText(ended.stderr));
  const printed = [ended.stderr, ...(printsData ? [] : [ended.stdout])];
  const raw = printed.map(rawEscape).find((found) => found !== undefined);
  if (raw !== undefined) add('raw escape', raw);
  for (const file of ended.changedFiles) add('file outside', file);
  for (const process of ended.leftRunning) add('left running', process);
  for (const file of ended.leftInTemporary) add('left in TMPDIR', file);
  return violations;
}

/** The message and the place it was thrown at, without varying paths and numbers. */
export function traceText(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => /^ {4}at /.test(line));
  const message = (first > 0 ? lines[first - 1] : lines.find((line) => trace.test(line))) ?? '';
  const frames = lines.filter((line) => /^ {4}at .*(src|dist)\//.test(line)).slice(0, 2);
  const places = frames
    .map((line) => /(?:src|dist)\/([\w/.-]+?)\.[jt]s/.exec(line)?.[1] ?? '')
    .filter(Boolean);
  return `${message.replace(/^.*?(\w*Error)/, '$1').slice(0, 120)} in ${places.join(' < ') || 'an unknown place'}`;
}

/** The first raw escape with its context. */
function rawEscape(text: string): string | undefined {
  const found = escapes.exec(text);
  if (found === null) return undefined;
  const { 0: letter, index } = found;
  const before =
    text
      .slice(Math.max(0, index - 30), index)
      .split('\n')
      .at(-1) ?? '';
  return `U+${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')} after ${JSON.stringify(before)}`;
}
