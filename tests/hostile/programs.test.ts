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

describe('a chain of else if', () => {
  it('of twenty thousand is measured', async () => {
    const root = temporaryFolder('chain');
    const written = (by: number) => {
      const links = Array.from({ length: 20_000 }, (_, at) => `if (a == ${at}) g(${at + by});\nelse `);
      return `void f(int a) {\n${links.join('')}g(0);\n}\n`;
    };
    for (const [name, by] of [
      ['old', 0],
      ['new', 1],
    ] as const) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, 'a.c'), written(by));
    }
    const change = withoutFault(await measureFolders(join(root, 'old'), join(root, 'new')));
    expect(change).toMatchObject({ complexity: 20_001, lines: 20_000 });
    expect(readdirSync(root).toSorted()).toEqual(['new', 'old']);
  }, 60_000);
});
