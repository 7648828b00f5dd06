import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { culprit, inFolder } from './culprit.js';

const own = fileURLToPath(new URL('../../examples', import.meta.url));
const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();

describe('culprit examples', () => {
  it('copies the examples to the documented folder', () => {
    inFolder((cwd) => {
      const env = { CULPRIT_CACHE: join(cwd, 'cache') };
      const { stdout, stderr, exitCode } = culprit(['examples'], { cwd, env });
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(stdout).toMatch(/^examples\/array-sum\.smt2\n/);
      expect(filesBelow(join(cwd, 'examples'))).toEqual(filesBelow(own));
      for (const file of stdout.trim().split('\n'))
        expect(readFileSync(join(cwd, file), 'utf8')).toBe(readFileSync(join(own, '..', file), 'utf8'));
      expect(culprit(['formula', 'check', 'examples'], { cwd, env }).stdout).toContain(
        'examples/digits.smt2: well-sorted\n',
      );
    });
  });

  it('copies them into a folder of any name, and lists them as JSON', () => {
    inFolder((cwd) => {
      const env = { CULPRIT_CACHE: join(cwd, 'cache') };
      const { stdout } = culprit(['examples', 'a/b', '--json'], { cwd, env });
      expect(JSON.parse(stdout).files).toContain('a/b/triage/z3-labels.json');
    });
  });

  it('can run again, and overwrites changed files only with --force', () => {
    inFolder((cwd) => {
      const env = { CULPRIT_CACHE: join(cwd, 'cache') };
      const examples = (...args: readonly string[]) => culprit(['examples', ...args], { cwd, env });
      examples();
      expect(examples().exitCode).toBe(0);
      const file = join(cwd, 'examples', 'digits.smt2');
      writeFileSync(file, '(check-sat)\n');
      expect(examples()).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('digits.smt2 already exists'),
      });
      expect(readFileSync(file, 'utf8')).toBe('(check-sat)\n');
      expect(examples('--force').exitCode).toBe(0);
      expect(readFileSync(file, 'utf8')).toContain('str.from_int');
    });
  });

  it('is suggested by a command if an example is missing', () => {
    inFolder((cwd) => {
      const stderr = (path: string) => culprit(['run', path], { cwd }).stderr;
      expect(stderr('examples')).toBe(
        'culprit: there is no file or folder examples: run "culprit examples", which puts it there.\n',
      );
      expect(stderr('./examples/digits.smt2')).toContain('run "culprit examples"');
      expect(stderr('examples/other.smt2')).toBe('culprit: there is no file or folder examples/other.smt2\n');
      expect(stderr('examples-of-mine')).toContain('there is no file or folder examples-of-mine');
    });
  });
});
