import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CampaignFolder, Journal } from '../../src/campaign/index.js';
import {
  appendOwn,
  checkWritable,
  Fault,
  rewriteUserFile,
  takeLock,
  unforeseenFault,
  writeAtomically,
  writeUserFile,
  writeWithin,
} from '../../src/machine/index.js';
import { culprit } from '../cli/culprit.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

/** A file of the user outside the folders that culprit writes to. */
let thesis: string;
let folder: string;

beforeEach(() => {
  folder = temporaryFolder('files');
  thesis = join(temporaryFolder('home'), 'thesis.tex');
  writeFileSync(thesis, 'years of work');
  vi.stubEnv('CULPRIT_CACHE', temporaryFolder('cache'));
});

const thesisIsWhole = (): void => expect(readFileSync(thesis, 'utf8')).toBe('years of work');

/** The fault that the command line would report for a rejection. */
async function faultOf(work: Promise<unknown>): Promise<Fault | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => unforeseenFault(error),
  );
}

describe('a file in a folder owned by culprit', () => {
  it('is not written through a link anywhere in its path', async () => {
    symlinkSync(thesis, join(folder, 'report.md'));
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(thesis, '..'), join(folder, 'cases'));
    for (const name of ['report.md', 'cases/thesis.tex', 'cases/new.smt2', 'real/../cases/thesis.tex']) {
      const fault = await faultOf(writeWithin(folder, name, 'x'));
      expect(fault, name).toMatchObject({ kind: 'usage' });
    }
    thesisIsWhole();
    expect(readdirSync(join(thesis, '..'))).toEqual(['thesis.tex']);
    expect(readlinkSync(join(folder, 'report.md'))).toBe(thesis);
  });

  it('is rejected if its name leads out of the folder', async () => {
    for (const name of ['../x', '/x', 'a/../../x', '', 'a//b', './x', 'a\0b'])
      expect(await faultOf(writeWithin(folder, name, 'x')), name).toMatchObject({ kind: 'usage' });
  });

  it('does not replace a folder, pipe or device', async () => {
    mkdirSync(join(folder, 'folder'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const name of ['folder', 'pipe'])
      expect(await faultOf(writeAtomically(join(folder, name), 'x'))).toMatchObject({ kind: 'usage' });
    expect(readdirSync(folder).toSorted()).toEqual(['folder', 'pipe']);
  });

  it('is not appended to through a link or a second name', () => {
    symlinkSync(thesis, join(folder, 'link'));
    linkSync(thesis, join(folder, 'second-name'));
    for (const name of ['link', 'second-name'])
      expect(() => appendOwn(join(folder, name), 'x')).toThrow(/link/);
    thesisIsWhole();
  });
});

