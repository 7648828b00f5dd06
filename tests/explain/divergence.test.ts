import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changedFiles } from '../../src/explain/changes/change.js';
import { AlignedLines } from '../../src/explain/comparing/aligned-lines.js';
import { tracedParting } from '../../src/explain/comparing/traced-divergence.js';
import { TestedVersion } from '../../src/explain/trials/tested-version.js';
import { compileWithTrace } from '../symbolic/traced-compilation.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const { signal } = new AbortController();

/** A version of a program, recorded where `tracedParting` looks for what was recorded before. */
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

/** The first lines of the changes at which runs of two programs part, in the new one; by the name of what they are. */
async function partingOf(old: string, next: string, reverted: readonly number[] = []) {
  const folder = temporaryFolder('parting');
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
  const parting = withoutFault(
    await tracedParting({
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
    sources: lines(parting.sources),
    unjudged: lines(parting.unjudged),
    carriers: lines(parting.carriers),
  };
}

const program = (...lines: readonly string[]): string =>
  ['#include <stdio.h>', ...lines, '  printf("%u\\n", sum);', '  return 0;', '}', ''].join('\n');

describe('where runs of two versions part', () => {
  const main = (start: string, more: string): string =>
    program('int main(void) {', `  unsigned a = ${start};`, '  unsigned b = a;', `  unsigned sum = ${more};`);

  it('is at changes that make something else of the same, not at those that come to the same', async () => {
    const { sources, carriers } = await partingOf(
      main('10u * 1000u', 'b * 7u'),
      main('1000u * 10u', '(b + 1u) * 7u'),
    );
    expect(sources).toEqual([5]);
    expect(carriers).toEqual([]);
  });

  it('is not at a change that passes on something else as the old code would have', async () => {
    const found = await partingOf(main('10000u', 'b * 7u'), main('10001u', '7u * b'));
    expect(found).toMatchObject({ sources: [3], carriers: [5] });
  });

  it('is at a change that is given something else, and makes of it what the old code would not have', async () => {
    const found = await partingOf(main('10000u', 'b * 7u'), main('10001u', '7u * b + 7u'));
    expect(found).toMatchObject({ sources: [3, 5], carriers: [] });
  });

  it('is at a change that nothing can be told of as soon as it is given what it was given', async () => {
    const choosing = (other: string) => `b > 5u ? b * 7u${other} : 0u`;
    const versions = [main('10000u', choosing('')), main('10001u', choosing(' + 7u'))] as const;
    expect(await partingOf(...versions)).toMatchObject({ sources: [3], carriers: [5] });
    expect(await partingOf(...versions, [0])).toMatchObject({ sources: [5] });
  });

  it('is not at what was moved, at what was renamed, or at a condition that asks the opposite', async () => {
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
    const found = await partingOf(around('20000u', old, '9995u'), around('20001u', next, '9995u'));
    expect(found.sources).toEqual([3]);
  });

  it('may be in a function that only the new version has, whatever that is given', async () => {
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
    const found = await partingOf(version('0u', [], 'slow'), version('1u', own, 'pick'));
    expect(found.sources).toContain(8);
    expect(found.unjudged).toContain(4);
  });

  it('is at a statement that is gone', async () => {
    const main = (...gone: readonly string[]) =>
      program('int main(void) {', '  unsigned sum = 90000u;', ...gone, '  sum += 1u;', '  sum -= 1u;');
    const { sources } = await partingOf(main('  if (sum > 70000u)', '    sum = 70000u;'), main());
    expect(sources).toEqual([4]);
  });

  it('is at a decision that has come in between, and at one that is gone', async () => {
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
    expect((await partingOf(main(), main(skipping))).sources).toEqual([6]);
  });

  it('is at a constant, and at an initial value, outside of functions', async () => {
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
    expect((await partingOf(main('7000u', '10, 4'), main('7001u', '10, 4'))).sources).toEqual([2]);
    expect((await partingOf(main('7000u', '10, 4'), main('7000u', '11, 4'))).sources).toEqual([5]);
  });

  it('goes through functions that only the new version has', async () => {
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
    const { sources, unjudged, carriers } = await partingOf(
      main([], 'twice(sum) + 69993u'),
      main(helper, 'also(sum) + 69994u'),
    );
    expect(sources).toContain(8);
    expect([...unjudged, ...carriers]).not.toContain(8);
  });

  it('says nothing of code that the old run does not come to', async () => {
    const main = (limit: string, more: string) =>
      program(
        'int main(void) {',
        `  unsigned limit = ${limit};`,
        '  unsigned sum = 70000u;',
        '  if (sum > limit) {',
        `    sum = ${more};`,
        '  }',
      );
    expect(await partingOf(main('80000u', '3u'), main('60000u', '4u'))).toMatchObject({
      sources: [3],
      unjudged: [6],
    });
  });
});

describe('lines of two versions', () => {
  const [old, next] = [
    'int a;\nint b;\nint c;\nint d;\n',
    '/* new */\nint a;\nint x;\nint y;\n\nint c;\nint e;\n',
  ];
  const files = changedFiles([{ path: 'a.c', oldText: old, newText: next, oldMode: undefined }]);

  it('are the same whatever comments and empty lines stand between them', () => {
    const [before, after] = [AlignedLines.ofOld(files, new Set()), AlignedLines.ofNew(files, new Set())];
    expect(after.at('a.c', 2)).toEqual(before.at('a.c', 1));
    expect(after.at('a.c', 6)).toEqual(before.at('a.c', 3));
    expect(after.at('a.c', 3).change?.id).toBe(0);
    expect(before.at('a.c', 2).change?.id).toBe(0);
    expect(after.at('other.c', 7)).toEqual(before.at('other.c', 7));
  });

  it('are the same in a change that is taken back', () => {
    const reverted = new Set([0]);
    const [before, after] = [AlignedLines.ofOld(files, reverted), AlignedLines.ofNew(files, reverted)];
    expect(after.at('a.c', 3)).toEqual(before.at('a.c', 2));
    expect(after.at('a.c', 3).change).toBeUndefined();
    expect(after.at('a.c', 5)).toEqual(before.at('a.c', 3));
    expect(after.at('a.c', 6).change?.id).toBe(1);
  });
});
