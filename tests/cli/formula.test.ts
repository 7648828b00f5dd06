import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkText } from '../../src/smtlib/index.js';
import { culprit, inFolder } from './culprit.js';

const good = '(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n';
const bad = '(declare-const x Int)\n(assert (= (str.len x) 3))\n';

describe('formula check', () => {
  it('prints one line per file, and fails if any is invalid', () => {
    inFolder((folder) => {
      writeFileSync(join(folder, 'good.smt2'), good);
      writeFileSync(join(folder, 'bad.smt2'), bad);
      writeFileSync(join(folder, 'binary.smt2'), Buffer.from([0x28, 0x0a, 0xff, 0xfe]));
      writeFileSync(join(folder, 'empty.smt2'), '');
      writeFileSync(join(folder, 'notes.txt'), 'not a formula');
      const { stdout, stderr, exitCode } = culprit(['formula', 'check', '.'], { cwd: folder });
      expect(exitCode).toBe(1);
      expect(stdout).toBe('empty.smt2: well-sorted\ngood.smt2: well-sorted\n');
      expect(stderr).toBe(
        'bad.smt2:2:21: str.len expects String as argument 1, found Int\n' +
          'binary.smt2:2:1: this byte is not UTF-8 text\n',
      );
    });
  });

  it('reads gzipped formulas, in folders and from standard input, and writes none', () => {
    inFolder((folder) => {
      const packed = join(folder, 'a.smt2.gz');
      writeFileSync(packed, gzipSync(good));
      writeFileSync(join(folder, 'torn.smt2.gz'), gzipSync(good).subarray(0, 20));
      const { stdout, stderr } = culprit(['formula', 'check', '.'], { cwd: folder });
      expect(stdout).toBe('a.smt2.gz: well-sorted\n');
      expect(stderr).toBe('torn.smt2.gz:1:1: torn.smt2.gz cannot be unpacked: it is damaged\n');
      const refused = culprit(['formula', 'format', '--write', packed]);
      expect(refused.stderr).toContain('it is packed');
      expect(refused.exitCode).toBe(2);
      expect(gunzipSync(readFileSync(packed)).toString()).toBe(good);
      culprit(['formula', 'mutate', 'a.smt2.gz', '--out', 'mutants', '--count', '1'], { cwd: folder });
      expect(readdirSync(join(folder, 'mutants'))).toEqual([expect.stringMatching(/^a-\d+\.smt2$/)]);
    });
  });

  it('accepts unknown operators with a note, unless --strict is given', () => {
    const input = '(declare-const x Quux)\n(assert (frobbed x 1))\n(check-sat)\n';
    const lenient = culprit(['formula', 'check', '-'], { input });
    expect(lenient.exitCode).toBe(0);
    expect(lenient.stdout).toBe('standard input: well-sorted as far as it is known\n');
    expect(lenient.stderr).toContain('standard input:2:9: frobbed is not declared');
    const strict = culprit(['formula', 'check', '-', '--strict'], { input });
    expect(strict.exitCode).toBe(1);
    expect(strict.stderr).toBe('standard input:1:1: unknown sort Quux\n');
    const { stdout } = culprit(['formula', 'check', '-', '--json'], { input });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, unknown: [{ line: 1 }, { line: 2 }] });
  });

  it('reads standard input and prints JSON', () => {
    const { stdout, exitCode } = culprit(['formula', 'check', '-', '--json'], { input: bad });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      formula: 'standard input',
      ok: false,
      line: 2,
      column: 21,
      message: 'str.len expects String as argument 1, found Int',
    });
  });

  it.each([
    [['formula', 'check', 'nowhere.smt2'], 'culprit: there is no file or folder nowhere.smt2\n'],
    [['formula', 'check'], "culprit: missing required argument 'formula'"],
    [['formula', 'frobnicate'], "culprit: unknown command 'frobnicate'"],
    [['formula', 'generate', '--count', 'many'], 'It must be a whole number from 1 on.'],
    [['formula', 'format', '-', '--dialect', '9'], 'Allowed choices are 2.5, 2.6x, 2.6, 2.7.'],
  ])('rejects %j as wrong usage: one sentence, exit code 2', (args, message) => {
    const { stderr, exitCode } = culprit(args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });
});

describe('formula format', () => {
  it('prints the requested dialect', () => {
    const input = '(assert (str.in_re x (str.to_re "\\u{5c}")))';
    expect(culprit(['formula', 'format', '-', '--dialect', '2.5'], { input }).stdout).toBe(
      '(assert (str.in.re x (str.to.re "\\x5c")))\n',
    );
  });

  it('names a character that the dialect lacks', () => {
    const input = '(assert (= x "\\u{1f600}"))';
    const { stderr, exitCode } = culprit(['formula', 'format', '-', '--dialect', '2.5'], { input });
    expect(stderr).toBe(
      'standard input:1:1: the character \\u{1f600} does not exist in SMT-LIB 2.5 strings\n',
    );
    expect(exitCode).toBe(1);
  });

  it('overwrites files with --write', () => {
    inFolder((folder) => {
      const file = join(folder, 'a.smt2');
      writeFileSync(file, '(assert    true)(check-sat)');
      expect(culprit(['formula', 'format', '--write', file]).exitCode).toBe(0);
      expect(readFileSync(file, 'utf8')).toBe('(assert true)\n(check-sat)\n');
    });
  });
});

describe('formula generate, mutate, stats', () => {
  it('pipe into one another', () => {
    const { stdout: formula } = culprit(['formula', 'generate', '--seed', '5']);
    const { stdout: mutant, exitCode } = culprit(['formula', 'mutate', '-', '--seed', '2'], {
      input: formula,
    });
    expect(exitCode).toBe(0);
    expect(mutant).not.toBe(formula);
    expect(checkText(mutant)).toHaveProperty('commands');
    const { stdout: stats } = culprit(['formula', 'stats', '-', '--json'], { input: mutant });
    expect(JSON.parse(stats)).toMatchObject({ ok: true, variables: expect.any(Number) });
  });

  it('report in JSON a formula that cannot be read, and continue with the others', () => {
    inFolder((folder) => {
      writeFileSync(join(folder, 'bad.smt2'), '(assert');
      writeFileSync(join(folder, 'good.smt2'), '(declare-const x Int)(assert (> x 1))(check-sat)');
      const { stdout, exitCode } = culprit(['formula', 'mutate', 'bad.smt2', 'good.smt2', '--json'], {
        cwd: folder,
      });
      const [bad, good] = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(bad).toMatchObject({ formula: 'bad.smt2', ok: false, line: 1 });
      expect(good).toMatchObject({ formula: 'good-1', ok: true, seed: 1 });
      expect(exitCode).toBe(1);
    });
  });

  it('give the same formulas for the same seed, one file each in a folder', () => {
    inFolder((folder) => {
      const into = (name: string): string[] => {
        const args = ['formula', 'generate', '--seed', '3', '--count', '4', '--logic', 'QF_BV'];
        culprit([...args, '--out', join(folder, name)]);
        const files = readdirSync(join(folder, name)).toSorted();
        expect(files).toEqual(['random-3.smt2', 'random-4.smt2', 'random-5.smt2', 'random-6.smt2']);
        return files.map((file) => readFileSync(join(folder, name, file), 'utf8'));
      };
      expect(into('a')).toEqual(into('b'));
    });
  });

  it('generate every family', () => {
    for (const family of ['concats', 'lengths', 'overlaps', 'equality', 'regex']) {
      const { stdout } = culprit(['formula', 'generate', '--family', family]);
      expect(checkText(stdout), family).toHaveProperty('commands');
    }
  });
});
