import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Random } from '../../src/machine/random.js';
import { evaluate, type Value } from '../../src/smtlib/evaluation/evaluate.js';
import { generate } from '../../src/smtlib/generating/generate.js';
import { quoteString, stringText } from '../../src/smtlib/literals.js';
import { printScript } from '../../src/smtlib/printing/print.js';
import type { Term } from '../../src/smtlib/tree.js';
import { needsTools } from '../needs.js';
import { temporaryFolder } from '../temporary-folder.js';

needsTools('solvers');

it('evaluate agrees with Z3 on random terms', () => {
  const random = Random.fromSeed(1);
  const cases = Array.from({ length: 600 }, () => randomCase(random));
  const known = cases.filter(({ value }) => value !== undefined);
  const file = join(temporaryFolder('evaluate'), 'all.smt2');
  writeFileSync(file, `(set-option :rlimit 300000)\n${known.map(({ text }) => text).join('')}`);
  const answers = execFileSync('z3', [file], { encoding: 'utf8' }).trim().split('\n');
  const answered = known.flatMap(({ text, value }, at) =>
    answers[at] === 'unknown' ? [] : [{ text, answer: answers[at], value: value ? 'sat' : 'unsat' }],
  );
  expect(answered.filter(({ answer, value }) => answer !== value)).toEqual([]);
  expect(answered.length).toBeGreaterThan(500);
  expect(new Set(answered.map(({ answer }) => answer))).toEqual(new Set(['sat', 'unsat']));
});

const words = ['', 'a', 'b', 'ab', '0', '12', 'aa'];

/** A random assertion as a question to a solver, with values for its variables, and culprit's value for it. */
function randomCase(random: Random): { readonly text: string; readonly value: Value | undefined } {
  const script = generate(random, {
    assertions: 1,
    depth: random.between(2, 5),
    variables: 2,
    literalLength: random.pick([1, 2, 4]),
    literals: random.chance(0.7) ? 'meaningful' : 'random',
    literalProbability: 0.3,
  });
  const chosen = new Map<string, Value>();
  for (const command of script.commands) {
    if (command.kind !== 'declare-fun') continue;
    const { symbol } = command.result;
    const number = BigInt(random.between(-2, 4));
    chosen.set(
      command.name,
      symbol === 'String' ? random.pick(words) : symbol === 'Int' ? number : random.chance(0.5),
    );
  }
  const assertion = script.commands.flatMap((command) =>
    command.kind === 'assert' ? [command.term] : [],
  )[0];
  const commands = script.commands.filter(({ kind }) => kind === 'declare-fun' || kind === 'assert');
  const given = [...chosen].map(([name, value]) => `(assert (= ${name} ${written(value)}))\n`);
  return {
    text: `(push)\n${printScript({ commands })}\n${given.join('')}(check-sat)\n(pop)\n`,
    value: evaluate(assertion as Term, chosen),
  };
}

function written(value: Value): string {
  if (typeof value === 'bigint') return value < 0n ? `(- ${-value})` : String(value);
  if (typeof value === 'string')
    return quoteString(stringText([...value].map((character) => character.charCodeAt(0))));
  return String(value);
}
