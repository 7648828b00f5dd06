/** Side effects that a stranger's formula requests from a solver, all of which culprit blocks. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { findOnPath, thisMachine } from '../../src/machine/index.js';
import { dialects, parseScript } from '../../src/smtlib/index.js';
import { isAllowedOption, leftOutFor } from '../../src/solver/families/allowed.js';
import { textFor } from '../../src/solver/families/formula-text.js';
import { openRunner } from '../../src/solver/runners/chain.js';
import type { FamilyName, Version } from '../../src/solver/version/version.js';
import { culprit, inFolder } from '../cli/culprit.js';
import { simulatedVersion } from '../simulated/solver.js';
import { temporaryFolder } from '../temporary-folder.js';

function native(family: 'z3' | 'cvc4' | 'cvc5'): Version {
  const program = findOnPath(family, thisMachine());
  if (program === undefined) throw new Error(`the tests need ${family}`);
  return {
    ...simulatedVersion(family),
    family,
    program: { kind: 'native', command: [program] },
    dialect: dialects['2.6'],
  };
}

const of = (family: FamilyName): Version => ({ ...simulatedVersion(family), family });

const question = '(declare-const p Bool) (declare-const q Bool) (assert (or p q)) (assert (or (not p) q))';
const contradiction = `${question} (assert (not q)) (check-sat)`;

/** `FILE` stands for the path of a user's file. */
const attempts: readonly (readonly [family: 'z3' | 'cvc4' | 'cvc5', formula: string])[] = [
  [
    'z3',
    `(set-option :sat.drat.file "FILE") ${contradiction.replace('(check-sat)', '(check-sat-using sat)')}`,
  ],
  [
    'z3',
    `(set-option :SAT.DRAT.FILE "FILE") ${contradiction.replace('(check-sat)', '(check-sat-using sat)')}`,
  ],
  ['z3', `(set-option :Sat.Drat-File "FILE") ${contradiction}`],
  ['z3', `(set-option :TRACE true) (set-option :TRACE_FILE_NAME "FILE") ${contradiction}`],
  ['z3', `(set-option :trace-file-name "FILE") (set-option :trace true) ${contradiction}`],
  [
    'z3',
    `(set-option :produce-proofs true) (set-option :dot_proof_file "FILE") ${contradiction} (get-proof-graph)`,
  ],
  [
    'z3',
    `(set-option :fp.spacer.trace_file "FILE") (declare-rel r (Int)) (declare-var x Int) (rule (r 0)) ${contradiction}`,
  ],
  ['z3', `(set-option :solver.smtlib2_log "FILE") ${contradiction}`],
  ['z3', `(set-option :smtlib2-log "FILE") ${contradiction}`],
  ['z3', `(set-option :solver.cancel_backup_file "FILE") ${contradiction}`],
  ['z3', `(set-option :opt.solution_prefix "FILE") ${question} (minimize (ite p 1 0)) (check-sat)`],
  ['z3', `(set-option :regular-output-channel "FILE") ${contradiction}`],
  ['z3', `(set-option :diagnostic-output-channel "FILE") ${contradiction}`],
  ['z3', `(set-option :tactic.default_tactic "(using-params sat :drat.file FILE)") ${contradiction}`],
  [
    'z3',
    `${contradiction.replace('(check-sat)', '(check-sat-using (using-params sat :drat.file |FILE|)) (check-sat)')}`,
  ],
  ['z3', `${contradiction} (apply (using-params sat :DRAT-FILE |FILE|))`],
  ['z3', `${contradiction} (simplify p :drat.file |FILE|)`],
  ['z3', `(declare-tactic t (using-params sat :drat.file |FILE|)) ${contradiction}`],
  ['z3', `(include "FILE") ${contradiction}`],
  ['cvc5', `(set-logic QF_UF) (set-option :out FILE) ${contradiction}`],
  ['cvc5', `(set-logic QF_UF) (set-option :out |FILE|) ${contradiction}`],
  ['cvc5', `(set-option :err |FILE|) (set-logic QF_UF) ${contradiction} (get-model)`],
  ['cvc5', `(set-option :regular-output-channel |FILE|) (set-logic QF_UF) ${contradiction}`],
  ['cvc5', `(include "FILE") ${contradiction}`],
  ['cvc5', `(set-logic QF_UF) ; a comment, to most\r(set-option :out |FILE|)\n${contradiction}`],
  [
    'cvc4',
    `(set-option :dump "raw-benchmark") (set-option :dump-to "FILE") (set-logic QF_UF) ${contradiction}`,
  ],
  ['cvc4', `(set-logic QF_UF) (set-option :regular-output-channel "FILE") ${contradiction}`],
  ['cvc4', `(set-logic QF_UF) (set-option :diagnostic-output-channel "FILE") ${contradiction} (get-model)`],
  ['cvc4', `(include "FILE") ${contradiction}`],
  [
    'cvc4',
    `; a comment, to most\r(set-option :diagnostic-output-channel "FILE")\n(set-logic QF_UF) ${contradiction}`,
  ],
];

