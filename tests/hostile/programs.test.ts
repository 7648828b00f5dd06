import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Recipe } from '../../src/builds/recipe.js';
import { runRecipe } from '../../src/builds/run-recipe.js';
import { Slot } from '../../src/builds/slot.js';
import { FileCompiler } from '../../src/change/sequences/compiled-flow.js';
import { measureFolders } from '../../src/change/sequences/measure-commit.js';
import { Fault } from '../../src/machine/index.js';
import { compileCommands, programOf } from '../../src/program/compile/index.js';
import { withResponseFiles } from '../../src/program/compile/response-file.js';
import { commitFiles, initRepository } from '../git-repository.js';
import { needsTools } from '../needs.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

needsTools('compilers', 'build');

const culprit = fileURLToPath(new URL('../../dist/bin/main.cjs', import.meta.url));
const { signal } = new AbortController();

describe('the program of a recipe', () => {
  const recipe = (binary: string): Recipe => ({
    ...{ build: ['true'], binary, env: {}, memoryMegabytes: 1, minutes: 1, patches: [], resumable: true },
  });

  it.each([
    '../../x',
    '$CULPRIT_BUILD/../../../x',
    'link/x',
    '.',
  ])('removes nothing outside the sources: %s', async (binary) => {
    const root = temporaryFolder('binary');
    writeFileSync(join(root, 'x'), '');
    const slot = withoutFault(await Slot.take(join(root, 'project'), true));
    mkdirSync(slot.source);
    symlinkSync(root, join(slot.source, 'link'));
    expect(await runRecipe(slot, recipe(binary), 1, signal, [])).toMatchObject({ kind: 'usage' });
    await slot.rememberCreated(['../../../x', 'link/x']);
    await slot.forgetCreated();
    await slot.free();
    expect(existsSync(join(root, 'x'))).toBe(true);
  });

  it('removes nothing outside the build when the list of objects names other files', async () => {
    const root = temporaryFolder('left-out');
    const slot = withoutFault(await Slot.take(join(root, 'project'), true));
    mkdirSync(slot.build);
    writeFileSync(join(root, 'x'), '');
    writeFileSync(join(slot.build, 'a.o'), '');
    symlinkSync(root, join(slot.build, 'link'));
    const others = [join(slot.build, '../../../x'), join(slot.build, 'link/x'), join(root, 'x'), 'x'];
    const told = [...others, join(slot.build, 'a.o')].map((object) => `${object}\tsource/a.cpp\n`).join('');
    for (const list of ['compiled.txt', 'left-out.txt']) writeFileSync(join(slot.build, list), told);
    await slot.leaveOut(['source/a.cpp']);
    await slot.leaveOut([]);
    await slot.free();
    expect(existsSync(join(root, 'x'))).toBe(true);
    expect(existsSync(join(slot.build, 'a.o'))).toBe(false);
  });

  it('can have the name of a folder that culprit uses', async () => {
    const slot = withoutFault(await Slot.take(join(temporaryFolder('own'), 'project'), true));
    mkdirSync(slot.source);
    expect(
      await runRecipe(
        slot,
        { ...recipe('$CULPRIT_BUILD/linker'), build: ['ls "$CULPRIT_BUILD" > "$CULPRIT_BUILD/linker"'] },
        1,
        signal,
        [],
      ),
    ).toEqual({ kind: 'made' });
    await slot.free();
    expect(readFileSync(join(slot.build, 'linker'), 'utf8')).toBe('linker\n');
  });

  it.each([
    ['ln -s /bin/sh prog', 'failed'],
    ['ln -s ../../secret prog', 'failed'],
    ['echo 1 > made; chmod +x made; ln -s made prog', 'made'],
  ])('is copied only from the sources or the build: %s', async (build, kind) => {
    const root = temporaryFolder('linked');
    const slot = withoutFault(await Slot.take(join(root, 'project'), true));
    mkdirSync(slot.source);
    writeFileSync(join(slot.source, '../../secret'), 'secret');
    const end = await runRecipe(
      slot,
      { ...recipe('prog'), build: [build], memoryMegabytes: 100 },
      1,
      signal,
      [],
    );
    await slot.free();
    expect(end).toMatchObject({ kind });
    if (kind === 'failed') expect(end).toMatchObject({ why: expect.stringContaining('leads out') });
  });
});

