/** Uses the names that every object inherits from its prototype wherever a stranger can put a name. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { LocatedFault, lookUp, Random } from '../../src/machine/index.js';
import {
  checkText,
  crossover,
  dialects,
  generate,
  logicNames,
  measure,
  mutate,
  parseScript,
  prettyScript,
  printScript,
  readScript,
  type Script,
  simplificationRuleNames,
  simplifications,
} from '../../src/smtlib/index.js';
import { isAllowedOption, leftOutFor } from '../../src/solver/families/allowed.js';
import { formulaFacts } from '../../src/solver/families/formula-input.js';
import { textFor } from '../../src/solver/families/formula-text.js';
import type { FamilyName } from '../../src/solver/version/version.js';
import { culprit, culpritMany, inFolder } from '../cli/culprit.js';
import { simulatedVersion } from '../simulated/solver.js';

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

/** Formulas with a name in every position that accepts one. */
const places: readonly ((name: string) => string)[] = [
  (name) => `(set-logic ${name}) (declare-const x Int) (assert (> x 0)) (check-sat)`,
  (name) => `(set-option :${name} true) (check-sat)`,
  (name) => `(set-option :smt.${name} ${name}) (check-sat)`,
  (name) => `(set-info :${name} ${name}) (check-sat)`,
  (name) => `(${name} ${name}) (check-sat)`,
  (name) => `(declare-const ${name} Int) (assert (> ${name} 0)) (check-sat)`,
  (name) => `(declare-const x ${name}) (assert (= x x)) (check-sat)`,
  (name) => `(declare-sort ${name} 0) (declare-const x ${name}) (assert (= x x)) (check-sat)`,
  (name) => `(declare-sort ${name} 1) (declare-const x (${name} Int)) (assert (= x x)) (check-sat)`,
  (name) =>
    `(define-sort ${name} (${name}) ${name}) (declare-const x (${name} Int)) (assert (= x 1)) (check-sat)`,
  (name) => `(declare-const x (_ ${name} 8)) (assert (= x x)) (check-sat)`,
  (name) => `(declare-fun ${name} (Int String) Bool) (assert (${name} 1 "a")) (check-sat)`,
  (name) => `(assert (${name} 1 "a")) (check-sat)`,
  (name) => `(assert ${name}) (check-sat)`,
  (name) => `(assert ((_ ${name} 1) true)) (check-sat)`,
  (name) => `(assert ((as ${name} Bool) true)) (check-sat)`,
  (name) => `(define-fun ${name} ((${name} Int)) Bool (> ${name} 1)) (assert (${name} 2)) (check-sat)`,
  (name) => `(define-fun-rec ${name} ((x Int)) Int (${name} x)) (assert (= 0 (${name} 2))) (check-sat)`,
  (name) => `(assert (let ((${name} true)) (and ${name} ${name}))) (check-sat)`,
  (name) => `(assert (forall ((${name} Int)) (> ${name} 0))) (check-sat)`,
  (name) => `(assert (! (> 1 0) :${name} ${name} :named n${name})) (check-sat) (get-unsat-core)`,
  (name) => `(assert (! (> 1 0) :named ${name})) (check-sat)`,
  (name) =>
    `(declare-datatype ${name} ((${name}c (${name}s Int)))) (declare-const x ${name}) (assert (= 1 (${name}s x))) (check-sat)`,
  (name) =>
    `(declare-datatype D ((${name} (to Int)) (nil))) (declare-const x D) (assert (match x ((nil true) ((${name} y) (> y 1))))) (check-sat)`,
  (name) =>
    `(declare-datatypes ((${name} 1)) ((par (T) ((mk (${name} T)))))) (declare-const x (${name} Int)) (check-sat)`,
  (name) => `(declare-const x (Array ${name} (Seq ${name}))) (assert (= x x)) (check-sat)`,
  (name) => `(get-info :${name}) (get-option :${name}) (check-sat)`,
  (name) => `(check-sat-using ${name}) (check-sat)`,
  (name) => `(assert-soft true :${name} 1) (check-sat)`,
  (name) => `(declare-const s String) (assert (= s "${name}")) (assert (str.${name} s)) (check-sat)`,
];

const families: readonly FamilyName[] = ['z3', 'z3str3', 'cvc4', 'cvc5', 'custom'];

/** Applies every operation on formulas except running them. */
function useAll(script: Script, text: string): void {
  for (const dialect of Object.values(dialects)) printScript(script, { dialect });
  prettyScript(script);
  measure(script);
  for (const family of families) {
    const version = { ...simulatedVersion(family), family };
    const printed = textFor(script, version);
    expect(leftOutFor(script, version)).toEqual(expect.any(Array));
    if (typeof printed === 'string') formulaFacts(script, printed);
  }
  if (checkText(text) instanceof LocatedFault) return;
  for (let seed = 0; seed < 8; seed++) {
    const random = Random.fromSeed(seed);
    mutate(script, random);
    crossover(script, parseScript('(declare-const x Int) (assert (> x 0)) (check-sat)'), random);
  }
  for (const { make } of simplifications(script, simplificationRuleNames)) make();
}

