import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/machine/random.js';
import { checkScript, isAsSoundAs } from '../../src/smtlib/checking/check.js';
import { generate } from '../../src/smtlib/generating/generate.js';
import { logicNames } from '../../src/smtlib/generating/logics.js';
import { measure } from '../../src/smtlib/measure.js';
import {
  crossover,
  mutate,
  operatorsFor,
  replaceOperatorBy,
  ruleNames,
  rules,
} from '../../src/smtlib/mutations/mutate.js';
import { isLiteral, isNonzero } from '../../src/smtlib/occurrences/literal-terms.js';
import { occurrenceAt, occurrencesIn } from '../../src/smtlib/occurrences/occurrences.js';
import { replaceAt } from '../../src/smtlib/occurrences/replace-at.js';
import { pathTo } from '../../src/smtlib/occurrences/term-node.js';
import { patterns } from '../../src/smtlib/patterns/index.js';
import { printScript } from '../../src/smtlib/printing/print.js';
import { parseScript } from '../../src/smtlib/reading/parse.js';
import type { Command, Script } from '../../src/smtlib/tree.js';
import { overflowingDepth, rounds } from '../rounds.js';
import { entangled } from './entangled.js';
import { formulasByHand } from './formulas-by-hand.js';

/** Writing to a frozen tree throws, so a mutation that succeeds has not changed its input. */
function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

const kinds = (script: Script, ...wanted: readonly Command['kind'][]): Command[] =>
  script.commands.filter((command) => wanted.includes(command.kind));

/** Checks the invariants of every mutation. */
function expectSound(changed: Script, original: Script, what: string): void {
  const checked = checkScript(changed);
  if (checked !== undefined) {
    throw new Error(`${what}: ${checked.message}\n${printScript(original)}\nbecame\n${printScript(changed)}`);
  }
  expect(parseScript(printScript(changed))).toEqual(changed);
  const asks = kinds(changed, 'check-sat', 'check-sat-assuming').length;
  expect(asks).toBe(Math.max(1, kinds(original, 'check-sat', 'check-sat-assuming').length));
  const kept = ['comment', 'set-option', 'set-info', 'push', 'pop', 'other'] as const;
  expect(kinds(changed, ...kept)).toEqual(kinds(original, ...kept));
  expect(kinds(changed, 'assert').length).toBeGreaterThan(0);
}

const byHand = Object.entries(formulasByHand).map(
  ([name, text]) => [name, frozen(parseScript(text))] as const,
);

describe('formulas by hand', () => {
  it.each(byHand)('the formulas about %s are well-sorted', (_, script) => {
    expect(checkScript(script)).toBeUndefined();
  });
});

/** Deep enough to overflow the stack of a recursive function. */
const nested = parseScript(
  '(declare-const p Bool) (declare-const q Bool) (declare-const x Int) ' +
    `(assert ${'(not (and p '.repeat(overflowingDepth / 2)}(> x 3)${'))'.repeat(overflowingDepth / 2)}) (assert q) (check-sat)`,
);

