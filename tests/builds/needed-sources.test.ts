import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { neededSources } from '../../src/builds/partial/needed-sources.js';
import { type Objects, ObjectsReader, objectsIn } from '../../src/builds/partial/objects.js';
import { needsTools } from '../needs.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

needsTools('compilers');

const { signal } = new AbortController();

/** Parses sources with the symbols that `nm -P` prints of each. */
function objectsOf(sources: Readonly<Record<string, readonly string[]>>): Objects {
  const read = new ObjectsReader(new Map(Object.keys(sources).map((name) => [`${name}.o`, name])));
  for (const [name, symbols] of Object.entries(sources)) read.add(`${name}.o:\n${symbols.join('\n')}\n`);
  return read.objects();
}

const needed = (sources: Readonly<Record<string, readonly string[]>>, ...called: readonly string[]) =>
  [...neededSources(objectsOf(sources), new Set(called))].toSorted();

describe('neededSources', () => {
  it('returns the sources of called functions and of their references', () => {
    const sources = {
      main: ['main T 0 1', 'one U', 'two U', 'table U', 'shared U'],
      one: ['one T 0 1', 'shared W 0 1'],
      two: ['two T 0 1', 'shared W 0 1'],
      table: ['table R 0 1', 'three U'],
      three: ['three T 0 1'],
      shared: ['shared W 0 1'],
    };
    expect(needed(sources, 'main', 'one', 'shared')).toEqual(['main', 'one', 'table']);
    expect(needed(sources, 'main', 'shared')).toContain('one');
  });

  it('includes weakly referenced sources, called or not', () => {
    const sources = { main: ['main T 0 1', 'hook w', 'call U'], hook: ['hook T 0 1'], call: ['call T 0 1'] };
    expect(needed(sources, 'main')).toEqual(['hook', 'main']);
  });

  it('includes a source whose function has a weak copy elsewhere', () => {
    const sources = { main: ['main T 0 1', 'f W 0 1'], f: ['f T 0 1'], g: ['g T 0 1'] };
    expect(needed(sources, 'main')).toEqual(['f', 'main']);
  });
});

describe('objectsIn', () => {
  it('ignores objects that an earlier commit left', async () => {
    const folder = temporaryFolder('objects');
    for (const name of ['source', 'build']) mkdirSync(join(folder, name));
    const lines = ['here', 'gone'].map((name) => {
      const [source, object] = [join(folder, 'source', `${name}.c`), join(folder, 'build', `${name}.o`)];
      writeFileSync(name === 'here' ? source : join(folder, 'else.c'), `int ${name}(void) { return 1; }\n`);
      execFileSync('cc', ['-c', name === 'here' ? source : join(folder, 'else.c'), '-o', object]);
      return `${object}\tsource/${name}.c\n`;
    });
    writeFileSync(join(folder, 'build', 'compiled.txt'), lines.join(''));
    const objects = withoutFault(await objectsIn(join(folder, 'build'), signal));
    expect(objects?.sources.map(({ name }) => name)).toEqual(['source/here.c']);
    expect(objects?.symbols).toEqual(['here']);
  });
});
