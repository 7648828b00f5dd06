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
  ])('called %s removes nothing outside of the sources', async (binary) => {
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

  it('that say what was compiled remove nothing outside of the build when something is left out', async () => {
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

  it('called as culprit calls a folder has the one it is built in for itself', async () => {
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
  ])('made by %s is copied only from the sources or the build', async (build, kind) => {
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

/** A stand-in for clang that does what a script says. */
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
    'has %s, and the source is read alone',
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
    'does not eat the machine with %s',
    async (_, begin) => {
      const folders = twoVersions(temporaryFolder('hungry'), (called) => begin + smallChange(called));
      const limits = { memoryBytes: 2 ** 29, timeoutMs: 20_000 };
      const compiler = withoutFault(await FileCompiler.make(undefined, folders[1], limits));
      const change = withoutFault(await measureFolders(...folders, { compiler }));
      expect(change).toMatchObject({ complexity: 1, lines: 1 });
    },
    60_000,
  );

  it('leaves nothing when it crashes', async () => {
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
    // What ends with culprit is removed by its watchdog, which goes last.
    await vi.waitFor(() => expect(readdirSync(own)).toEqual([]), { timeout: 20_000 });
    expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
    expect(readdirSync(repository).toSorted()).toEqual(['.git', 'a.c']);
  });
});

/** Each twice the one before. */
function endlessMacros(): string {
  const doubling = times(60, (at) => `#define M${at + 1} M${at} M${at}\n`);
  return `#define M0 +1\n${doubling}int many = 0 M60;\n`;
}

describe('files a program is compiled by', () => {
  it.each(['pipe', '/dev/zero', 'folder'])('are not opened where they are none: %s', async (name) => {
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

  it('and are too large for a source are left out', async () => {
    const folders = twoVersions(temporaryFolder('large'), smallChange);
    truncateSync(join(folders[1], 'a.c'), (64 << 20) + 1);
    const { files, notes } = withoutFault(await measureFolders(...folders));
    expect({ files, notes }).toEqual({ files: [], notes: ['a.c is left out: larger than 64 MB'] });
  });

  it('that name themselves twice end', () => {
    const folder = temporaryFolder('options');
    writeFileSync(join(folder, 'o'), '@o -Da @o');
    const words = withResponseFiles(['@o'], folder);
    expect(words.length).toBeLessThan(10_000);
    expect(words).toContain('-Da');
  });
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
