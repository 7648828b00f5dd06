/** Measures how the work on formulas grows with their size, for very deep and very wide shapes. */

import { Random } from '../src/machine/index.js';
import {
  checkScript,
  measure,
  mutate,
  parseScript,
  prettyScript,
  printScript,
  ruleNames,
  type Script,
  simplificationRuleNames,
  simplificationsInTurn,
} from '../src/smtlib/index.js';
import type { GrowthJob } from './growth-jobs.js';

const nested = (size: number, open: (at: number) => string, core: string): string =>
  `${Array.from({ length: size }, (_, at) => open(at)).join('')}${core}${')'.repeat(size)}`;
const list = (size: number, item: (at: number) => string): string =>
  Array.from({ length: size }, (_, at) => item(at)).join(' ');
const asserted = (declared: string, term: string): string => `${declared} (assert ${term}) (check-sat)`;

interface Shape {
  readonly most: number;
  readonly text: (size: number) => string;
}

const shapes: Readonly<Record<string, Shape>> = {
  'nested not': {
    most: 20_000,
    text: (size) =>
      asserted(
        '(declare-const p Bool)',
        nested(size, () => '(not ', 'p'),
      ),
  },
  'nested let': {
    most: 4000,
    text: (size) =>
      asserted(
        '(declare-const x0 Int)',
        nested(size, (at) => `(let ((x${at + 1} (+ x${at} 1))) `, `(> x${size} 0)`),
      ),
  },
  'doubling let': {
    most: 4000,
    text: (size) =>
      asserted(
        '(declare-const x0 Int)',
        nested(size, (at) => `(let ((x${at + 1} (+ x${at} x${at}))) `, `(> x${size} 0)`),
      ),
  },
  'nested forall': {
    most: 4000,
    text: (size) =>
      asserted(
        '',
        nested(size, (at) => `(forall ((x${at} Int)) `, `(> x${size - 1} x0)`),
      ),
  },
  'quantified variables': {
    most: 4000,
    text: (size) =>
      asserted(
        '',
        `(forall (${list(size, (at) => `(x${at} Int)`)}) (> (+ ${list(size, (at) => `x${at}`)}) 0))`,
      ),
  },
  'a conjunction': {
    most: 40_000,
    text: (size) => asserted('(declare-const p Bool)', `(and ${'p '.repeat(size)})`),
  },
  assertions: {
    most: 20_000,
    text: (size) => `(declare-const x Int) ${list(size, (at) => `(assert (> x ${at}))`)} (check-sat)`,
  },
  'named assertions': {
    most: 8000,
    text: (size) =>
      `(declare-const p Bool) ${list(size, (at) => `(assert (! p :named n${at}))`)} (check-sat)`,
  },
  declarations: {
    most: 8000,
    text: (size) =>
      asserted(
        list(size, (at) => `(declare-const x${at} Int)`),
        `(distinct ${list(size, (at) => `x${at}`)})`,
      ),
  },
  definitions: {
    most: 4000,
    text: (size) =>
      `(define-fun f0 ((a Int)) Int a) ${list(size, (at) => `(define-fun f${at + 1} ((a Int)) Int (f${at} a))`)} ` +
      `(assert (> (f${size} 1) 0)) (check-sat)`,
  },
  pushes: {
    most: 8000,
    text: (size) => `(declare-const p Bool) ${'(push 1) (assert p) '.repeat(size)} (check-sat)`,
  },
  'a symbol': {
    most: 400_000,
    text: (size) => {
      const name = 's'.repeat(size);
      return asserted(`(declare-const ${name} Int)`, `(> ${name} 0)`);
    },
  },
  'a numeral': {
    most: 400_000,
    text: (size) => asserted('(declare-const x Int)', `(> x ${'7'.repeat(size)})`),
  },
  'a string': {
    most: 400_000,
    text: (size) => asserted('(declare-const s String)', `(= s "${'ab'.repeat(size / 2)}")`),
  },
};

/** Number of seeds, enough to draw every slow rule. */
const mutants = 4;
/** Steps that a reduction considers before it takes one. */
const firstSteps = 50;

type Work = (text: string, script: Script) => unknown;

const works: Readonly<Record<string, Work>> = {
  parse: (text) => parseScript(text),
  check: (_, script) => checkScript(script),
  print: (_, script) => printScript(script),
  format: (_, script) => prettyScript(script),
  measure: (_, script) => measure(script),
  mutate: (_, script) => {
    for (let seed = 0; seed < mutants; seed++) mutate(script, Random.fromSeed(seed), {}, ruleNames);
  },
  'find steps': (_, script) => {
    for (const _step of simplificationsInTurn(script, simplificationRuleNames));
  },
  'make steps': (_, script) => {
    let left = firstSteps;
    for (const step of simplificationsInTurn(script, simplificationRuleNames)) {
      if (step === undefined) continue;
      step.make();
      if (--left === 0) break;
    }
  },
};

export const formulaJobs: readonly GrowthJob[] = Object.entries(shapes).flatMap(([shape, { most, text }]) =>
  Object.entries(works).map(([work, run]) => ({
    name: `formulas: ${work} ${shape}`,
    most,
    prepare: (size) => {
      const made = text(size);
      const script = parseScript(made);
      return () => run(made, script);
    },
  })),
);