describe.each(names)('%s', (name) => {
  it('is an ordinary name in a formula', () => {
    for (const place of places) {
      for (const text of [place(name), place(`|${name}|`).replaceAll(/:\|(\w+)\|/g, ':$1')]) {
        const script = readScript(text);
        if (!(script instanceof LocatedFault)) useAll(script, text);
      }
    }
  });

  it('is not an allowed option', () => {
    for (const family of families) expect(isAllowedOption(family, name)).toBe(false);
  });

  it('is not found in a table that does not define it', () => {
    expect(lookUp({ a: 1 }, name)).toBeUndefined();
    expect(lookUp(Object.fromEntries([[name, 1]]), name)).toBe(1);
  });
});

it('generate supports every logic in its list', () => {
  for (const logic of logicNames) generate(Random.fromSeed(1), { logic });
});

describe('culprit', () => {
  const sat = '(declare-const x Int) (assert (> x 0)) (check-sat)';

  it('rejects these names as constants of hunt --set', () => {
    const all = culpritMany(names.map((name) => ['hunt', '--set', `${name}=1`, '--for', '1s']));
    for (const [at, { stderr, exitCode }] of all.entries()) {
      expect(stderr).toMatch(new RegExp(`^culprit: culprit has no constant ${names[at]}; it has `));
      expect(exitCode).toBe(2);
    }
    expect(all).toHaveLength(names.length);
  });

  it('rejects these names as versions of run --on', () => {
    const specs = [
      'constructor',
      'constructor@1',
      'constructor:z3',
      'z3@5.2.0?constructor=1&__proto__=2,toString',
    ];
    inFolder((folder) => {
      writeFileSync(join(folder, 'ok.smt2'), sat);
      const all = culpritMany(
        specs.map((spec) => ['run', 'ok.smt2', '--on', spec]),
        { cwd: folder },
      );
      for (const { stderr, exitCode } of all) {
        expect(stderr).toMatch(/^culprit: [^\n]+\n$/);
        expect(exitCode).toBe(2);
      }
      expect(all).toHaveLength(specs.length);
    });
  });

  it('accepts these names in culprit.json and in a corpus', () => {
    inFolder((folder) => {
      writeFileSync(
        join(folder, 'culprit.json'),
        `{"solvers": {"__proto__": {"command": ["false"]}, "constructor": {"command": ["false", "{file}"]}}}`,
      );
      mkdirSync(join(folder, 'corpus'));
      writeFileSync(join(folder, 'corpus', 'good.smt2'), sat);
      // Two names are enough here: the tests above cover all of them.
      names.slice(0, 2).forEach((name, at) => {
        places.forEach((place, which) => {
          writeFileSync(join(folder, 'corpus', `${at}-${which}.smt2`), place(name));
        });
      });
      const versions = ['--on', 'z3,z3?smt.random_seed=7'];
      const asked = ['hunt', ...versions, '--corpus', 'corpus', '--for', '2s', '--out', 'c'];
      const { stderr, exitCode } = culprit(asked, { cwd: folder });
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(stderr).not.toMatch(/TypeError|is not a function/);
      expect(exitCode).toBe(0);
    });
  });
});

/** Files that index plain objects only with names that culprit has just listed itself. */
const exempt = new Set(['src/machine/lookup.ts', 'src/solver/wasm/exceptions.ts']);

it('a plain object is indexed by a string only through lookUp', { timeout: 120_000 }, () => {
  const top = fileURLToPath(new URL('../..', import.meta.url));
  const { config } = ts.readConfigFile(join(top, 'tsconfig.build.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, top);
  // Type errors do not matter here; the program only provides types.
  const program = ts.createProgram(fileNames, { ...options, skipLibCheck: true, noEmit: true });
  const checker = program.getTypeChecker();
  const isAnyString = (node: ts.Node): boolean =>
    (checker.getTypeAtLocation(node).flags & ts.TypeFlags.String) !== 0;
  const found: string[] = [];
  let seen = 0;
  for (const source of program.getSourceFiles()) {
    const file = relative(top, source.fileName);
    if (!file.startsWith('src/') || exempt.has(file)) continue;
    const visit = (node: ts.Node): void => {
      const key = ts.isElementAccessExpression(node)
        ? node.argumentExpression
        : ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword
          ? node.left
          : undefined;
      if (key !== undefined) {
        seen++;
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        if (isAnyString(key)) found.push(`${file}:${line + 1}: ${node.getText()}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  expect(found).toEqual([]);
  expect(seen).toBeGreaterThan(100);
});