describe('a journal', () => {
  it('is neither appended to nor cut if it is a link, hard link, pipe or device', () => {
    writeFileSync(thesis, 'years of work\nwithout a last newline');
    symlinkSync(thesis, join(folder, 'link'));
    linkSync(thesis, join(folder, 'second-name'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    symlinkSync('/dev/zero', join(folder, 'zero'));
    for (const name of ['link', 'second-name', 'pipe', 'zero', '.'])
      expect(Journal.open(join(folder, name)), name).toMatchObject({ kind: 'usage' });
    expect(readFileSync(thesis, 'utf8')).toBe('years of work\nwithout a last newline');
  });

  it('is left unchanged if its last line exceeds the line limit', () => {
    const path = join(folder, 'journal.ndjson');
    writeFileSync(path, Buffer.alloc((64 << 20) + 200_000, 'x'));
    expect(Journal.open(path)).toMatchObject({ message: expect.stringContaining('is damaged') });
    expect(statSync(path).size).toBe((64 << 20) + 200_000);
  });
});

describe('a lock', () => {
  it('is neither followed nor removed if it is a link, a pipe or a file of the user', async () => {
    const lock = join(folder, 'lock.json');
    for (const put of [
      () => symlinkSync(thesis, lock),
      () => execFileSync('mkfifo', [lock]),
      () => mkdirSync(lock),
      () => writeFileSync(lock, JSON.stringify({ packages: 'x'.repeat(2000) })),
    ]) {
      execFileSync('rm', ['-rf', lock]);
      put();
      expect(await takeLock(folder)).toMatchObject({ kind: 'usage' });
      expect(readdirSync(folder)).toEqual(['lock.json']);
    }
    thesisIsWhole();
  });
});

describe('a campaign', () => {
  const schema = z.object({ seed: z.number() });

  it('is created once when several commands create it in one folder at the same time', async () => {
    const path = join(folder, 'campaign');
    const begun = await Promise.all(
      Array.from({ length: 8 }, (_, seed) => CampaignFolder.create(path, { seed, culprit: '1' })),
    );
    const winners = begun.flatMap((made, seed) => (made instanceof Fault ? [] : [seed]));
    expect(winners).toHaveLength(1);
    const { settings } = withoutFault(await CampaignFolder.open(path, schema));
    expect(settings.seed).toBe(winners[0]);
    expect(readdirSync(path).toSorted()).toEqual(['campaign.json', 'cases']);
  });

  it('is not created in a folder with files of the user, nor with an empty name', async () => {
    for (const make of [
      (at: string) => writeFileSync(join(at, 'lock.json'), '{"lockfileVersion": 3}'),
      (at: string) => {
        mkdirSync(join(at, 'cases'));
        writeFileSync(join(at, 'cases', 's0001.smt2'), 'mine');
      },
      (at: string) => symlinkSync(join(thesis, '..'), join(at, 'cases')),
      (at: string) => writeFileSync(join(at, 'report.md'), 'mine'),
    ]) {
      const at = temporaryFolder('full');
      make(at);
      const before = readdirSync(at, { recursive: true });
      expect(await CampaignFolder.create(at, {})).toMatchObject({ kind: 'usage' });
      expect(readdirSync(at, { recursive: true })).toEqual(before);
    }
    expect(await CampaignFolder.create('', {})).toMatchObject({ kind: 'usage' });
    expect(await CampaignFolder.open('', schema)).toMatchObject({ kind: 'usage' });
  });

  it('is created after an interrupted creation, whose partial files are removed', async () => {
    mkdirSync(join(folder, 'cases'));
    writeFileSync(join(folder, 'lock.json'), JSON.stringify({ pid: 2 ** 22 + 1, started: '1' }));
    const left = join(folder, 'campaign.json.culprit-0123456789ab.tmp');
    writeFileSync(left, '{');
    utimesSync(left, 0, 0);
    const made = withoutFault(await CampaignFolder.create(folder, { seed: 1 }));
    await withoutFault(await made.lock())();
    expect(readdirSync(folder).toSorted()).toEqual(['campaign.json', 'cases']);
  });
});

describe('an output file named by the user', () => {
  it('is overwritten only if its content is unchanged since culprit wrote it', async () => {
    const out = join(folder, 'small.smt2');
    for (const text of ['one', 'two', 'two', 'three']) {
      expect(await checkWritable(out)).toBeUndefined();
      expect(await writeUserFile(out, text)).toBeUndefined();
      expect(readFileSync(out, 'utf8')).toBe(text);
    }
    writeFileSync(out, 'three, and a thought of mine');
    for (const refused of [await checkWritable(out), await writeUserFile(out, 'four')])
      expect(refused).toMatchObject({ kind: 'usage', message: expect.stringContaining('--force') });
    expect(readFileSync(out, 'utf8')).toBe('three, and a thought of mine');
    expect(await writeUserFile(out, 'four', { isForced: true })).toBeUndefined();
    expect(readFileSync(out, 'utf8')).toBe('four');
  });

  it('is not overwritten if somebody else wrote it, unless it is empty', async () => {
    expect(await writeUserFile(thesis, 'x')).toMatchObject({ kind: 'usage' });
    thesisIsWhole();
    writeFileSync(join(folder, 'empty'), '', { mode: 0o600 });
    expect(await writeUserFile(join(folder, 'empty'), 'x')).toBeUndefined();
    expect(statSync(join(folder, 'empty')).mode & 0o777).toBe(0o600);
  });

  it('is rejected if it is a link, folder, pipe or device, even with force', async () => {
    symlinkSync(thesis, join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const path of [join(folder, 'link'), join(folder, 'pipe'), folder, '/dev/null', '/dev/stdout'])
      for (const isForced of [false, true]) {
        expect(await checkWritable(path, { isForced }), path).toMatchObject({ kind: 'usage' });
        expect(await writeUserFile(path, 'x', { isForced }), path).toMatchObject({ kind: 'usage' });
      }
    expect(await rewriteUserFile(join(folder, 'link'), 'x')).toMatchObject({ kind: 'usage' });
    thesisIsWhole();
  });

  it('is rejected if its folder is missing or its name is too long', async () => {
    const long = join(folder, 'x'.repeat(300));
    const paths = ['', join(folder, 'nowhere', 'a'), join(thesis, 'a'), long];
    for (const path of paths) {
      const fault = await writeUserFile(path, 'x');
      expect(fault, path).toMatchObject({ kind: 'usage' });
      expect(fault?.message).not.toMatch(/\bE[A-Z]{4,}/);
    }
  });
});

describe('on the command line', () => {
  const formula = '(assert true)\n(check-sat)\n';

  it.each([
    ['hunt', '--on', 'z3@4.8.17,z3@5.2.0', '--out', ''],
    ['hunt', '--resume', ''],
    ['hunt', '--on', 'z3@4.8.17,z3@5.2.0', '--corpus', ''],
    ['bisect', '--good', 'HEAD', '--repo', ''],
  ])('an empty name is wrong usage: %s %s %s %s %s', (...args) => {
    writeFileSync(join(folder, 'report.md'), 'mine');
    const { exitCode, stderr } = culprit(args, { cwd: folder });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/^culprit: --\w+ is empty: .*\n$/),
    });
    expect(readdirSync(folder)).toEqual(['report.md']);
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toBe('mine');
  });

  it('“formula generate” does not overwrite other formulas', () => {
    const run = (...args: readonly string[]) =>
      culprit(['formula', 'generate', '--out', 'made', ...args], { cwd: folder });
    expect(run().exitCode).toBe(0);
    const [name = ''] = readdirSync(join(folder, 'made'));
    const first = readFileSync(join(folder, 'made', name), 'utf8');
    expect(run().exitCode).toBe(0);
    expect(run('--depth', '7').exitCode).toBe(2);
    expect(readFileSync(join(folder, 'made', name), 'utf8')).toBe(first);
    expect(run('--depth', '7', '--force').exitCode).toBe(0);
    expect(readFileSync(join(folder, 'made', name), 'utf8')).not.toBe(first);
  });

  it('“reduce” overwrites only its own output', () => {
    writeFileSync(join(folder, 'a.smt2'), formula);
    const run = (out: string) =>
      culprit(['reduce', 'a.smt2', '--out', out, '--', 'test', '-f', '{file}'], { cwd: folder });
    expect(run('small.smt2')).toMatchObject({ exitCode: 0 });
    expect(run('small.smt2')).toMatchObject({ exitCode: 0 });
    expect(run(thesis)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--force') });
    thesisIsWhole();
    expect(run('/dev/stdout')).toMatchObject({ exitCode: 2 });
  });
});
