import { describe, expect, it } from 'vitest';
import { failedCheckIn } from '../../src/solver/families/failed-check.js';

describe('failedCheckIn', () => {
  it.each([
    [
      'unsat\nASSERTION VIOLATION\nFile: ../src/smt/theory_seq.cpp\nLine: 123\nFailed to verify: m_util.is_seq(e)\n',
      { message: 'Failed to verify: m_util.is_seq(e)', file: '../src/smt/theory_seq.cpp', line: 123 },
    ],
    ['Failed to verify: a && b\nsat\n', { message: 'Failed to verify: a && b' }],
    [
      'Fatal failure within void cvc5::T::f(int) at /build/cvc5/src/theory/theory.cpp:88\nCheck failure\n',
      {
        message: 'Fatal failure within void cvc5::T::f(int)',
        file: '/build/cvc5/src/theory/theory.cpp',
        line: 88,
      },
    ],
    [
      "z3: ../src/ast/ast.cpp:9: void f(): Assertion `x' failed.\n",
      { message: "void f(): Assertion `x' failed", file: '../src/ast/ast.cpp', line: 9 },
    ],
    [
      'assertion failed: File src/a.cpp, line 7\n',
      { message: 'assertion failed:', file: 'src/a.cpp', line: 7 },
    ],
  ])('reads the check from %j', (text, check) => {
    expect(failedCheckIn(text)).toEqual(check);
  });

  it('finds no check in ordinary output', () => {
    expect(failedCheckIn('sat\n(model)\n')).toBeUndefined();
    expect(failedCheckIn('(error "line 1 column 2: unknown constant x")\n')).toBeUndefined();
  });

  it('reads Z3’s own messages between answers, but no text that a formula could print', () => {
    expect(failedCheckIn('', 'Failed to verify: a\nsat\n')).toEqual({ message: 'Failed to verify: a' });
    expect(failedCheckIn('', 'sat\n((x "File src/a.cpp, line 7"))\n')).toBeUndefined();
  });

  it('takes linear time', () => {
    const started = process.cpuUsage().user;
    failedCheckIn(`${'a: b '.repeat(50_000)}\n${'File '.repeat(50_000)}\n${'x\n'.repeat(50_000)}`);
    expect(process.cpuUsage().user - started).toBeLessThan(5_000_000);
  });
});
