import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditedVersion, editedLines } from '../../../src/locate/lines/edited-lines.js';
import { Repository } from '../../../src/repository/index.js';
import { commitFiles, gitIn, initRepository } from '../../git-repository.js';
import { removeFolder, temporaryFolder } from '../../temporary-folder.js';
import { withoutFault } from '../../without-fault.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = temporaryFolder('lines');
  path = join(folder, 'project');
  initRepository(path);
});
afterEach(() => removeFolder(folder));

const { signal } = new AbortController();

async function version(): Promise<EditedVersion> {
  const repository = withoutFault(await Repository.open(path));
  const id = withoutFault(await repository.resolve('HEAD'));
  return withoutFault(await editedLines(repository, id, { folder: join(folder, 'kept'), signal }));
}

async function timesOf(file: string): Promise<readonly number[] | undefined> {
  const lines = (await version()).files.get(file);
  return lines && [...lines.times];
}

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');

describe('editedLines', () => {
  it('starts at zero and counts each edit', async () => {
    commitFiles(path, { 'a.c': text('int a;', 'int b;', 'int c;') });
    expect(await timesOf('a.c')).toEqual([0, 0, 0]);
    commitFiles(path, { 'a.c': text('int a;', 'long b;', 'int c;') });
    commitFiles(path, { 'a.c': text('int new;', 'int a;', 'unsigned long b;', 'int c;') });
    expect(await timesOf('a.c')).toEqual([0, 0, 2, 0]);
    expect((await version()).files.get('a.c')?.commits).toBe(3);
  });

  it('stores edits, so that the next version reads new commits only', async () => {
    commitFiles(path, { 'a.c': text('int a;') });
    await version();
    commitFiles(path, { 'a.c': text('long a;') });
    const repository = withoutFault(await Repository.open(path));
    const id = withoutFault(await repository.resolve('HEAD'));
    const steps: number[] = [];
    const onStep = ({ total }: { readonly total: number }): void => {
      steps.push(total);
    };
    withoutFault(await editedLines(repository, id, { folder: join(folder, 'kept'), signal, onStep }));
    expect(steps).toEqual([1]);
  });

  it('follows a renamed file and drops a deleted one', async () => {
    const lines = Array.from({ length: 12 }, (_, at) => `int v${at};`);
    commitFiles(path, { 'old.c': text(...lines), 'gone.c': text('int g;') });
    commitFiles(path, { 'old.c': text('long v0;', ...lines.slice(1)) });
    gitIn(path, ['mv', 'old.c', 'new.c']);
    gitIn(path, ['rm', '-q', 'gone.c']);
    commitFiles(path, { 'new.c': text('long v0;', 'long v1;', ...lines.slice(2)) });
    expect([...(await version()).files.keys()]).toEqual(['new.c']);
    expect((await timesOf('new.c'))?.slice(0, 3)).toEqual([1, 1, 0]);
  });

  it('merges the histories of both parents', async () => {
    const lines = Array.from({ length: 9 }, (_, at) => `int v${at};`);
    const changed = (at: number, line: string, from = lines): string[] => from.with(at, line);
    commitFiles(path, { 'a.c': text(...lines), 'b.c': text('int b;') });
    gitIn(path, ['checkout', '-q', '-b', 'side']);
    commitFiles(path, { 'a.c': text(...changed(0, 'long v0;')), 'b.c': text('long b;') });
    gitIn(path, ['checkout', '-q', 'main']);
    commitFiles(path, { 'a.c': text(...changed(8, 'long v8;')) });
    gitIn(path, ['merge', '-q', '--no-edit', 'side']);
    expect(await timesOf('a.c')).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(await timesOf('b.c')).toEqual([1]);
  });

  it('ignores files that are no source', async () => {
    commitFiles(path, { 'a.txt': text('a'), 'b.h': text('int b;'), 'c.c': 'a\0b' });
    expect([...(await version()).files.keys()]).toEqual(['b.h']);
  });
});

describe('a file that changes from binary to text', () => {
  it('is followed from the first text version', async () => {
    commitFiles(path, { 'a.c': 'a\0b\nc\n' });
    commitFiles(path, { 'a.c': text('int a;', 'int b;') });
    commitFiles(path, { 'a.c': text('int a;', 'long b;') });
    expect(await timesOf('a.c')).toEqual([0, 1]);
    commitFiles(path, { 'a.c': 'a\0b\nc\n' });
    expect(await timesOf('a.c')).toBeUndefined();
  });
});

describe('EditedLines.last', () => {
  it('equals the commit that git blame names', async () => {
    const commits = fc.array(
      fc.record({
        isSide: fc.boolean(),
        at: fc.nat(19),
        take: fc.nat(3),
        put: fc.array(fc.constantFrom('int a;', 'long b;', 'f(a, b);', 'g(b);'), { maxLength: 3 }),
      }),
      { minLength: 5, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(commits, async (made) => {
        removeFolder(path);
        initRepository(path);
        let lines = Array.from({ length: 20 }, (_, at) => `int v${at};`);
        commitFiles(path, { 'a.c': text(...lines) });
        for (const [number, { isSide, at, take, put }] of made.entries()) {
          if (isSide) gitIn(path, ['checkout', '-q', '-b', `side${number}`]);
          // Duplicate lines can be followed in two ways, and both are correct.
          const own = put.map((line, of) => `${line} // ${number}.${of}`);
          lines = lines.toSpliced(Math.min(at, lines.length), take, ...own);
          commitFiles(path, { 'a.c': text(...lines) });
          if (!isSide) continue;
          gitIn(path, ['checkout', '-q', 'main']);
          gitIn(path, ['merge', '-q', '--no-ff', '--no-edit', `side${number}`]);
        }
        const { files, commits: ids } = await version();
        const own = [...(files.get('a.c')?.last ?? [])].map((number) => ids[number]);
        const blamed = gitIn(path, ['blame', '-s', '-l', '--root', 'a.c'])
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => line.slice(0, 40));
        expect(own).toEqual(blamed);
      }),
      { numRuns: 6 },
    );
  });
});
