/** Recognizes messages about failed checks inside solvers. Some solvers continue after them, and answer. */

import type { FailedCheck } from '../run/run.js';

/** From Z3's util/debug.cpp, which may print it to standard output. */
const violation =
  /^ASSERTION VIOLATION\r?\nFile: (?<file>[^\n]{1,4000})\nLine: (?<line>\d{1,9})\r?\n(?<says>[^\n]*)/m;
/** From releases of Z3 that printed no place. */
const failedToVerify = /^(?<says>Failed to verify: [^\n]*)/m;

/** Searched for on standard error only: on standard output, a formula could print the same text. */
const complaints: readonly RegExp[] = [
  // cvc5 and CVC4, base/check.cpp.
  /^(?<says>Fatal failure within [^\n]{0,4000}) at (?<file>[^\s:]{1,4000}):(?<line>\d{1,9})$/m,
  // `assert` of the C library.
  /^[^\s:]{1,4000}: (?<file>[^\s:]{1,4000}):(?<line>\d{1,9}): (?<says>[^\n]{0,4000}Assertion [^\n]{1,4000} failed)\.?$/m,
  /^(?<says>[^\n]{0,400}?)\bFile:? "?(?<file>[^\s",]{1,4000})"?, line:? (?<line>\d{1,9})\b/m,
];

const longestMessage = 200;

/**
 * @example failedCheckIn('ASSERTION VIOLATION\nFile: ../src/smt/theory_seq.cpp\nLine: 12\nFailed to verify: a\n') //
 * { says: 'Failed to verify: a', file: '../src/smt/theory_seq.cpp', line: 12 }
 */
export function failedCheckIn(stderr: string, stdout = ''): FailedCheck | undefined {
  return (
    told(stderr, [violation, ...complaints]) ??
    told(stdout, [violation]) ??
    told(stderr, [failedToVerify]) ??
    told(stdout, [failedToVerify])
  );
}

/** The first matching pattern decides. */
function told(text: string, forms: readonly RegExp[]): FailedCheck | undefined {
  for (const form of forms) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined) continue;
    const { says = '', file, line } = groups;
    const words = says.trim().slice(0, longestMessage);
    const message = words === '' ? 'an assertion' : words;
    return file === undefined ? { says: message } : { says: message, file: file.trim(), line: Number(line) };
  }
  return undefined;
}
