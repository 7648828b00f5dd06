/**
 * Reads the regression formulas of cvc5 and Z3, prints them back to the same tree, and compares the answers before
 * and after printing. `CULPRIT_REGRESSIONS_CVC5` and `CULPRIT_REGRESSIONS_Z3` name the folders: cvc5's test/regress,
 * and a copy of z3test.
 */

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LocatedFault } from '../../src/machine/index.js';
import { dialects, printScript, readScript, remarksOn, type Script } from '../../src/smtlib/index.js';
import { Scanner, Token } from '../../src/smtlib/reading/scan.js';
import { containsUnknown } from '../../src/smtlib/theories/signature.js';

interface Folder {
  readonly path: string | undefined;
  readonly variable: string;
  /** Command line of the solver that the folder belongs to; an environment variable can replace the program. */
  readonly command: readonly string[];
  /** The maximum number of formulas with a term of unknown sort. */
  readonly unknownAtMost: number;
}

const folders: Readonly<Record<string, Folder>> = {
  cvc5: {
    path: process.env.CULPRIT_REGRESSIONS_CVC5,
    variable: 'CULPRIT_REGRESSIONS_CVC5',
    command: [
      ...(process.env.CULPRIT_CVC5 ?? 'cvc5').split(' '),
      '--lang=smt2',
      '--incremental',
      '--tlimit=3000',
    ],
    unknownAtMost: 0.01,
  },
  z3: {
    path: process.env.CULPRIT_REGRESSIONS_Z3,
    variable: 'CULPRIT_REGRESSIONS_Z3',
    command: [...(process.env.CULPRIT_Z3 ?? 'z3').split(' '), '-T:3', '-in'],
    unknownAtMost: 0.05,
  },
};

function formulas(below: string): string[] {
  return readdirSync(below, { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.isDirectory()) return formulas(path);
    return entry.isFile() && entry.name.endsWith('.smt2') ? [path] : [];
  });
}

/** Compares without recursion, because formulas are nested deeper than a call stack. */
function isSameTree(a: unknown, b: unknown): boolean {
  const todo: [unknown, unknown][] = [[a, b]];
  for (let pair = todo.pop(); pair !== undefined; pair = todo.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
      return false;
    const [mine, other] = [Object.entries(left), right as Record<string, unknown>];
    if (mine.length !== Object.keys(other).length) return false;
    for (const [key, value] of mine) todo.push([value, other[key]]);
  }
  return true;
}

/** Checks that two texts differ only in comments, spaces and bars around symbols. */
function hasSameTokens(a: string, b: string): boolean {
  const [left, right] = [new Scanner(a), new Scanner(b)];
  const word = (scanner: Scanner): string =>
    scanner.token === Token.QuotedSymbol ? scanner.text() : scanner.rawText();
  for (;;) {
    const token = left.next();
    right.next();
    if (word(left) !== word(right)) return false;
    if (token === Token.End) return right.token === Token.End;
  }
}

/** Formulas that are not SMT-LIB, although the solver reports no error. */
const unnoticed: readonly string[] = [
  // Errors that cvc5's own list expects, but that 1.1.2 does not find, crashes on, or waits at.
  ...['issue12572-nullable-lift-no-arguments.smt2', 'nullable_checks.smt2', 'issue10889-sexpr-eof.smt2'],
  // Z3 accepts a let without a body, and a keyword without a name.
  ...['issues/5429.smt2', 'issues/5482.smt2', 'issue-1816.smt2'],
];

/** Formulas whose answers differ because of the solver. */
const odd: readonly string[] = [
  // cvc5 1.1.2 reads an escape beyond the last character as a single character; later versions do not.
  'out-of-bound-code-point.smt2',
];

/** The complete output of a solver for a text. */
function said(command: readonly string[], text: string): Promise<string> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    const child = execFile(program, args, { timeout: 10_000, maxBuffer: 1 << 26 }, (_, out, err) =>
      resolve(out + err),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(text);
  });
}

const answers = (output: string): string =>
  output
    .split('\n')
    .filter((line) => /^(?:sat|unsat|unknown)$/.test(line.trim()))
    .join(' ');

function holdsUnknownSort(script: Script): boolean {
  let found = false;
  remarksOn(script, ({ sort }) => {
    found ||= containsUnknown(sort);
  });
  return found;
}

describe.each(Object.entries(folders))('regression formulas of %s', (name, {
  path,
  variable,
  command,
  unknownAtMost,
}) => {
  const isHere = path !== undefined && existsSync(path);
  if (!isHere && process.env.CI !== undefined)
    throw new Error(`set ${variable} to the folder of ${name}'s regressions`);
  if (!isHere) console.log(`skipped: set ${variable} to the folder of ${name}'s regressions`);

  it.skipIf(!isHere)('are read, printed back to the same tree, and understood', async () => {
    const files = formulas(path ?? '');
    const refused: string[] = [];
    let unknown = 0;
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      const script = readScript(text);
      if (script instanceof LocatedFault) {
        refused.push(file);
        // The solver must reject every text that culprit rejects.
        const isNoticed =
          unnoticed.some((other) => file.endsWith(other)) || /error/i.test(await said(command, text));
        expect([file, isNoticed]).toEqual([file, true]);
        continue;
      }
      expect([file, isSameTree(readScript(printScript(script)), script)]).toEqual([file, true]);
      if (holdsUnknownSort(script)) unknown++;
    }
    console.log(
      `${name}: ${files.length} formulas, ${refused.length} not SMT-LIB, ${unknown} with an unknown sort`,
    );
    expect(unknown / files.length).toBeLessThanOrEqual(unknownAtMost);
  });

  it.skipIf(!isHere)('have the same answer before and after printing', async () => {
    let [same, compared] = [0, 0];
    for (const file of formulas(path ?? '')) {
      const text = readFileSync(file, 'utf8');
      const script = readScript(text);
      if (script instanceof LocatedFault) continue;
      const printed = printScript(script, { dialect: dialects['2.6'] });
      // A solver reads tokens, so texts with the same tokens have the same answer.
      if (hasSameTokens(text, printed)) {
        same++;
        continue;
      }
      const before = await said(command, text);
      if (answers(before) === '' || /timeout|interrupted/.test(before)) continue;
      const after = await said(command, printed);
      if (/timeout|interrupted/.test(after) || odd.some((other) => file.endsWith(other))) continue;
      compared++;
      expect([file, answers(after)]).toEqual([file, answers(before)]);
    }
    console.log(`${name}: ${same} the same token by token, ${compared} verdicts compared, all the same`);
  });
});
