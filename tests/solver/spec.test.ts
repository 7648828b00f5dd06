import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/machine/index.js';
import {
  type KnownFamily,
  parseSpec,
  parseSpecList,
  printSpec,
  type VersionSpec,
} from '../../src/solver/version/spec.js';

const options = {};

describe('parseSpec', () => {
  it.each<[string, VersionSpec]>([
    ['z3@4.8.12', { from: 'any', family: 'z3', number: '4.8.12', options }],
    [' cvc4@1.8 ', { from: 'any', family: 'cvc4', number: '1.8', options }],
    ['z3@latest', { from: 'any', family: 'z3', number: 'latest', options }],
    ['z3', { from: 'path', family: undefined, path: 'z3', options }],
    ['z3str3?a=b', { from: 'path', family: 'z3str3', path: 'z3', options: { a: 'b' } }],
    ['z3str3@4.8.12', { from: 'any', family: 'z3str3', number: '4.8.12', options }],
    [
      'z3@5.2.0?smt.arith.solver=2&smt.random_seed=3',
      {
        from: 'any',
        family: 'z3',
        number: '5.2.0',
        options: { 'smt.arith.solver': '2', 'smt.random_seed': '3' },
      },
    ],
    ['embedded:z3@5.2.0', { from: 'embedded', family: 'z3', number: '5.2.0', options }],
    ['npm:z3@4.12.2', { from: 'npm', family: 'z3', number: '4.12.2', options }],
    ['pypi:z3str3@4.13.0', { from: 'pypi', family: 'z3str3', number: '4.13.0', options }],
    ['debian:bullseye/z3', { from: 'debian', family: 'z3', suite: 'bullseye', package: 'z3', options }],
    [
      'debian:z3str3=bullseye/z3',
      { from: 'debian', family: 'z3str3', suite: 'bullseye', package: 'z3', options },
    ],
    ['debian:trixie/cvc5', { from: 'debian', family: 'cvc5', suite: 'trixie', package: 'cvc5', options }],
    ['path:/usr/bin/z3', { from: 'path', family: undefined, path: '/usr/bin/z3', options }],
    ['path:cvc5=/opt/x/bin/solver', { from: 'path', family: 'cvc5', path: '/opt/x/bin/solver', options }],
    ['./build/z3?a=b', { from: 'path', family: undefined, path: './build/z3', options: { a: 'b' } }],
    ['/opt/100%/z3', { from: 'path', family: undefined, path: '/opt/100%/z3', options }],
    [
      'git:git@example.org:z3.git@a1b2c3',
      { from: 'git', repository: 'git@example.org:z3.git', revision: 'a1b2c3', options },
    ],
    [
      'git:../z3@master?quick&smt.arith.solver=2',
      {
        from: 'git',
        repository: '../z3',
        revision: 'master',
        variant: 'quick',
        options: { 'smt.arith.solver': '2' },
      },
    ],
    [
      'git:../z3@master?coverage&smt.arith.solver=2&quick',
      {
        from: 'git',
        repository: '../z3',
        revision: 'master',
        variant: 'quick-coverage',
        options: { 'smt.arith.solver': '2' },
      },
    ],
    ['mysolver', { from: 'template', name: 'mysolver', options }],
  ])('reads %s', (text, spec) => {
    expect(parseSpec(text, ['mysolver'])).toEqual(spec);
  });

  it.each([
    ['', /missing/],
    ['z3@', /not a release number/],
    ['z3@newest', /"newest" in "z3@newest" is not a release number: write one such as z3@5\.2\.0/],
    ['z3@4', /not a release number/],
    ['cvc6@1.0', /not a solver family \(did you mean cvc4\?\)/],
    ['mysolvr', /did you mean mysolver\?/],
    ['pipi:z3@4.13.0', /did you mean pypi\?/],
    ['z3str3:debian:bullseye/z3', /write z3str3@NUMBER, or debian:z3str3=SUITE\/PACKAGE/],
    ['npm:cvc5@1.0.3', /holds Z3 only, not cvc5/],
    ['npm:', /is incomplete: write it like npm:z3@4\.12\.2/],
    ['debian:bullseye/z33', /did you mean z3\?/],
    ['debian:../z3', /not the name of a Debian suite/],
    ['debian:cvc5=bullseye/z3', /package z3 is not a cvc5/],
    ['path:cvc6=/opt/solver', /did you mean cvc4\?/],
    ['git:repository', /needs a repository and a revision: write it like git:/],
    ['z3@4.8.12?smt.random_seed', /not an option: write it like/],
    ['z3@4.8.12?a=1&a=2', /sets a twice/],
    ['mysolver?a=1', /put them into its command in culprit\.json/],
    ['constructor', /neither a version/],
    ['constructor:x', /not a source/],
    ['toString@1.0', /not a solver family/],
  ])('explains the mistake in "%s"', (text, message) => {
    const fault = parseSpec(text, ['mysolver']);
    expect(fault).toBeInstanceOf(Fault);
    expect((fault as Fault).kind).toBe('usage');
    expect((fault as Fault).message).toMatch(message);
  });

  it('returns a spec or one sentence for any garbage', () => {
    const garbage = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('z3', '@', ':', '/', '?', '=', '&', ',', '%', '4.8', 'debian', 'path', '.'),
      }),
    );
    fc.assert(
      fc.property(garbage, (text) => {
        const spec = parseSpec(text);
        if (spec instanceof Fault) expect(spec.message).toMatch(/^.+[^.]$/s);
        else expect(parseSpec(printSpec(spec))).toEqual(spec);
      }),
      { numRuns: 2_000 },
    );
  });
});

