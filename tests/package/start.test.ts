import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageVersion } from '../../src/cli/package-version.js';
import { commitFiles, initRepository } from '../git-repository.js';
import { needsTools } from '../needs.js';
import { temporaryFolder } from '../temporary-folder.js';

needsTools('build');

const bundled = fileURLToPath(new URL('../../dist/bin/', import.meta.url));

describe('the culprit command with its compile cache', () => {
  let top: string;
  const inBin = (name: string): string => join(top, 'dist', 'bin', name);
  const compiled = (): string => inBin('program.compiled');
  const start = (...flags: readonly string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, inBin('main.cjs'), '--version'], {
      encoding: 'utf8',
    });
    return { stdout, stderr };
  };
  const itsVersion = { stdout: `${packageVersion}\n`, stderr: '' };

  beforeAll(() => {
    top = temporaryFolder('start');
    mkdirSync(join(top, 'dist', 'bin'), { recursive: true });
    copyFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), join(top, 'package.json'));
    for (const name of ['main.cjs', 'program.cjs', 'program.compiled'])
      copyFileSync(join(bundled, name), inBin(name));
  });

  it('starts, even with flags that invalidate the cache', () => {
    expect(start()).toEqual(itsVersion);
    expect(start('--no-opt')).toEqual(itsVersion);
  });

  it('reports a missing file of its own instead of a broken build', () => {
    const home = temporaryFolder('lacking');
    initRepository(join(home, 'solver'));
    commitFiles(join(home, 'solver'), { 'a.txt': 'a' }, 'a commit');
    const builder = { repository: 'solver', build: ['exit 1'], binary: '$CULPRIT_BUILD/z3' };
    writeFileSync(join(home, 'culprit.json'), JSON.stringify({ builders: { shell: builder } }));
    writeFileSync(join(home, 'a.smt2'), '(check-sat)');
    for (let time = 0; time < 2; time++) {
      const { stderr, status } = spawnSync(
        process.execPath,
        [inBin('main.cjs'), 'run', 'a.smt2', '--on', 'git:solver@main'],
        { cwd: home, encoding: 'utf8', env: { ...process.env, CULPRIT_CACHE: join(home, 'cache') } },
      );
      const gone = join(top, 'src', 'builds', 'quick-compile.sh');
      expect(stderr).toContain(`culprit: ${gone} is missing, which builds need: reinstall culprit.\n`);
      expect(status).toBe(3);
    }
  });

  it('starts if any part of the cache is damaged', () => {
    const whole = readFileSync(compiled());
    for (const part of [0, 0.0001, 0.1, 0.3, 0.5, 0.7, 0.9]) {
      const damaged = Buffer.from(whole);
      const at = Math.floor(part * whole.length);
      damaged.fill(0xff, at, at + 64);
      writeFileSync(compiled(), damaged);
      expect(start(), `${part}`).toEqual(itsVersion);
    }
    writeFileSync(compiled(), whole);
  });

  it('runs program.cjs after a change that keeps its length', () => {
    const text = readFileSync(inBin('program.cjs'), 'utf8');
    const changed = text.replace('output the version number', 'OUTPUT THE VERSION NUMBER');
    expect(changed).not.toBe(text);
    writeFileSync(inBin('program.cjs'), changed);
    const { stdout } = spawnSync(process.execPath, [inBin('main.cjs'), '--help'], { encoding: 'utf8' });
    writeFileSync(inBin('program.cjs'), text);
    expect(stdout).toContain('OUTPUT THE VERSION NUMBER');
  });

  it('starts with a missing, truncated or foreign cache', () => {
    truncateSync(compiled(), Math.floor(statSync(compiled()).size / 2));
    expect(start()).toEqual(itsVersion);
    writeFileSync(compiled(), 'something else');
    expect(start()).toEqual(itsVersion);
    rmSync(compiled());
    expect(start()).toEqual(itsVersion);
  });
});