describe('a file that is not a program', () => {
  it.each(['garbage', 'folder', 'pipe', '/dev/zero'])('is reported in one sentence: %s', async (name) => {
    const folder = temporaryFolder('program');
    writeFileSync(join(folder, 'garbage'), '\x7fELF and no more');
    mkdirSync(join(folder, 'folder'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const answer = await programOf(name.startsWith('/') ? name : join(folder, name));
    expect(answer).toBeInstanceOf(Fault);
    expect((answer as Fault).message).not.toContain('\n');
  });
});

/** Two folders with one file each. The files differ in the function that they call. */
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
  it('with 20,000 branches is measured', async () => {
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

describe('changes that can follow each other in any order', () => {
  it('are counted but not listed if they have millions of edges', async () => {
    const root = temporaryFolder('ifs');
    const count = 4_000;
    const folders = twoVersions(
      root,
      (called) => `void f(int a) {\n${times(count, (at) => `if (a == ${at})\n ${called}(${at});\n`)}}\n`,
    );
    const change = withoutFault(await measureFolders(...folders));
    // Edges from the entry to each change, from each change to all later ones, and from each change to the exit.
    const edgeCount = count + (count * (count - 1)) / 2 + count;
    expect(change.graph).toMatchObject({ edgeCount, edges: [] });
    expect(change.complexity).toBe(edgeCount - (count + 2) + 2);
    expect(change.notes.join()).toContain(`${edgeCount} edges`);
  }, 60_000);
});

/** A stand-in for clang that runs a shell script. */
function standIn(folder: string, script: string): string {
  const path = join(folder, 'clang-stand-in');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

const smallChange = (called: string) => `int f(int a) {\n return ${called}(a);\n}\n`;

describe('the compiler', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    [
      'a limit of memory, and leaves no picture of it',
      'echo "error: $(ulimit -c) $(ulimit -v)" >&2; exit 1',
      '0 4194304',
    ],
    ['a limit of time', 'exec sleep 1000', 'did not finish within 1 s'],
    ['a limit of output', 'exec yes', 'printed more than'],
  ])(
    'has %s, after which only the source is parsed',
    async (_, script, note) => {
      const root = temporaryFolder('compiler');
      vi.stubEnv('CULPRIT_CC', standIn(root, script));
      const folders = twoVersions(root, smallChange);
      const limits = { memoryBytes: 4 * 2 ** 30, timeoutMs: script.includes('sleep') ? 1_000 : 60_000 };
      const compiler = withoutFault(await FileCompiler.make(undefined, folders[1], limits));
      const change = withoutFault(await measureFolders(...folders, { compiler }));
      expect(change).toMatchObject({ complexity: 1, lines: 1 });
      expect(change.notes.join()).toContain(note);
    },
    60_000,
  );

  it.each([
    ['a device', '#include "/dev/zero"\n'],
    ['macros that double', endlessMacros()],
  ])(
    'stays within its limits on %s',
    async (_, begin) => {
      const folders = twoVersions(temporaryFolder('hungry'), (called) => begin + smallChange(called));
      const limits = { memoryBytes: 2 ** 29, timeoutMs: 20_000 };
      const compiler = withoutFault(await FileCompiler.make(undefined, folders[1], limits));
      const change = withoutFault(await measureFolders(...folders, { compiler }));
      expect(change).toMatchObject({ complexity: 1, lines: 1 });
    },
    60_000,
  );

  it('leaves no files when it crashes', async () => {
    const root = temporaryFolder('crash');
    const own = join(root, 'tmp');
    mkdirSync(own);
    const repository = join(root, 'repository');
    initRepository(repository);
    for (const called of ['g', 'h']) commitFiles(repository, { 'a.c': smallChange(called) });
    const told = join(root, 'told');
    const script = `echo 1 >"$TMPDIR/a-1.c"; echo 1 >"$TMPDIR/a-1.sh"; echo 1 >core.1; echo "$PWD $TMPDIR" >>${told}; kill -SEGV $$`;
    const { status, stdout } = spawnSync(process.execPath, [culprit, 'complexity', 'HEAD'], {
      env: { ...process.env, TMPDIR: own, CULPRIT_CC: standIn(root, script) },
      cwd: repository,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout).toContain('is only parsed');
    const folders = readFileSync(told, 'utf8').trim().split(/\s/);
    expect(folders).toHaveLength(2);
    // The watchdog removes these folders after culprit has ended.
    await vi.waitFor(() => expect(readdirSync(own)).toEqual([]), { timeout: 20_000 });
    expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
    expect(readdirSync(repository).toSorted()).toEqual(['.git', 'a.c']);
  });
});

/** Each macro is twice as long as the previous one. */
function endlessMacros(): string {
  const doubling = times(60, (at) => `#define M${at + 1} M${at} M${at}\n`);
  return `#define M0 +1\n${doubling}int many = 0 M60;\n`;
}

describe('source and option files', () => {
  it.each([
    'pipe',
    '/dev/zero',
    'folder',
  ])('are not opened if they are not regular files: %s', async (name) => {
    const folder = temporaryFolder('commands');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    mkdirSync(join(folder, 'folder'));
    const path = name.startsWith('/') ? name : join(folder, name);
    expect(await compileCommands(path, { isUnoptimized: true })).toBeInstanceOf(Fault);
    expect(withResponseFiles([`@${path}`, 'a.c'], folder)).toEqual([`@${path}`, 'a.c']);
    mkdirSync(join(folder, 'old'));
    mkdirSync(join(folder, 'new'));
    symlinkSync(path, join(folder, 'new/a.c'));
    expect(await measureFolders(join(folder, 'old'), join(folder, 'new'))).toMatchObject({ complexity: 0 });
  });

  it('are left out if they exceed the size limit', async () => {
    const folders = twoVersions(temporaryFolder('large'), smallChange);
    truncateSync(join(folders[1], 'a.c'), (64 << 20) + 1);
    const { files, notes } = withoutFault(await measureFolders(...folders));
    expect({ files, notes }).toEqual({ files: [], notes: ['a.c is left out: larger than 64 MB'] });
  });

  it('are expanded a limited number of times if they include themselves', () => {
    const folder = temporaryFolder('options');
    writeFileSync(join(folder, 'o'), '@o -Da @o');
    const words = withResponseFiles(['@o'], folder);
    expect(words.length).toBeLessThan(10_000);
    expect(words).toContain('-Da');
  });
});

describe('an interrupt', () => {
  it('is noticed during the measurement of one change', async () => {
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