const number = fc.array(fc.nat(99), { minLength: 2, maxLength: 4 }).map((parts) => parts.join('.'));
const text = fc.string({ minLength: 1, unit: 'binary' }).filter((word) => !word.includes('\0'));
const anyOptions = fc
  .dictionary(text, text, { noNullPrototype: true })
  .filter((options) => !Object.hasOwn(options, '__proto__'));
const family = fc.constantFrom<KnownFamily>('z3', 'z3str3', 'cvc4', 'cvc5');
const z3Family = fc.constantFrom('z3' as const, 'z3str3' as const);
const suite = fc.stringMatching(/^[a-z][a-z0-9.-]{0,10}$/);

const anySpec: fc.Arbitrary<VersionSpec> = fc.oneof(
  fc.record({ from: fc.constant('any' as const), family, number, options: anyOptions }),
  fc.record({
    from: fc.constantFrom('embedded' as const, 'npm' as const, 'pypi' as const),
    family: z3Family,
    number,
    options: anyOptions,
  }),
  fc.record({
    from: fc.constant('debian' as const),
    family: z3Family,
    suite,
    package: fc.constant('z3' as const),
    options: anyOptions,
  }),
  fc.record({
    from: fc.constant('path' as const),
    family: fc.option(family, { nil: undefined }),
    path: text,
    options: anyOptions,
  }),
  fc.record({
    from: fc.constant('git' as const),
    repository: text,
    revision: text,
    variant: fc.constantFrom(undefined, 'quick' as const, 'coverage' as const, 'quick-coverage' as const),
    options: anyOptions,
  }),
  fc.record({
    from: fc.constant('template' as const),
    name: fc.constant('mysolver'),
    options: fc.constant({}),
  }),
);

describe('printSpec', () => {
  it('prints text that parseSpec reads back', () => {
    fc.assert(
      fc.property(anySpec, (spec) => {
        expect(parseSpec(printSpec(spec), ['mysolver'])).toEqual(spec);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('parseSpecList', () => {
  it('reads versions separated by commas', () => {
    const specs = parseSpecList('z3@4.8.12, z3@5.2.0 ,mysolver', ['mysolver']);
    expect(specs).toHaveLength(3);
  });

  it('reads back any list of printed versions', () => {
    const lists = fc.uniqueArray(anySpec, { minLength: 1, maxLength: 5, selector: sortedPrint });
    fc.assert(
      fc.property(lists, (specs) => {
        expect(parseSpecList(specs.map(printSpec).join(','), ['mysolver'])).toEqual(specs);
      }),
    );
  });

  it.each([
    ['z3@4.8.12,z3@4.8.12', /z3@4\.8\.12 is listed twice/],
    ['z3@4.8.12?a=1&b=2,z3@4.8.12?b=2&a=1', /listed twice/],
    ['z3@4.8.12,', /missing/],
    [',', /missing/],
  ])('rejects %s', (list, message) => {
    const fault = parseSpecList(list);
    expect((fault as Fault).message).toMatch(message);
  });
});

function sortedPrint(spec: VersionSpec): string {
  return printSpec({ ...spec, options: Object.fromEntries(Object.entries(spec.options).sort()) });
}
