import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Recipe } from '../../src/builds/recipe.js';
import { runRecipe } from '../../src/builds/run-recipe.js';
import { Slot } from '../../src/builds/slot.js';
import { measureFolders } from '../../src/change/sequences/measure-commit.js';
import { Fault } from '../../src/machine/index.js';
import { programOf } from '../../src/program/compile/index.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const { signal } = new AbortController();

describe('the program of a recipe', () => {
  const recipe = (binary: string): Recipe => ({
    ...{ build: ['true'], binary, env: {}, memoryMegabytes: 1, minutes: 1, patches: [], goesOn: true },
  });

  it.each([
    '../../x',
    '$CULPRIT_BUILD/../../../x',
    'link/x',
    '.',
  ])('called %s removes nothing outside of the sources', async (binary) => {
    const root = temporaryFolder('binary');
    writeFileSync(join(root, 'x'), '');
    const slot = withoutFault(await Slot.take(join(root, 'project'), true));
    mkdirSync(slot.source);
    symlinkSync(root, join(slot.source, 'link'));
    expect(await runRecipe(slot, recipe(binary), 1, signal)).toMatchObject({ kind: 'usage' });
    await slot.rememberCreated(['../../../x', 'link/x']);
    await slot.forgetCreated();
    await slot.free();
    expect(existsSync(join(root, 'x'))).toBe(true);
  });
});

describe('a program that is none', () => {
  it.each(['garbage', 'folder', 'pipe', '/dev/zero'])('is told in one sentence: %s', async (name) => {
    const folder = temporaryFolder('program');
    writeFileSync(join(folder, 'garbage'), '\x7fELF and no more');
    mkdirSync(join(folder, 'folder'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const answer = await programOf(name.startsWith('/') ? name : join(folder, name));
    expect(answer).toBeInstanceOf(Fault);
    expect((answer as Fault).message).not.toContain('\n');
  });
});

/** Two folders with a file each, which differ by what is called. */
function twoVersions(root: string, text: (called: string) => string): readonly [string, string] {
  for (const [name, called] of [
    ['old', 'g'],
    ['new', 'h'],
  ] as const) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'a.c'), text(called));
  }
  return [join(root, 'old'), join(root, 'new')];
}

const times = (count: number, part: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => part(at)).join('');

describe('a chain of else if', () => {
  it('of twenty thousand is measured', async () => {
    const root = temporaryFolder('chain');
    const folders = twoVersions(
      root,
      (called) =>
        `void f(int a) {\n${times(20_000, (at) => `if (a == ${at}) ${called}(${at});\nelse `)}i(0);\n}\n`,
    );
    const change = withoutFault(await measureFolders(...folders));
    expect(change).toMatchObject({ complexity: 20_001, lines: 20_000 });
    expect(readdirSync(root).toSorted()).toEqual(['new', 'old']);
  }, 60_000);
});

describe('changes that can follow one another in any order', () => {
  it('are counted and not listed where there are millions of them', async () => {
    const root = temporaryFolder('ifs');
    const count = 4_000;
    const folders = twoVersions(
      root,
      (called) => `void f(int a) {\n${times(count, (at) => `if (a == ${at})\n ${called}(${at});\n`)}}\n`,
    );
    const change = withoutFault(await measureFolders(...folders));
    // From the entry to each, from each to all after it and to the exit.
    const edgeCount = count + (count * (count - 1)) / 2 + count;
    expect(change.graph).toMatchObject({ edgeCount, edges: [] });
    expect(change.complexity).toBe(edgeCount - (count + 2) + 2);
    expect(change.notes.join()).toContain(`${edgeCount} edges`);
  }, 60_000);
});

describe('an interrupt', () => {
  it('is heard in the middle of the measurement of one change', async () => {
    const folders = twoVersions(
      temporaryFolder('interrupted'),
      (called) => `void f(int a) {\n${times(20_000, (at) => `${called}(${at});\n`)}}\n`,
    );
    const controller = new AbortController();
    const measured = measureFolders(...folders, {}, controller.signal);
    setImmediate(() => controller.abort(new Error('enough')));
    await expect(measured).rejects.toThrow('enough');
  });
});
