import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceFile } from '../../../src/program/ir/source-lines.js';
import { temporaryFolder } from '../../temporary-folder.js';

const above = temporaryFolder('source-lines');
const root = join(above, 'real', 'project');
const link = join(above, 'link');
mkdirSync(join(root, 'src'), { recursive: true });
mkdirSync(join(above, 'shared'));
symlinkSync(join(above, 'real'), link);
symlinkSync(join(above, 'shared'), join(root, 'shared'));
symlinkSync(join(root, 'src'), join(root, 'sources'));

describe('sourceFile', () => {
  it('returns the same name for all links to the folder and the root', () => {
    for (const from of [root, join(link, 'project')])
      for (const directory of [root, join(link, 'project'), join(link, 'project', 'sources', '..')])
        for (const file of ['src/a.c', './src/../src/a.c', 'sources/a.c', join(root, 'src', 'a.c')])
          expect(sourceFile({ file, directory }, from)).toBe('src/a.c');
  });

  it('works after the folder was removed', () => {
    const directory = join(link, 'project', 'build', 'gone');
    expect(sourceFile({ file: 'made.c', directory }, root)).toBe('build/gone/made.c');
    expect(sourceFile({ file: 'made.c', directory: '/no/such/folder' }, root)).toBe('/no/such/folder/made.c');
  });

  it('returns an absolute path outside the root, unless a link in the root leads there', () => {
    expect(sourceFile({ file: '../other/b.c', directory: root }, root)).toBe(join(above, 'real/other/b.c'));
    expect(sourceFile({ file: 'shared/b.c', directory: root }, root)).toBe('shared/b.c');
    expect(sourceFile({ file: '..b.c', directory: root }, root)).toBe('..b.c');
  });
});
