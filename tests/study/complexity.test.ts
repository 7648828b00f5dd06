import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usageFault } from '../../src/machine/index.js';
import { type ComplexityData, complexityFigures, ranks, readErrors } from '../../src/study/complexity.js';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];

describe('the study of complexity', () => {
  it('reads CoREBench’s lists, of which a line alone is a commit to build instead', () => {
    const list = `${a} ${b} http://bugs.example.org/1\n#Was fixed twice\n+${c} ${d} http://bugs.example.org/2\n${a}\n#${b} ${a} x\n${a} +${d}\n`;
    expect(readErrors(list)).toEqual([
      { introducing: a, fixing: b, report: 'http://bugs.example.org/1' },
      { introducing: c, fixing: d, report: 'http://bugs.example.org/2' },
      { introducing: a, fixing: d, report: '' },
    ]);
  });

  it('ranks numbers so that equal ones share the middle of their places', () => {
    expect(ranks([10, 20, 20, 5])).toEqual([2, 3.5, 3.5, 1]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), (values) => {
        const found = ranks(values);
        expect(found.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(
          (values.length * (values.length + 1)) / 2,
        );
        for (const [i, x] of values.entries())
          for (const [k, y] of values.entries())
            expect(Math.sign((found[i] ?? 0) - (found[k] ?? 0))).toBe(Math.sign(x - y));
      }),
    );
  });

  it('puts its figures beside the published ones, of what could be measured', () => {
    const day = 86_400;
    const measure = (complexity: number, time: number) => ({
      complexity,
      lines: complexity,
      ownMs: 1,
      time: time * day,
    });
    const error = { introducing: a, fixing: b, report: '' };
    const data: ComplexityData = {
      errors: [
        { subject: 'x', error, introducing: measure(5, 0), fixing: measure(1, 3) },
        { subject: 'x', error, introducing: measure(7, 0), fixing: measure(11, 100) },
        { subject: 'x', error, introducing: measure(9, 0), fixing: measure(12, 300) },
        { subject: 'x', error, introducing: usageFault('it changes no C file'), fixing: measure(3, 4) },
      ],
      recent: [],
    };
    const found = Object.fromEntries(complexityFigures(data).map(({ says, own }) => [says, own]));
    expect(found['errors measured']).toBe('4 of 4');
    expect(found['simple errors (fixed with complexity 1)']).toBe('25 %');
    expect(found['errors of complexity above 10']).toBe('50 %');
    expect(found['rank correlation of complexity and life span']).toBe('1.00');
    expect(found['errors fixed within a week']).toBe('33 %');
  });
});
