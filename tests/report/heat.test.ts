import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heatMap } from '../../src/report/coverage/heat-map.js';
import { heatHtml } from '../../src/report/coverage/heat-page.js';
import { mostPackedBytes, packedFiles } from '../../src/report/coverage/packed-files.js';
import { pairedLines } from '../../src/report/coverage/paired-lines.js';
import { callView, largeProgram, lineView } from './made-coverage.js';

const none = new Map<string, string>();

const unpacked = (data: string | undefined) =>
  JSON.parse(inflateSync(Buffer.from(data ?? '', 'base64')).toString('utf8'));

describe('heat map of lines', () => {
  it('has the executed lines of a run, with totals for every folder', () => {
    const view = lineView('v', {
      'src/a/one.c': { 1: 5, 2: 0, 3: 1 },
      'src/b/two.c': { 9: 2 },
      'src/b/cold.c': { 1: 0 },
    });
    const { unit, files, folders, totals, most } = heatMap([{ view, texts: none }]);
    expect(unit).toBe('lines');
    expect(files.map(({ name }) => name)).toEqual(['src/a/one.c', 'src/b/two.c']);
    expect(
      folders.map(({ name, files: many, totals: sum }) => [name, many, sum.executed, sum.whole]),
    ).toEqual([
      ['src/', 3, 3, 5],
      ['src/a/', 1, 2, 3],
      ['src/b/', 2, 1, 2],
    ]);
    expect(totals).toMatchObject({ whole: 5, executed: 3, executions: [8, 0] });
    expect(most).toBe(5);
  });

  it('separates lines that only one run executes from lines that one executes more often', () => {
    const first = { view: lineView('v', { 'a.c': { 1: 5, 2: 3, 3: 0, 4: 1, 5: 9 } }), texts: none };
    const second = { view: lineView('v', { 'a.c': { 1: 5, 2: 4, 3: 7, 4: 0, 5: 2 } }), texts: none };
    expect(heatMap([first, second]).totals).toEqual({
      whole: 5,
      executed: 5,
      only: [1, 1],
      more: [1, 1],
      executions: [18, 18],
    });
  });

  it('matches the lines of two versions by text if available', () => {
    const before = {
      view: lineView('v1', { 'a.c': { 1: 1, 2: 8, 3: 1 } }),
      texts: new Map([['a.c', 'f\ng\nh\n']]),
    };
    const after = {
      view: lineView('v2', { 'a.c': { 1: 1, 2: 3, 3: 8 } }),
      texts: new Map([['a.c', 'f\nnew\ng\n']]),
    };
    const { files, totals } = heatMap([before, after]);
    expect(
      files[0]?.rows.map(({ first, second, text, before: a, after: b }) => [first, second, text, a, b]),
    ).toEqual([
      [1, 1, 'f', 1, 1],
      [0, 2, 'new', undefined, 3],
      [2, 3, 'g', 8, 8],
      [3, 0, 'h', 1, undefined],
    ]);
    expect(totals.only).toEqual([1, 1]);
    const { files: numbered } = heatMap([before, { ...after, texts: none }]);
    expect(numbered[0]?.hasText).toBe(false);
    expect(numbered[0]?.rows.map(({ first, second }) => [first, second])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  it('has every line of both versions once, in order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 15 }), { minLength: 1 });
    fc.assert(
      fc.property(text, text, numbers, numbers, (a, b, ofA, ofB) => {
        const { pairs } = pairedLines(
          { text: [...a, ''], numbers: new Set(ofA) },
          { text: [...b, ''], numbers: new Set(ofB) },
        );
        for (const [side, lines, own] of [
          [0, a, ofA],
          [1, b, ofB],
        ] as const) {
          const found = pairs.map((pair) => pair[side]).filter((line) => line > 0);
          expect(found).toEqual(found.toSorted((x, y) => x - y));
          expect(new Set(found)).toEqual(new Set(found));
          for (const line of [...lines.keys()].map((at) => at + 1)) expect(found).toContain(line);
          for (const line of own) expect(found).toContain(line);
        }
        for (const [one, other] of pairs)
          if (one > 0 && other > 0 && one <= a.length && other <= b.length)
            expect(a[one - 1]).toBe(b[other - 1]);
      }),
    );
  });
});

describe('heat map of calls', () => {
  it('has namespaces, classes and functions instead of folders, files and lines', () => {
    const first = callView('z3@1', {
      'smt::context::propagate()': 3,
      'smt::context::pop(unsigned int)': 0,
      'lp::map<a::b, c>::find(int)': 2,
      'mk(int)': 1,
    });
    const second = callView('z3@2', {
      'smt::context::propagate()': 30,
      'smt::theory::init()': 4,
      'mk(int)': 1,
    });
    const { unit, files, folders } = heatMap([
      { view: first, texts: none },
      { view: second, texts: none },
    ]);
    expect(unit).toBe('functions');
    expect(files.map(({ name, totals }) => [name, totals.executed, totals.whole])).toEqual([
      ['lp::map<a::b, c>', 1, 1],
      ['smt::context', 1, 2],
      ['smt::theory', 1, 1],
      ['(no class)', 1, 1],
    ]);
    expect(folders.map(({ name, totals }) => [name, totals.only, totals.more])).toEqual([
      ['lp::', [1, 0], [0, 0]],
      ['smt::', [0, 1], [0, 1]],
    ]);
  });
});

describe('packed files of a heat map', () => {
  it('hold every line of a file, and the reason for missing text', () => {
    const view = lineView('v', { 'a.c': { 2: 5, 3: 0 }, 'gone.c': { 4: 1, 9: 2 } });
    const map = heatMap([{ view, texts: new Map([['a.c', '/* \u202e */\r\nf();\r\ng();\r\n']]) }]);
    const [a, gone] = packedFiles(map);
    expect(unpacked(a?.data)).toEqual({
      first: [1, 1, 1],
      text: '/* \\u{202e} */\nf();\ng();',
      before: [-1, 5, 0],
      most: 5,
    });
    expect(unpacked(gone?.data)).toMatchObject({
      first: [4, 5],
      before: [1, 2],
      note: expect.stringContaining('is not available'),
    });
  });

  it('leave out the text, then the lines, of the least relevant files if space runs out', () => {
    const { first } = largeProgram(6, 200);
    const map = heatMap([first]);
    const all = packedFiles(map).map(({ data = '' }) => data.length);
    const sum = all.reduce((total, size) => total + size, 0);
    const tight = packedFiles(map, 0.8 * sum);
    expect(tight.reduce((total, { data = '' }) => total + data.length, 0)).toBeLessThanOrEqual(0.8 * sum);
    const carried = tight.flatMap(({ data }) => (data === undefined ? [] : [unpacked(data)]));
    expect(carried[0].text).toBeDefined();
    expect(carried.at(-1)).toMatchObject({ note: expect.stringContaining('too large') });
    expect(carried.at(-1)).not.toHaveProperty('text');
    expect(packedFiles(map, 0).every(({ data }) => data === undefined)).toBe(true);
    expect(heatHtml([first], '1')).toContain('href="#src/part-0/file-0.cpp"');
  });

  it('stay within the size limit for 400,000 lines and render none of them', () => {
    const { first, second } = largeProgram(700, 572);
    const page = heatHtml([first, second], '1');
    expect(page.length).toBeLessThan(mostPackedBytes + 2 ** 20);
    expect(page).not.toContain('m_value_');
    expect(page.match(/class="packed"/g)).toHaveLength(700);
  });

  it('escape untrusted names and lines', () => {
    const name = '"><script>alert(1)</script>.c';
    const view = lineView('<b>v', { [name]: { 1: 1 } });
    const page = heatHtml([{ view, texts: new Map([[name, '</script><script>alert(2)</script>']]) }], '1');
    expect(page).not.toContain('alert(2)');
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('<b>v');
  });
});