describe.each(ruleNames)('mutation rule %s', (rule) => {
  it('keeps generated formulas well-sorted', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...logicNames), fc.boolean(), (seed, logic, meaningful) => {
        const random = Random.fromSeed(seed);
        const options = { literals: meaningful ? 'meaningful' : 'random' } as const;
        let script = frozen(generate(random, { logic, ...options }));
        for (let i = 0; i < 4; i++) {
          const changed = rules[rule].apply(script, random, options);
          if (changed === undefined) continue;
          expectSound(changed, script, rule);
          script = frozen(changed);
        }
      }),
      { numRuns: rounds(40) },
    );
  });

  it.each(byHand)('keeps the formulas about %s well-sorted', (_, original) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = Random.fromSeed(seed);
        let script = original;
        for (let i = 0; i < 4; i++) {
          const changed = rules[rule].apply(script, random);
          if (changed === undefined) continue;
          expectSound(changed, script, rule);
          script = frozen(changed);
        }
      }),
      { numRuns: 12 },
    );
  });

  it('gives the same result for the same seed, independent of earlier mutations', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...byHand), (seed, [, script]) => {
        const first = rules[rule].apply(script, Random.fromSeed(seed));
        // A newly parsed tree shares no nodes with the cached ones.
        const again = rules[rule].apply(parseScript(printScript(script)), Random.fromSeed(seed));
        expect(again).toEqual(first);
      }),
    );
  });

  it('changes most formulas', () => {
    const random = Random.fromSeed(4);
    let count = 0;
    for (let i = 0; i < 100; i++) {
      const script = generate(random, { assertions: 6 });
      const changed = rules[rule].apply(script, random);
      if (changed !== undefined && printScript(changed) !== printScript(script)) count++;
    }
    expect(count).toBeGreaterThan(80);
  });

  it.each([
    '(declare-const x Int) (assert (str.len x)) (assert (> x 0)) (check-sat)',
    '(declare-const x Nowhere) (assert true) (assert true) (check-sat)',
    '(declare-const p Bool) (pop 1) (assert p) (assert (not p)) (check-sat)',
    '(declare-const x Nowhere) (declare-const n Int) (assert (strange x n (> n 3))) (assert (> n 2 1)) (check-sat)',
  ])('adds no fault to a formula with unknown sorts: %s', (text) => {
    const script = parseScript(text);
    for (let seed = 0; seed < 20; seed++) {
      const changed = rules[rule].apply(script, Random.fromSeed(seed));
      expect(changed === undefined || isAsSoundAs(changed, script)).toBe(true);
    }
  });

  it('handles deeply nested terms', () => {
    const changed = rules[rule].apply(nested, Random.fromSeed(3));
    if (changed !== undefined) expect(checkScript(changed)).toBeUndefined();
  });
});

describe('chains of mutations', () => {
  it.each(byHand)('chains of mutations keep the formulas about %s well-sorted', (_, original) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = Random.fromSeed(seed);
        let script = original;
        for (let i = 0; i < 20; i++) {
          const changed = mutate(script, random, { literals: i % 2 === 0 ? 'random' : 'meaningful' });
          if (changed === undefined) break;
          expectSound(changed.script, script, changed.rule);
          script = frozen(changed.script);
        }
      }),
      { numRuns: rounds(20) },
    );
  });

  it('chains of mutations keep formulas with binders, named terms and push levels well-sorted', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...logicNames), (seed, logic) => {
        const random = Random.fromSeed(seed);
        let script = generate(random, { logic });
        for (let i = 0; i < 12; i++) {
          if (random.chance(0.5)) script = entangled(script, random);
          const changed = mutate(script, random);
          if (changed === undefined) break;
          expectSound(changed.script, script, changed.rule);
          script = changed.script;
        }
        const children = crossover(script, entangled(generate(random), random), random);
        for (const child of children ?? []) expect(checkScript(child)).toBeUndefined();
      }),
      { numRuns: rounds(150) },
    );
  });

  it('chains of mutations keep structured patterns well-sorted', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...Object.values(patterns)), (seed, pattern) => {
        const random = Random.fromSeed(seed);
        let script = pattern.generate(random);
        for (let i = 0; i < 10; i++) {
          const changed = mutate(script, random);
          if (changed === undefined) break;
          expectSound(changed.script, script, changed.rule);
          script = changed.script;
        }
      }),
    );
  });
});

const script = parseScript(`(set-logic QF_SLIA) (declare-const x String) (declare-const y String)
  (declare-const i Int) (assert (= (str.replace x y "a") (str.++ x y))) (assert (> (str.len x) i)) (check-sat)`);

