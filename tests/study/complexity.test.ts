import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Fault, usageFault } from '../../src/machine/index.js';
import { type ComplexityData, readErrors } from '../../src/study/complexity/complexity.js';
import { complexityFigures } from '../../src/study/complexity/complexity-figures.js';
import { seededErrors } from '../../src/study/complexity/seeded-errors.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];

describe('complexity study', () => {
  it('readErrors ignores lines with a substitute commit', () => {
    const list = `${a} ${b} http://bugs.example.org/1\n#Was fixed twice\n+${c} ${d} http://bugs.example.org/2\n${a}\n#${b} ${a} x\n${a} +${d}\n`;
    expect(readErrors(list)).toEqual([
      { introducing: a, fixing: b, report: 'http://bugs.example.org/1' },
      { introducing: c, fixing: d, report: 'http://bugs.example.org/2' },
      { introducing: a, fixing: d, report: '' },
    ]);
  });

  it('readErrors reads if an error is a change interaction error', () => {
    const list = `${a} ${b} http://bugs.example.org/1 cie\n${c} ${d} x non-cie\n${a} ${d} x maybe\n`;
    expect(readErrors(list).map(({ isInteraction }) => isInteraction)).toEqual([true, false, undefined]);
  });

  it('figures of measured errors appear next to the published ones', () => {
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
        { subject: 'x', error, introducing: measure(5, 0), fixing: measure(1, 3), days: 3 },
        { subject: 'x', error, introducing: measure(7, 0), fixing: measure(11, 100), days: 100 },
        { subject: 'x', error, introducing: measure(9, 0), fixing: measure(12, 300), days: 300 },
        {
          subject: 'x',
          error,
          introducing: usageFault('it changes no C file'),
          fixing: measure(3, 4),
          days: 200,
        },
      ],
      seeded: [],
      recent: [],
    };
    const found = Object.fromEntries(complexityFigures(data).map(({ says, own }) => [says, own]));
    expect(found['errors measured']).toBe('4 of 4');
    expect(found['simple errors (fixed with complexity 1)']).toBe('25 %');
    expect(found['errors of complexity above 10']).toBe('50 %');
    // The life span is known even if the introducing commit cannot be measured.
    expect(found['rank correlation of complexity and life span']).toBe('0.80 (p 0.20)');
    expect(found['errors fixed within a week']).toBe('25 %');
    expect(found['mean complexity of introducing and of fixing commits']).toBe('7.0 and 8.0 (p 1.00)');
    expect(Object.keys(found)).not.toContain('simple seeded errors');
    expect(Object.keys(found)).not.toContain('change interaction errors');
  });

  it('CyCC and CLoC are compared by averaged ranks, with p-value and Cohen’s kappa', () => {
    const recent = [
      [1, 1],
      [1, 1],
      [2, 3],
      [2, 2],
      [9, 4],
    ].map(([complexity = 0, lines = 0], at) => ({
      complexity,
      lines,
      ownMs: 1,
      time: 0,
      subject: 'x',
      id: `${at}`,
    }));
    const found = Object.fromEntries(
      complexityFigures({ errors: [], seeded: [], recent }).map(({ says, own }) => [says, own]),
    );
    expect(found['rank correlation of CyCC and CLoC over 5 recent commits']).toBe('0.97 (p 0.0052)');
    // Ranks 1.5 1.5 3.5 3.5 5 and 1.5 1.5 4 3 5: three of five agree, by chance (4 + 1) of 25 do.
    expect(found['Cohen’s kappa of their ranks']).toBe('0.500');
    // Values: three of five agree, by chance (4 + 2) of 25 do.
    expect(found['Cohen’s kappa of their values']).toBe('0.474');
  });

  it('real errors are compared with seeded ones, and interaction errors with others', () => {
    const fixed = (complexity: number) => ({ complexity, lines: 1, ownMs: 1, time: 0 });
    const real = [5, 9, 14, 20, 33, 41].map((complexity, at) => ({
      subject: 'x',
      error: { introducing: a, fixing: b, report: '', isInteraction: at % 2 === 0 },
      introducing: fixed(1),
      fixing: fixed(complexity),
      days: at,
    }));
    const seeded = [1, 1, 1, 2, 2, 3].map((complexity, at) => ({
      ...{ subject: 'y', version: `v${at + 1}` },
      fixing: fixed(complexity),
    }));
    const found = Object.fromEntries(
      complexityFigures({ errors: real, seeded, recent: [] }).map(({ says, own }) => [says, own]),
    );
    expect(found['simple seeded errors']).toBe('50 %');
    expect(found['seeded errors of complexity above 10']).toBe('0 %');
    // Exact: 2 of the 924 ways to divide twelve ranks are as extreme.
    expect(found['mean complexity, real errors - seeded errors']).toBe('18.7 (p 0.0022)');
    expect(found['change interaction errors']).toBe('3 of 6');
    // Exact: 14 of 20.
    expect(found['mean complexity of interaction and other errors']).toBe('17.3 and 23.3 (p 0.70)');
  });

  it('seededErrors measures faulty versions against the correct one, over their common files', async () => {
    const folder = temporaryFolder('seeded');
    const put = (path: string, text: string): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    try {
      const text = (returned: string): string => `int f (int a)\n{\n  return ${returned};\n}\n`;
      put('p/source.alt/source.orig/p.c', text('MINE + a'));
      put('p/source.alt/source.orig/p.h', '#define MINE 1\n');
      put('p/versions.alt/versions.orig/v10/p.c', text('MINE + a'));
      put('p/versions.alt/versions.orig/v2/p.c', text('MINE - a'));
      put('p/inputs/in.c', 'int x;');
      const plan = { isAsPublished: false, plan: undefined, signal: new AbortController().signal };
      const found = await seededErrors(folder, plan);
      expect(found).toMatchObject([
        { subject: 'p', version: 'v2', fixing: { complexity: 1, lines: 1 } },
        { subject: 'p', version: 'v10', fixing: { message: expect.stringContaining('changes') } },
      ]);
      expect(await seededErrors(join(folder, 'p'), plan)).toBeInstanceOf(Fault);
    } finally {
      removeFolder(folder);
    }
  });
});
