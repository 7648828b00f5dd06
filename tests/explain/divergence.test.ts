import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changedFiles } from '../../src/explain/changes/change.js';
import { AlignedLines } from '../../src/explain/comparing/aligned-lines.js';
import { tracedDivergence } from '../../src/explain/comparing/traced-divergence.js';
import { TestedVersion } from '../../src/explain/trials/tested-version.js';
import { compileWithTrace } from '../symbolic/traced-compilation.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const { signal } = new AbortController();

/** Records a version of a program in the folder in which culprit looks for stored runs. */
async function recorded(text: string, folder: string): Promise<void> {
  const [source, traces] = [join(folder, 'source'), join(folder, 'traces')];
  for (const made of [source, traces]) mkdirSync(made, { recursive: true });
  writeFileSync(join(source, 'main.c'), text);
  await compileWithTrace('clang', ['-o', 'prog', 'main.c'], source);
  execFileSync(join(source, 'prog'), {
    cwd: source,
    stdio: 'ignore',
    env: { ...process.env, CULPRIT_TRACE_DIR: traces },
  });
}

/** First lines, in the new version, of the changes at which the runs of two programs diverge, by kind. */
async function divergenceOf(old: string, next: string, reverted: readonly number[] = []) {
  const folder = temporaryFolder('divergence');
  const versions = { old, new: next };
  for (const [name, text] of Object.entries(versions)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'main.c'), text);
    await recorded(text, join(folder, 'traced', name));
  }
  const files = changedFiles([{ path: 'main.c', oldText: old, newText: next, oldMode: undefined }]);
  const commands = {
    build: 'cc -o prog main.c',
    test: './prog | grep -qx 70000',
    ...{ buildLimitMs: 60_000, testLimitMs: 60_000 },
  };
  const version = (name: string) => new TestedVersion({ kind: 'folder', path: join(folder, name) }, commands);
  const divergence = withoutFault(
    await tracedDivergence({
      old: version('old'),
      new: version('new'),
      folder: join(folder, 'traced'),
      signal,
      files,
      reverted: new Set(reverted),
    }),
  );
  const lines = (changes: readonly { readonly new: { readonly from: number } }[]) =>
    changes.map(({ new: { from } }) => from).toSorted((a, b) => a - b);
  return {
    origins: lines(divergence.origins),
    unjudged: lines(divergence.unjudged),
    carriers: lines(divergence.carriers),
  };
}

const program = (...lines: readonly string[]): string =>
  ['#include <stdio.h>', ...lines, '  printf("%u\\n", sum);', '  return 0;', '}', ''].join('\n');