describe('a formula cannot make a native solver touch a file', () => {
  const directory = temporaryFolder('hostile-formulas');
  const home = temporaryFolder('hostile-home');
  const runner = openRunner({ workers: 2, directory });
  afterAll(() => runner.close());

  it.each(attempts.map(([family, formula], at) => ({ family, formula, at })))('in $family: $formula', async ({
    family,
    formula,
    at,
  }) => {
    const file = join(home, `file-${at}`);
    const text = formula.replaceAll('FILE', file);
    const version = native(family);
    const run = await runner.run({
      formula: parseScript(text),
      version,
      limits: { wallMs: 60_000 },
    });
    expect(run.outcome).toBe(text.includes('minimize') ? 'sat' : 'unsat');
    expect(readdirSync(home)).toEqual([]);
  });
});

/** Options that write, read or execute files, or that hide such an option. */
const harmful: Readonly<Record<'z3' | 'cvc4' | 'cvc5', readonly string[]>> = {
  z3: `trace trace_file_name dot_proof_file sat.drat.file sat.smt.proof sat.inprocess.out solver.smtlib2_log
    solver.proof.log solver.cancel_backup_file solver.axioms2files smt.arith.dump_lemmas smt.arith.dump_bound_lemmas
    smt.arith.nl.log opt.dump_benchmarks opt.solution_prefix fp.print_aig fp.spacer.trace_file fp.spacer.print_json
    fp.spacer.dump_benchmarks fp.spacer.vs.dump_benchmarks fp.datalog.use_map_names nlsat.known_sat_assignment_file_name
    nlsat.log_lemmas tactic.default_tactic tptp.dump_smt2 tptp.root regular-output-channel
    diagnostic-output-channel`.split(/\s+/),
  cvc4: `dump dump-to regular-output-channel diagnostic-output-channel replay replay-log trace debug lang
    bv-aig-simp sygus-query-gen-dump-files filesystem-access use-theory`.split(/\s+/),
  cvc5: `out err in regular-output-channel diagnostic-output-channel trace output dump dump-to lang
    write-partitions-to partitions-out sygus-query-gen-dump-files oracles proof-log use-portfolio filename`.split(
    /\s+/,
  ),
};

describe('a keyword outside the table', () => {
  const families: readonly FamilyName[] = ['z3', 'z3str3', 'cvc4', 'cvc5', 'custom'];
  /** Variants of a name that a lenient solver treats as equal. */
  const alike = (name: string): fc.Arbitrary<string> =>
    fc.array(fc.boolean(), { minLength: name.length, maxLength: name.length }).map((turns) =>
      [...name]
        .map((letter, at) => {
          if (!turns[at]) return letter;
          if (letter === '-' || letter === '_') return letter === '-' ? '_' : '-';
          return letter.toUpperCase();
        })
        .join(''),
    );
  const ways = [
    (name: string) => `(set-option :${name} "x")`,
    (name: string) => `(check-sat-using (using-params sat :${name} |x|))`,
    (name: string) => `(apply (then simplify (using-params sat :${name} true)) :print false)`,
    (name: string) => `(simplify p :${name} "x")`,
    (name: string) => `(eval p :${name} "x")`,
    (name: string) => `(set-info :${name} "x")`,
    (name: string) => `(declare-tactic t (! sat :${name} x))`,
    (name: string) => `(${name} "x")`,
  ];

  it('does not reach a solver in any letter case, module or command', () => {
    const names = fc.constantFrom(...Object.values(harmful).flat()).chain((name) => {
      const bare = name.slice(name.indexOf('.') + 1);
      return fc.constantFrom(name, bare, `sat.${bare}`, `fp.${bare}`).chain(alike);
    });
    fc.assert(
      fc.property(fc.constantFrom(...families), names, fc.constantFrom(...ways), (family, name, way) => {
        const formula = parseScript(`(declare-const p Bool) ${way(name)} (check-sat)`);
        // cvc4 and cvc5 accept options only in option commands.
        if (family.startsWith('cvc') && !/^\((set|dump|out)/.test(way(name))) return;
        expect(textFor(formula, of(family))).toBe('(declare-const p Bool)\n(check-sat)\n');
        expect(leftOutFor(formula, of(family))).toHaveLength(1);
      }),
      { numRuns: 500 },
    );
  });

  it('does not reach a solver if it is a random word', () => {
    const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9._-]{0,20}$/);
    fc.assert(
      fc.property(fc.constantFrom(...families), word, (family, name) => {
        const text = textFor(parseScript(`(set-option :${name} true)`), of(family));
        expect(text === '' || isAllowedOption(family, name)).toBe(true);
      }),
    );
  });

  it.each(Object.entries(harmful))('is rejected for each harmful option of %s', (family, names) => {
    for (const name of names) {
      expect([name, isAllowedOption(family as FamilyName, name)]).toEqual([name, false]);
      expect([name, isAllowedOption(family as FamilyName, `:${name}`)]).toEqual([name, false]);
      expect([name, isAllowedOption('custom', name)]).toEqual([name, false]);
    }
  });
});