describe('replaceOperatorBy', () => {
  it('keeps the arguments that fit', () => {
    const results = new Set<string>();
    for (let seed = 0; seed < 60; seed++) {
      const changed = replaceOperatorBy(script, 'str.replace_all', Random.fromSeed(seed));
      if (changed === undefined) throw new Error(`nothing was replaced with seed ${seed}`);
      expectSound(changed, script, `str.replace_all with seed ${seed}`);
      results.add(printScript(changed).split('\n')[4] ?? '');
    }
    expect(results).toContain('(assert (= (str.replace_all x y "a") (str.++ x y)))');
    expect([...results].some((line) => /\(str\.replace x y "a"\) \(str\.replace_all x y /.test(line))).toBe(
      true,
    );
  });

  it('writes every operator that operatorsFor lists', () => {
    const operators = operatorsFor(script);
    expect(operators).toContain('str.replace_re');
    expect(operators).not.toContain('bvadd');
    for (const operator of operators) {
      const changed = replaceOperatorBy(script, operator, Random.fromSeed(1));
      if (changed === undefined) continue;
      expectSound(changed, script, operator);
      const [before, after] = [script, changed].map(
        (formula) => measure(formula).operators.get(operator) ?? 0,
      );
      expect(after).toBeGreaterThan(before ?? 0);
    }
  });

  it('is undefined for unknown and disallowed operators', () => {
    const random = Random.fromSeed(1);
    expect(replaceOperatorBy(script, 'seq.mapi', random)).toBeUndefined();
    expect(replaceOperatorBy(script, 'no.such', random)).toBeUndefined();
    expect(replaceOperatorBy(script, 'str.at', random, { operators: new Set(['str.++']) })).toBeUndefined();
  });

  it('writes a non-default operator if the options allow it', () => {
    const operators = new Set(['str.rev', 'str.++']);
    expect([...operatorsFor(script, { operators })].sort()).toEqual(['str.++', 'str.rev']);
    const changed = replaceOperatorBy(script, 'str.rev', Random.fromSeed(1), { operators });
    expect(changed && printScript(changed)).toContain('(str.rev x)');
  });
});

describe('mutate', () => {
  it('writes only allowed operators', () => {
    const random = Random.fromSeed(8);
    const operators = new Set(['str.at', 'str.contains', 'and']);
    for (let i = 0; i < 200; i++) {
      const changed = mutate(script, random, { operators });
      const added = [...measure(changed?.script ?? script).operators.keys()].filter(
        (operator) => !measure(script).operators.has(operator) && !operators.has(operator),
      );
      // Literals of languages and negative numbers are applications.
      expect(added.filter((operator) => operator !== '-')).toEqual([]);
    }
  });

  it('keeps linear formulas linear', () => {
    const linear = parseScript(`(set-logic QF_LIA) (declare-const a Int) (declare-const b Int)
      (assert (< (* 3 a) (+ b (* (- 2) b)) (div a 4))) (assert (= (mod b 5) (- a b))) (check-sat)`);
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = Random.fromSeed(seed);
        let at = linear;
        for (let i = 0; i < 15; i++) at = mutate(at, random)?.script ?? at;
        for (const { term } of occurrencesIn(at)?.commands.flatMap((command) => command?.nodes ?? []) ?? []) {
          if (term.kind !== 'apply') continue;
          if (term.fn.symbol === '*')
            expect(term.args.filter((arg) => !isLiteral(arg)).length).toBeLessThan(2);
          if (/^(div|mod)$/.test(term.fn.symbol)) expect(term.args.slice(1).every(isNonzero)).toBe(true);
        }
      }),
    );
  });
});

describe('bound variables', () => {
  it('mutations neither move bound variables out of scope nor capture them', () => {
    const shadowed = parseScript(`(declare-const x Int) (declare-const y Int)
      (assert (let ((x true)) (and x (> y 1)))) (assert (> x y)) (assert (forall ((y Bool)) (or y (> x 2)))) (check-sat)`);
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = Random.fromSeed(seed);
        let at = shadowed;
        for (let i = 0; i < 10; i++) {
          const changed = mutate(at, random, {}, ['swap-subterms', 'replace-by-variable', 'replace-subterm']);
          if (changed === undefined) break;
          expectSound(changed.script, at, changed.rule);
          at = changed.script;
        }
      }),
    );
  });

  it('replace-by-variable uses bound variables in scope', () => {
    const open = parseScript('(assert (forall ((b Bool) (c Bool)) (or b (not b)))) (check-sat)');
    const seen = new Set<string>();
    for (let seed = 0; seed < 50; seed++) {
      const changed = rules['replace-by-variable'].apply(open, Random.fromSeed(seed));
      if (changed !== undefined) seen.add(printScript(changed));
    }
    expect([...seen].some((text) => text.includes('(or c (not b))'))).toBe(true);
  });
});

