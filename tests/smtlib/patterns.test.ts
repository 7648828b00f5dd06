import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/machine/random.js';
import { checkScript } from '../../src/smtlib/checking/check.js';
import { measure } from '../../src/smtlib/measure.js';
import { patternNames, patterns, type RegexParameters } from '../../src/smtlib/patterns/index.js';
import { printScript } from '../../src/smtlib/printing/print.js';
import { parseScript } from '../../src/smtlib/reading/parse.js';
import type { Script } from '../../src/smtlib/tree.js';

const small = fc.integer({ min: 0, max: 6 });
const length = fc.integer({ min: 0, max: 12 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Formulas of all patterns with arbitrary parameters. */
const made: fc.Arbitrary<(random: Random) => Script> = fc.oneof(
  fc
    .record({
      depth: small,
      shape: fc.constantFrom('nested' as const, 'balanced' as const, 'chained' as const),
      solution: fc.option(fc.constantFrom('', 'solution'), { nil: undefined }),
      extracts: fc.nat(40),
      lastExtract: length,
    })
    .map((chosen) => (random: Random) => patterns.concats.generate(random, chosen)),
  fc
    .record({
      variables: small,
      minLength: length,
      maxLength: length,
      concats: small,
      relations: fc.constantFrom('equal' as const, 'random' as const),
    })
    .map((chosen) => (random: Random) => patterns.lengths.generate(random, chosen)),
  fc
    .record({ variables: small, literalLength: length })
    .map((chosen) => (random: Random) => patterns.overlaps.generate(random, chosen)),
  fc
    .record({
      expressions: small,
      terms: small,
      prefixLength: length,
      suffixLength: length,
      infixProbability: share,
      infixLength: length,
      lengths: fc.constantFrom('exact' as const, 'random' as const),
    })
    .map((chosen) => (random: Random) => patterns.equality.generate(random, chosen)),
  fc
    .record({
      regexes: small,
      terms: small,
      depth: small,
      minLiteral: small,
      maxLiteral: small,
      literals: fc.constantFrom('increasing' as const, 'random' as const),
      restartsLetters: fc.boolean(),
      membership: fc.constantFrom(
        'in' as const,
        'not-in' as const,
        'alternating' as const,
        'random' as const,
      ),
      operators: fc.subarray<RegexParameters['operators'][number]>([
        're.*',
        're.+',
        're.union',
        're.inter',
        're.++',
      ]),
      order: fc.constantFrom('alternating' as const, 'random' as const),
      minLength: fc.option(length, { nil: undefined }),
      maxLength: fc.option(length, { nil: undefined }),
    })
    .map((chosen) => (random: Random) => patterns.regex.generate(random, chosen)),
);

const text = (script: Script): string =>
  printScript(script)
    .split('\n')
    .filter((line) => line.startsWith('(assert'))
    .join('\n');

describe('every pattern', () => {
  it('generates well-sorted formulas that print and parse to the same tree', () => {
    fc.assert(
      fc.property(fc.integer(), made, (seed, make) => {
        const script = make(Random.fromSeed(seed));
        expect(checkScript(script)).toBeUndefined();
        expect(parseScript(printScript(script))).toEqual(script);
        expect(script.commands.at(-1)).toEqual({ kind: 'check-sat' });
      }),
      { numRuns: 300 },
    );
  });

  it('generates the same formula for the same seed', () => {
    fc.assert(
      fc.property(fc.integer(), made, (seed, make) => {
        expect(make(Random.fromSeed(seed))).toEqual(make(Random.fromSeed(seed)));
      }),
    );
  });

  it('generates the same text in every release', () => {
    const texts = patternNames.map(
      (pattern) => `${pattern}\n${text(patterns[pattern].generate(Random.fromSeed(7)))}`,
    );
    expect(texts.join('\n')).toMatchInlineSnapshot(`
      "concats
      (assert (= var0 (str.++ var1 (str.++ var2 (str.++ var3 (str.++ var4 (str.++ var5 var6)))))))
      lengths
      (assert (= 3 (str.len var0)))
      (assert (= 2 (str.len var1)))
      (assert (= 7 (str.len var2)))
      (assert (= 9 (str.len var3)))
      (assert (= 4 (str.len var4)))
      overlaps
      (assert (= (str.++ "=@W0K" (str.++ var0 var1)) (str.++ (str.++ var0 var1) "U!J2R")))
      equality
      (assert (= var0 (str.++ "=@W0K" (str.++ var1 (str.++ var2 (str.++ var3 (str.++ var4 (str.++ var5 ""))))))))
      (assert (= var0 (str.++ "J#m<A" (str.++ var6 (str.++ var7 (str.++ var8 (str.++ var9 (str.++ var10 ""))))))))
      regex
      (assert (str.in_re var0 (re.++ (re.+ (str.to_re "K")) (re.++ (re.+ (str.to_re "R,j")) (re.union (str.to_re "m<A") (str.to_re "S7G"))))))"
    `);
  });
});

describe('pattern concats', () => {
  const random = Random.fromSeed(1);

  it('nests concatenations in the last argument by default', () => {
    expect(text(patterns.concats.generate(random, { depth: 2 }))).toBe(
      '(assert (= var0 (str.++ var1 (str.++ var2 var3))))',
    );
  });

  it('nests concatenations in both arguments in shape "balanced"', () => {
    expect(text(patterns.concats.generate(random, { depth: 2, shape: 'balanced' }))).toBe(
      '(assert (= var0 (str.++ (str.++ var1 var2) (str.++ var3 var4))))',
    );
  });

  it('writes one equation per concatenation in shape "chained"', () => {
    expect(text(patterns.concats.generate(random, { depth: 2, shape: 'chained', solution: 'ab' }))).toBe(
      '(assert (= var0 (str.++ var1 var2)))\n(assert (= var2 (str.++ var3 var4)))\n(assert (= var0 "ab"))',
    );
  });

  it('generates 100,000 nested concatenations', () => {
    expect(measure(patterns.concats.generate(random, { depth: 100_000 })).depth).toBe(100_001);
  });

  it('fixes each character at most once', () => {
    const fixed = text(patterns.concats.generate(random, { depth: 1, extracts: 1000, lastExtract: 3 }));
    const places = fixed.match(/\(str\.at [^)]*\)/g) ?? [];
    expect(places.length).toBe(12);
    expect(new Set(places).size).toBe(12);
  });
});

describe('other patterns', () => {
  const random = Random.fromSeed(1);

  it('lengths gives a concatenation the sum of the lengths of its variables', () => {
    const lines = text(
      patterns.lengths.generate(random, { variables: 2, minLength: 3, maxLength: 3, concats: 9 }),
    );
    expect(lines).toMatch(/\(assert \(= 6 \(str\.len \(str\.\+\+ var[01] var[01]\)\)\)\)/);
  });

  it('overlaps puts the same variables after and before a literal', () => {
    expect(text(patterns.overlaps.generate(random, { variables: 2, literalLength: 0 }))).toBe(
      '(assert (= (str.++ "" (str.++ var0 var1)) (str.++ (str.++ var0 var1) "")))',
    );
  });

  it('regex alternates membership, starting with "in"', () => {
    const lines = text(patterns.regex.generate(random, { regexes: 3, membership: 'alternating' })).split(
      '\n',
    );
    expect(lines.map((line) => line.startsWith('(assert (not '))).toEqual([false, true, false]);
  });

  it('regex cycles through letters and operators', () => {
    const chosen = {
      terms: 1,
      depth: 2,
      maxLiteral: 1,
      literals: 'increasing',
      order: 'alternating',
    } as const;
    expect(text(patterns.regex.generate(random, { ...chosen, operators: ['re.union', 're.*'] }))).toBe(
      '(assert (str.in_re var0 (re.union (re.* (str.to_re "0")) (re.* (str.to_re "1")))))',
    );
  });
});