describe('a harmless command', () => {
  it.each([
    ['z3', '(set-option :produce-models true)'],
    ['z3', '(set-option :smt.arith.solver 2)'],
    ['z3', '(set-option :SMT.ARITH.SOLVER 2)'],
    ['z3', '(set-option :timeout 1000)'],
    ['z3', '(set-option :sat.random_seed 4)'],
    ['z3', '(check-sat-using (then simplify (using-params smt :random-seed 3)))'],
    ['z3', '(assert-soft p :weight 2 :id goal)'],
    ['z3', '(minimize (ite p 1 0))'],
    ['z3', '(get-info :reason-unknown)'],
    ['z3', '(get-option :trace)'],
    ['cvc5', '(set-option :strings-exp true)'],
    ['cvc5', '(set-option :tlimit-per 100)'],
    ['cvc5', '(block-model :literals)'],
    ['cvc5', '(get-interpolant A p)'],
    ['cvc4', '(set-option :produce-unsat-cores true)'],
    ['custom', '(set-option :strings-exp true)'],
    ['custom', '(check-sat-using smt)'],
    ['z3', '(set-info :status sat)'],
  ] as const)('is passed on to %s: %s', (family, command) => {
    const formula = parseScript(command);
    expect(textFor(formula, of(family))).toBe(`${command}\n`);
    expect(leftOutFor(formula, of(family))).toEqual([]);
  });

  it('does not include smt-lib-version, because the dialect decides the version', () => {
    const formula = parseScript('(set-info :smt-lib-version 2.0)(check-sat)');
    expect(textFor(formula, of('cvc4'))).toBe('(check-sat)\n');
    expect(leftOutFor(formula, of('cvc4'))).toEqual([]);
  });
});

it('a program named by a formula is not run', () => {
  const text = '(declare-oracle-fun f (Bool) Bool /bin/touch) (check-sat)';
  expect(textFor(parseScript(text), of('cvc5'))).toBe('(check-sat)\n');
  expect(textFor(parseScript(text), of('custom'))).toBe('(check-sat)\n');
});

it('a tactic that prints its own answer is left out', () => {
  const formula = parseScript('(check-sat-using (then (echo "unsat") smt)) (check-sat)');
  expect(textFor(formula, of('z3'))).toBe('(check-sat)\n');
});

it('the embedded Z3 receives only allowed commands and still answers', async () => {
  const directory = temporaryFolder('hostile-embedded');
  inFolder((folder) => {
    writeFileSync(
      join(folder, 'a.smt2'),
      `(set-option :sat.drat.file "${directory}/x") ${contradiction} (get-proof-graph)`,
    );
    const { stdout, stderr, exitCode } = culprit(['run', 'a.smt2', '--on', 'z3@5.2.0', '--json'], {
      cwd: folder,
    });
    expect(exitCode).toBe(0);
    const { versions, leftOut } = JSON.parse(stdout);
    expect(versions[0].outcome).toBe('unsat');
    expect(leftOut).toEqual([
      '(set-option :sat.drat.file …) is left out: a formula may not set this option of z3',
      '(get-proof-graph …) is left out: a formula may not use this command of z3',
    ]);
    expect(stderr).toBe(leftOut.map((note: string) => `culprit: a.smt2: ${note}\n`).join(''));
    expect(existsSync(join(directory, 'x'))).toBe(false);
  });
});
