import { describe, expect, it } from 'vitest';
import { failedCheckIn } from '../../src/solver/families/failed-check.js';

describe('a check of a solver’s own that failed', () => {
  it.each([
    [
      'unsat\nASSERTION VIOLATION\nFile: ../src/smt/theory_seq.cpp\nLine: 123\nFailed to verify: m_util.is_seq(e)\n',
      { says: 'Failed to verify: m_util.is_seq(e)', file: '../src/smt/theory_seq.cpp', line: 123 },
    ],
    ['Failed to verify: a && b\nsat\n', { says: 'Failed to verify: a && b' }],
    [
      'Fatal failure within void cvc5::T::f(int) at /build/cvc5/src/theory/theory.cpp:88\nCheck failure\n',
      {
        says: 'Fatal failure within void cvc5::T::f(int)',
        file: '/build/cvc5/src/theory/theory.cpp',
        line: 88,
      },
    ],
    [
      "z3: ../src/ast/ast.cpp:9: void f(): Assertion `x' failed.\n",
      { says: "void f(): Assertion `x' failed", file: '../src/ast/ast.cpp', line: 9 },
    ],
    ['assertion failed: File src/a.cpp, line 7\n', { says: 'assertion failed:', file: 'src/a.cpp', line: 7 }],
  ])('is told by %j', (text, check) => {
    expect(failedCheckIn(text)).toEqual(check);
  });

  it('is none where it answers and no more', () => {
    expect(failedCheckIn('sat\n(model)\n')).toBeUndefined();
    expect(failedCheckIn('(error "line 1 column 2: unknown constant x")\n')).toBeUndefined();
  });

  it('is told between answers as Z3 tells it, and by no text that a formula could have its solver print', () => {
    expect(failedCheckIn('', 'Failed to verify: a\nsat\n')).toEqual({ says: 'Failed to verify: a' });
    expect(failedCheckIn('', 'sat\n((x "File src/a.cpp, line 7"))\n')).toBeUndefined();
  });

  it('takes no long time to be looked for', () => {
    const started = process.cpuUsage().user;
    failedCheckIn(`${'a: b '.repeat(50_000)}\n${'File '.repeat(50_000)}\n${'x\n'.repeat(50_000)}`);
    expect(process.cpuUsage().user - started).toBeLessThan(5_000_000);
  });
});
