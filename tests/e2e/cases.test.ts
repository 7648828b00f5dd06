/**
 * Reads and checks the published slow formulas if they are present, and compares the verdicts before and after
 * printing.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkText, dialects, parseScript, printScript } from '../../src/smtlib/index.js';

const folder = process.env.CULPRIT_CASES ?? fileURLToPath(new URL('../../../shared/cases', import.meta.url));

function formulas(below: string): string[] {
  return readdirSync(below, { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.isDirectory()) return formulas(path);
    return entry.name.endsWith('.smt2') ? [path] : [];
  });
}

const solvers = [
  { command: ['z3', '-in', '-T:5'], dialect: dialects['2.6'] },
  { command: ['z3', '-in', '-T:5', 'smt.string_solver=z3str3'], dialect: dialects['2.6'] },
  { command: ['cvc4', '--lang', 'smt2', '--strings-exp', '--tlimit=5000'], dialect: dialects['2.6'] },
  { command: ['cvc5', '--lang', 'smt2', '--strings-exp', '--tlimit=5000'], dialect: dialects['2.6'] },
];

function answer(command: readonly string[], text: string): string {
  const [program, ...args] = command;
  return spawnSync(program as string, args, { input: text, encoding: 'utf8' }).stdout.trim();
}

it.skipIf(!existsSync(folder))('every published case has the same verdict before and after printing', () => {
  const files = formulas(folder);
  expect(files.length).toBeGreaterThan(30);
  let compared = 0;
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const checked = checkText(text);
    expect(checked, file).toHaveProperty('commands');
    const script = parseScript(text);
    expect(parseScript(printScript(script))).toEqual(script);
    for (const { command, dialect } of solvers) {
      const before = answer(command, text);
      if (before !== 'sat' && before !== 'unsat') continue;
      compared++;
      const after = answer(command, printScript(script, { dialect }));
      // A formula close to the time limit may finish before or after it.
      if (after !== '' && after !== 'timeout')
        expect([file, command.join(' '), after]).toEqual([file, command.join(' '), before]);
    }
  }
  console.log(`${files.length} formulas, ${compared} verdicts compared`);
  expect(compared).toBeGreaterThan(30);
});