describe('crossover', () => {
  const parents = fc.tuple(fc.integer(), fc.constantFrom(...logicNames), fc.constantFrom(...logicNames));

  it('returns two well-sorted formulas, each with as many assertions as its parent', () => {
    fc.assert(
      fc.property(parents, ([seed, logic, other]) => {
        const random = Random.fromSeed(seed);
        const first = frozen(generate(random, { logic: logic, assertions: 6 }));
        const second = frozen(generate(random, { logic: other, assertions: 3 }));
        const children = crossover(first, second, random);
        if (children === undefined) return;
        for (const [i, parent] of [first, second].entries()) {
          const child = children[i] as Script;
          expectSound(child, parent, 'crossover');
          expect(measure(child).assertions).toBe(measure(parent).assertions);
        }
      }),
      { numRuns: rounds(200) },
    );
  });

  it('exchanges a fifth of all assertions, or one if a parent has fewer', () => {
    const random = Random.fromSeed(2);
    const exchanged = (a: number, b: number): number => {
      const [first, second] = [generate(random, { assertions: a }), generate(random, { assertions: b })];
      const [child] = crossover(first, second, random) ?? [];
      const old = new Set(first.commands);
      return child?.commands.filter((command) => command.kind === 'assert' && !old.has(command)).length ?? -1;
    };
    expect(exchanged(10, 5)).toBe(3);
    expect(exchanged(2, 2)).toBe(1);
    expect(exchanged(20, 2)).toBe(1);
  });

  it('shares variables of equal name and sort, and renames other equal names', () => {
    const first = parseScript('(declare-const x Int) (declare-const y Int) (assert (> x y)) (check-sat)');
    const second = parseScript(
      '(declare-fun x () Int) (declare-const y Bool) (assert (=> y (< x 3))) (check-sat)',
    );
    const [child, other] = crossover(first, second, Random.fromSeed(1)) ?? [];
    expect(child && printScript(child)).toBe(
      '(declare-const x Int)\n(declare-const y Int)\n(declare-const var2 Bool)\n(assert (=> var2 (< x 3)))\n(check-sat)\n',
    );
    expect(other && printScript(other)).toContain('(assert (> x var2))');
  });

  it('moves definitions, sorts and datatypes with their assertions', () => {
    const first = parseScript(formulasByHand.definitions ?? '');
    const second = parseScript('(set-logic QF_LIA) (declare-const z Int) (assert (> z 0)) (check-sat)');
    const texts = new Set<string>();
    for (let seed = 0; seed < 10; seed++) {
      const children = crossover(first, second, Random.fromSeed(seed));
      expect(children, `seed ${seed}`).toBeDefined();
      for (const child of children ?? [])
        expect(checkScript(child), `seed ${seed}\n${printScript(child)}`).toBeUndefined();
      if (children !== undefined) texts.add(printScript(children[1]));
    }
    expect(
      [...texts].some((text) => text.includes('define-fun twice') && text.includes('(set-logic ALL)')),
    ).toBe(true);
  });

  it('keeps every pair of formulas by hand well-sorted', () => {
    for (const [, first] of byHand) {
      for (const [, second] of byHand) {
        for (let seed = 0; seed < 5; seed++) {
          const children = crossover(first, second, Random.fromSeed(seed));
          if (children === undefined) continue;
          expectSound(children[0], first, `crossover with seed ${seed}`);
          expectSound(children[1], second, `crossover with seed ${seed}`);
        }
      }
    }
  });

  it('is undefined for formulas in which 3 has different sorts', () => {
    const reals = generate(Random.fromSeed(1), { logic: 'QF_LRA' });
    const integers = generate(Random.fromSeed(1), { logic: 'QF_LIA' });
    expect(crossover(reals, integers, Random.fromSeed(1))).toBeUndefined();
  });
});

describe('occurrences', () => {
  it('every occurrence has a path and can be replaced by its own term', () => {
    for (const [, original] of byHand) {
      const occurrences = occurrencesIn(original);
      expect(occurrences).toBeDefined();
      if (occurrences === undefined) continue;
      for (let i = 0; i < occurrences.count; i++) {
        const occurrence = occurrenceAt(occurrences, i);
        expect(pathTo(occurrence.node).length).toBeLessThan(20);
        expect(replaceAt(original, occurrence, occurrence.node.term)).toEqual(original);
      }
    }
  });

  it('occurrences match the terms that the checker visits', () => {
    const found: string[] = [];
    checkScript(script, (visited) =>
      found.push(`${visited.command} ${visited.path()} ${visited.sort.symbol}`),
    );
    const occurrences = occurrencesIn(script);
    const own: string[] = [];
    for (let i = 0; i < (occurrences?.count ?? 0); i++) {
      const { command, node } = occurrenceAt(occurrences as NonNullable<typeof occurrences>, i);
      own.push(`${command} ${pathTo(node)} ${node.sort.symbol}`);
    }
    expect(own).toEqual(found);
  });
});
