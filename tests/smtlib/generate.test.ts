import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/machine/random.js';
import { checkScript } from '../../src/smtlib/checking/check.js';
import {
  type GenerateParameters,
  generate,
  operatorsOf,
  parameterRanges,
} from '../../src/smtlib/generating/generate.js';
import { logicNames, logics } from '../../src/smtlib/generating/logics.js';
import { isPossible } from '../../src/smtlib/generating/possible.js';
import { measure } from '../../src/smtlib/measure.js';
import { printScript } from '../../src/smtlib/printing/print.js';
import { parseScript } from '../../src/smtlib/reading/parse.js';
import { operatorsByName } from '../../src/smtlib/theories/index.js';

const parameters: fc.Arbitrary<Partial<GenerateParameters>> = fc.record({
  logic: fc.constantFrom(...logicNames),
  literalLength: fc.integer({ min: 0, max: 40 }),
  variables: fc.integer({ min: 0, max: 5 }),
  assertions: fc.integer({ min: 0, max: 8 }),
  depth: fc.integer({ min: 0, max: 7 }),
  literals: fc.constantFrom('random', 'meaningful'),
  literalProbability: fc.double({ min: 0, max: 1, noNaN: true }),
  possible: fc.boolean(),
});

describe('generate', () => {
  it('generates well-sorted formulas for all logics and parameters', () => {
    fc.assert(
      fc.property(fc.integer(), parameters, (seed, chosen) => {
        const script = generate(Random.fromSeed(seed), chosen);
        expect(checkScript(script)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('generates only the allowed operators', () => {
    fc.assert(
      fc.property(fc.integer(), parameters, fc.func(fc.boolean()), (seed, chosen, isAllowed) => {
        const operators = new Set(
          operatorsOf(chosen.logic ?? 'QF_SLIA').filter((operator) => isAllowed(operator)),
        );
        const script = generate(Random.fromSeed(seed), { ...chosen, operators });
        expect(checkScript(script)).toBeUndefined();
        // Negative numbers, fractions and literals of languages are applications.
        const literal = new Set(['-', '/', 're.range', 'str.to_re']);
        const used = [...measure(script).operators.keys()].filter((operator) => !literal.has(operator));
        expect(used.filter((operator) => !operators.has(operator))).toEqual([]);
      }),
    );
  });

  it('generates formulas that print and parse to the same tree', () => {
    fc.assert(
      fc.property(fc.integer(), parameters, (seed, chosen) => {
        const script = generate(Random.fromSeed(seed), chosen);
        expect(parseScript(printScript(script))).toEqual(script);
      }),
    );
  });

  it('generates the same formula for the same seed', () => {
    fc.assert(
      fc.property(fc.integer(), parameters, (seed, chosen) => {
        expect(generate(Random.fromSeed(seed), chosen)).toEqual(generate(Random.fromSeed(seed), chosen));
      }),
    );
  });

  it('generates the same text in every release', () => {
    expect(printScript(generate(Random.fromSeed(42)))).toMatchInlineSnapshot(`
      "(set-logic QF_SLIA)
      (declare-fun var0 () String)
      (declare-fun var1 () String)
      (declare-fun var2 () String)
      (declare-fun var3 () Int)
      (declare-fun var4 () Int)
      (declare-fun var5 () Int)
      (declare-fun var6 () Bool)
      (declare-fun var7 () Bool)
      (declare-fun var8 () Bool)
      (assert (and (and var6 var8 var6) (str.in_re var1 re.none)))
      (assert (str.in_re var1 (str.to_re "o4@9A#r5If")))
      (assert (str.in_re var1 (str.to_re "/K(V1|2.be")))
      (assert (ite (or var8 var6) (or var7 var6 var7) (str.is_digit var1)))
      (check-sat)
      "
    `);
    expect(printScript(generate(Random.fromSeed(42), { literals: 'meaningful' }))).toMatchInlineSnapshot(`
      "(set-logic QF_SLIA)
      (declare-fun var0 () String)
      (declare-fun var1 () String)
      (declare-fun var2 () String)
      (declare-fun var3 () Int)
      (declare-fun var4 () Int)
      (declare-fun var5 () Int)
      (declare-fun var6 () Bool)
      (declare-fun var7 () Bool)
      (declare-fun var8 () Bool)
      (assert (and (and var6 var8 var6) (str.in_re var1 re.none)))
      (assert (str.in_re var1 (str.to_re "0cb")))
      (assert (= (str.indexof var1 var1 var3) (- 10)))
      (assert (or (>= var3 var3) (str.in_re var2 (str.to_re "0cb"))))
      (check-sat)
      "
    `);
  });

  it('generates as many variables and assertions as requested, within the requested depth', () => {
    fc.assert(
      fc.property(fc.integer(), parameters, (seed, chosen) => {
        const found = measure(generate(Random.fromSeed(seed), chosen));
        const { variables = 0, assertions = 0, depth = 0, logic = 'QF_SLIA' } = chosen;
        expect(found.variables).toBe(variables * logics[logic].variables.length);
        expect(found.assertions).toBe(assertions);
        // A literal such as (- 3) or (str.to_re "a") adds a level.
        expect(found.depth).toBeLessThanOrEqual(depth + 1);
      }),
    );
  });

  it('generates set-logic first and check-sat last', () => {
    for (const logic of logicNames) {
      const { commands } = generate(Random.fromSeed(1), { logic });
      expect(commands[0]).toEqual({ kind: 'set-logic', logic });
      expect(commands.at(-1)).toEqual({ kind: 'check-sat' });
    }
  });

  it("generates string literals of the paper's length", () => {
    const script = generate(Random.fromSeed(2), { literalLength: 37, literalProbability: 1, assertions: 20 });
    const literals = [...printScript(script).matchAll(/"((?:[^"]|"")*)"/g)].map((match) => match[1]?.length);
    expect(literals.filter((length) => length === 37).length).toBeGreaterThan(20);
    // The bounds of character ranges are single characters.
    expect(literals.every((length) => length === 37 || length === 1)).toBe(true);
  });

  it('generates repeated and overlapping literals in the style "meaningful"', () => {
    const script = generate(Random.fromSeed(2), {
      literals: 'meaningful',
      literalProbability: 1,
      assertions: 30,
    });
    const literals = [...printScript(script).matchAll(/"([abc012]*)"/g)].map((match) => match[1] ?? '');
    expect(literals.length).toBeGreaterThan(30);
    expect(new Set(literals).size).toBeLessThan(20);
    expect(Math.max(...literals.map((literal) => literal.length))).toBeLessThanOrEqual(6);
  });

  it('generates few unsatisfiable assertions with possible: true', () => {
    const falseOnes = (possible: boolean): number => {
      const random = Random.fromSeed(1);
      const { commands } = generate(random, { assertions: 300, literals: 'meaningful', possible });
      const sorts = new Map(
        commands.flatMap((command) =>
          command.kind === 'declare-fun' ? [[command.name, command.result] as const] : [],
        ),
      );
      return commands.filter(
        (command) => command.kind === 'assert' && !isPossible(command.term, sorts, random),
      ).length;
    };
    expect(falseOnes(false)).toBeGreaterThan(20);
    expect(falseOnes(true)).toBeLessThan(falseOnes(false) / 5);
  });

  it('generates every operator of its logic', () => {
    for (const logic of logicNames) {
      const random = Random.fromSeed(9);
      const seen = new Set<string>();
      for (let i = 0; i < 600; i++) {
        for (const operator of measure(generate(random, { logic, depth: 4 })).operators.keys())
          seen.add(operator);
      }
      const sorts = new Set([...logics[logic].variables, ...logics[logic].others].map((sort) => sort.symbol));
      const wanted = logics[logic].uses.filter(({ name, avoids }) =>
        operatorsByName
          .get(name)
          ?.some((overload) =>
            [...overload.parameters, overload.result].every(
              (part) => 'variable' in part || (sorts.has(part.symbol) && !avoids.has(part.symbol)),
            ),
          ),
      );
      expect(wanted.map((use) => use.name).filter((name) => !seen.has(name))).toEqual([]);
    }
  });

  it("generates well-sorted formulas at the upper ends of the paper's ranges", () => {
    const script = generate(Random.fromSeed(3), {
      literalLength: parameterRanges.literalLength[1],
      variables: parameterRanges.variables[1],
      assertions: parameterRanges.assertions[1],
      depth: parameterRanges.depth[1],
    });
    expect(checkScript(script)).toBeUndefined();
  });
});
