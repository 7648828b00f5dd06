/** Recognizes messages about failed checks inside solvers. Some solvers continue after them, and answer. */

import type { FailedCheck } from '../run/run.js';

/** From Z3's util/debug.cpp, which may print it to standard output. */
const violation =
  /^ASSERTION VIOLATION\r?\nFile: (?<file>[^\n]{1,4000})\nLine: (?<line>\d{1,9})\r?\n(?<message>[^\n]*)/m;
/** From releases of Z3 that printed no place. */
const failedToVerify = /^(?<message>Failed to verify: [^\n]*)/m;

/** Searched for on standard error only: on standard output, a formula could print the same text. */
const complaints: readonly RegExp[] = [
  // cvc5 and CVC4, base/check.cpp.
  /^(?<message>Fatal failure within [^\n]{0,4000}) at (?<file>[^\s:]{1,4000}):(?<line>\d{1,9})$/m,
  /^[^\s:]{1,4000}: (?<file>[^\s:]{1,4000}):(?<line>\d{1,9}): (?<message>[^\n]{0,4000}Assertion [^\n]{1,4000} failed)\.?$/m,
  /^(?<message>[^\n]{0,400}?)\bFile:? "?(?<file>[^\s",]{1,4000})"?, line:? (?<line>\d{1,9})\b/m,
];

const maxMessageLength = 200;

/**
 * @example failedCheckIn('ASSERTION VIOLATION\nFile: ../src/smt/theory_seq.cpp\nLine: 12\nFailed to verify: a\n') //
 * { message: 'Failed to verify: a', file: '../src/smt/theory_seq.cpp', line: 12 }
 */
export function failedCheckIn(stderr: string, stdout = ''): FailedCheck | undefined {
  return (
    firstMatch(stderr, [violation, ...complaints]) ??
    firstMatch(stdout, [violation]) ??
    firstMatch(stderr, [failedToVerify]) ??
    firstMatch(stdout, [failedToVerify])
  );
}

function firstMatch(text: string, forms: readonly RegExp[]): FailedCheck | undefined {
  for (const form of forms) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined) continue;
    const { file, line } = groups;
    const message = (groups.message ?? '').trim().slice(0, maxMessageLength) || 'an assertion';
    return file === undefined ? { message } : { message, file: file.trim(), line: Number(line) };
  }
  return undefined;
}