describe('the divergence of two runs', () => {
  const main = (start: string, more: string): string =>
    program('int main(void) {', `  unsigned a = ${start};`, '  unsigned b = a;', `  unsigned sum = ${more};`);

  it('is at changes that compute another result from the same values, not at equivalent changes', async () => {
    const { origins, carriers } = await divergenceOf(
      main('10u * 1000u', 'b * 7u'),
      main('1000u * 10u', '(b + 1u) * 7u'),
    );
    expect(origins).toEqual([5]);
    expect(carriers).toEqual([]);
  });

  it('is not at a change that only passes on a different value like the old code', async () => {
    const found = await divergenceOf(main('10000u', 'b * 7u'), main('10001u', '7u * b'));
    expect(found).toMatchObject({ origins: [3], carriers: [5] });
  });

  it('is at a change that receives a different value and treats it unlike the old code', async () => {
    const found = await divergenceOf(main('10000u', 'b * 7u'), main('10001u', '7u * b + 7u'));
    expect(found).toMatchObject({ origins: [3, 5], carriers: [] });
  });

  it('is at an undecidable change as soon as its input values are equal again', async () => {
    const choosing = (other: string) => `b > 5u ? b * 7u${other} : 0u`;
    const versions = [main('10000u', choosing('')), main('10001u', choosing(' + 7u'))] as const;
    expect(await divergenceOf(...versions)).toMatchObject({ origins: [3], carriers: [5] });
    expect(await divergenceOf(...versions, [0])).toMatchObject({ origins: [5] });
  });

  it('is not at moved lines, renamed variables or inverted conditions', async () => {
    const old = ['  unsigned c = a + 5u;', '  unsigned d = a * 2u;', '  if (c > 9u) {', '    d += c;', '  }'];
    const next = [
      '  unsigned d = a * 2u;',
      '  unsigned e = a + 5u;',
      '  if (!(e <= 9u)) {',
      '    d += e;',
      '  }',
    ];
    const around = (start: string, lines: readonly string[], sum: string) =>
      program('int main(void) {', `  unsigned a = ${start};`, ...lines, `  unsigned sum = d + ${sum};`);
    const found = await divergenceOf(around('20000u', old, '9995u'), around('20001u', next, '9995u'));
    expect(found.origins).toEqual([3]);
  });

  it('can be in a new function with any arguments', async () => {
    const own = ['static unsigned pick(unsigned x) {', '  return flag ? x * 7u + 5u : slow(x);', '}'];
    const version = (flag: string, functions: readonly string[], called: string) =>
      program(
        'static unsigned flag;',
        'static unsigned slow(unsigned x) { return x * 7u; }',
        ...functions,
        'int main(void) {',
        `  flag = ${flag};`,
        `  unsigned sum = ${called}(10000u);`,
      );
    const found = await divergenceOf(version('0u', [], 'slow'), version('1u', own, 'pick'));
    expect(found.origins).toContain(8);
    expect(found.unjudged).toContain(4);
  });

  it('is at a removed statement', async () => {
    const main = (...gone: readonly string[]) =>
      program('int main(void) {', '  unsigned sum = 90000u;', ...gone, '  sum += 1u;', '  sum -= 1u;');
    const { origins } = await divergenceOf(main('  if (sum > 70000u)', '    sum = 70000u;'), main());
    expect(origins).toEqual([4]);
  });

  it('is at an added decision', async () => {
    const main = (...more: readonly string[]) =>
      program(
        'int main(void) {',
        '  unsigned i, sum = 0;',
        '  for (i = 1; i < 5u; i++) {',
        '    sum += 7u;',
        ...more,
        '    sum += i * 6993u;',
        '  }',
        '  sum += 42u;',
      );
    const skipping = '    if (i == 3u) continue;';
    expect((await divergenceOf(main(), main(skipping))).origins).toEqual([6]);
  });

  it('is at a changed constant or initial value outside functions', async () => {
    const main = (rate: string, row: string) =>
      program(
        `#define RATE ${rate}`,
        'unsigned table[4] = {',
        '  1, 2,',
        `  ${row},`,
        '};',
        'int main(void) {',
        '  unsigned sum = table[2] * RATE;',
      );
    expect((await divergenceOf(main('7000u', '10, 4'), main('7001u', '10, 4'))).origins).toEqual([2]);
    expect((await divergenceOf(main('7000u', '10, 4'), main('7000u', '11, 4'))).origins).toEqual([5]);
  });

  it('is found through new functions', async () => {
    const main = (before: readonly string[], call: string) =>
      program(
        'unsigned twice(unsigned x) { return 2u * x; }',
        ...before,
        'int main(void) {',
        '  unsigned sum = 3u;',
        `  sum = ${call};`,
        '  sum += 1u;',
      );
    const helper = ['unsigned also(unsigned x) {', '  return twice(x);', '}'];
    const { origins, unjudged, carriers } = await divergenceOf(
      main([], 'twice(sum) + 69993u'),
      main(helper, 'also(sum) + 69994u'),
    );
    expect(origins).toContain(8);
    expect([...unjudged, ...carriers]).not.toContain(8);
  });

  it('is unknown for code that the old run does not reach', async () => {
    const main = (limit: string, more: string) =>
      program(
        'int main(void) {',
        `  unsigned limit = ${limit};`,
        '  unsigned sum = 70000u;',
        '  if (sum > limit) {',
        `    sum = ${more};`,
        '  }',
      );
    expect(await divergenceOf(main('80000u', '3u'), main('60000u', '4u'))).toMatchObject({
      origins: [3],
      unjudged: [6],
    });
  });
});

describe('aligned lines of two versions', () => {
  const [old, next] = [
    'int a;\nint b;\nint c;\nint d;\n',
    '/* new */\nint a;\nint x;\nint y;\n\nint c;\nint e;\n',
  ];
  const files = changedFiles([{ path: 'a.c', oldText: old, newText: next, oldMode: undefined }]);

  it('are equal despite different comments and empty lines between them', () => {
    const [before, after] = [AlignedLines.ofOld(files, new Set()), AlignedLines.ofNew(files, new Set())];
    expect(after.at('a.c', 2)).toEqual(before.at('a.c', 1));
    expect(after.at('a.c', 6)).toEqual(before.at('a.c', 3));
    expect(after.at('a.c', 3).change?.id).toBe(0);
    expect(before.at('a.c', 2).change?.id).toBe(0);
    expect(after.at('other.c', 7)).toEqual(before.at('other.c', 7));
  });

  it('are equal within a reverted change', () => {
    const reverted = new Set([0]);
    const [before, after] = [AlignedLines.ofOld(files, reverted), AlignedLines.ofNew(files, reverted)];
    expect(after.at('a.c', 3)).toEqual(before.at('a.c', 2));
    expect(after.at('a.c', 3).change).toBeUndefined();
    expect(after.at('a.c', 5)).toEqual(before.at('a.c', 3));
    expect(after.at('a.c', 6).change?.id).toBe(1);
  });
});
