import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tracedCauses } from '../../src/explain/causes/traced-causes.js';
import { TestedVersion } from '../../src/explain/trials/tested-version.js';
import { needsTools } from '../needs.js';
import { temporaryFolder } from '../temporary-folder.js';

needsTools('compilers');

it('tracedCauses asks for a clean build if objects of an earlier build remain', async () => {
  const folder = temporaryFolder('built-before');
  const build = '[ -e prog ] || cc -o prog main.c';
  for (const [name, code] of [
    ['old', 0],
    ['new', 1],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'main.c'), `int main(void) { return ${code}; }\n`);
    execFileSync('sh', ['-c', build], { cwd: join(folder, name) });
  }
  const commands = { build, test: './prog', buildLimitMs: 60_000, testLimitMs: 60_000 };
  const version = (name: string) => new TestedVersion({ kind: 'folder', path: join(folder, name) }, commands);
  const causes = await tracedCauses({
    old: version('old'),
    new: version('new'),
    changes: [],
    folder: join(folder, 'traced'),
    signal: new AbortController().signal,
  });
  expect(causes).toMatchObject({ message: expect.stringContaining('clean both versions first') });
});
