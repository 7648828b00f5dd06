import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFiles } from '../../src/explain/changes/change.js';
import { revertingPatch } from '../../src/explain/changes/patch.js';
import { withReverted } from '../../src/explain/changes/reverted.js';
import { temporaryFolder } from '../temporary-folder.js';

const text = fc.option(
  fc
    .tuple(fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 40 }), fc.constantFrom('\n', ''))
    .map(([lines, end]) => (lines.length === 0 ? '' : lines.join('\n') + end)),
  { nil: undefined, freq: 8 },
);

describe('the patch that reverts changes', () => {
  it('is accepted by git and gives the expected files', () => {
    const folder = temporaryFolder();
    let round = 0;
    fc.assert(
      fc.property(text, text, fc.infiniteStream(fc.boolean()), (oldText, newText, coins) => {
        fc.pre(oldText !== newText);
        const files = changedFiles([{ path: 'src/a.txt', oldText, newText, oldMode: 0o644 }]);
        const [file] = files;
        if (file === undefined) return;
        const reverted = new Set(file.changes.filter(() => coins.next().value === true).map(({ id }) => id));
        fc.pre(reverted.size > 0);
        const tree = join(folder, String(round++));
        mkdirSync(join(tree, 'src'), { recursive: true });
        const path = join(tree, 'src/a.txt');
        if (newText !== undefined) writeFileSync(path, newText, 'latin1');
        const patch = revertingPatch(files, (id) => reverted.has(id));
        execFileSync('git', ['apply', '-'], {
          cwd: tree,
          input: patch,
          stdio: ['pipe', 'ignore', 'ignore'],
          env: { ...process.env, GIT_CEILING_DIRECTORIES: folder },
        });
        const expected = withReverted(file, (id) => reverted.has(id));
        expect(existsSync(path) ? readFileSync(path, 'latin1') : undefined).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('preserves the bytes of sources and arbitrary file names', () => {
    const folder = temporaryFolder();
    const path = 'grün und rot.c';
    const [oldText, newText] = ['int ä; // \u00e4\n', 'int ö; // \u00f6\n'].map((text) =>
      Buffer.from(text).toString('latin1'),
    );
    writeFileSync(join(folder, path), newText ?? '', 'latin1');
    const files = changedFiles([{ path, oldText, newText, oldMode: 0o644 }]);
    execFileSync('git', ['apply', '-'], {
      cwd: folder,
      input: revertingPatch(files, () => true),
      env: { ...process.env, GIT_CEILING_DIRECTORIES: join(folder, '..') },
    });
    expect(readFileSync(join(folder, path), 'latin1')).toBe(oldText);
  });

  it('is empty if no change is reverted', () => {
    const files = changedFiles([{ path: 'a', oldText: '1\n', newText: '2\n', oldMode: 0o644 }]);
    expect(revertingPatch(files, () => false)).toHaveLength(0);
  });
});
