import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { commitFiles, gitIn, initRepository } from '../git-repository.js';
import { temporaryFolder } from '../temporary-folder.js';
import { plainEnvironment } from './installed-package.js';

const original = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const manifest = JSON.parse(original('package.json'));

describe('npm run release', () => {
  let clone: string;
  const release = (...args: readonly string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/release.mjs', ...args], {
      cwd: clone,
      encoding: 'utf8',
      env: {
        ...plainEnvironment(),
        ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_NAME: 'Someone', GIT_AUTHOR_EMAIL: 'a@example.org' },
        ...{ GIT_COMMITTER_NAME: 'Someone', GIT_COMMITTER_EMAIL: 'a@example.org' },
      },
    });
    return { stdout, stderr, status };
  };
  const refusal = (sentence: string) => ({ stdout: '', stderr: `release: ${sentence}\n`, status: 1 });
  const read = (path: string): string => readFileSync(join(clone, path), 'utf8');
  const setTest = (test: string): string =>
    commitFiles(clone, {
      'package.json': JSON.stringify({ ...manifest, version: '0.1.0', scripts: { test }, files: ['docs'] }),
    });

  beforeEach(() => {
    clone = temporaryFolder('release');
    initRepository(clone);
    mkdirSync(join(clone, 'scripts'));
    writeFileSync(join(clone, 'scripts/release.mjs'), original('scripts/release.mjs'));
    writeFileSync(join(clone, 'package-lock.json'), original('package-lock.json'));
    writeFileSync(
      join(clone, 'CHANGELOG.md'),
      '# Changelog\n\n## [Unreleased]\n\n- A new command.\n\n## [0.1.0]\n\n- All.\n',
    );
    setTest('true');
  });

  it('closes the changelog, sets the version, commits, tags and tries to publish', () => {
    expect(release('0.2.0')).toMatchObject({ stderr: expect.stringContaining('culprit@0.2.0'), status: 0 });
    const day = gitIn(clone, ['log', '-1', '--format=%cd', '--date=format-local:%Y-%m-%d']);
    expect(read('CHANGELOG.md')).toBe(
      `# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - ${day}\n\n- A new command.\n\n## [0.1.0]\n\n- All.\n`,
    );
    expect(JSON.parse(read('package.json')).version).toBe('0.2.0');
    const { version, packages } = JSON.parse(read('package-lock.json'));
    expect([version, packages[''].version]).toEqual(['0.2.0', '0.2.0']);
    expect(gitIn(clone, ['log', '-1', '--format=%s'])).toBe('Release 0.2.0');
    expect(gitIn(clone, ['describe'])).toBe('v0.2.0');
    expect(gitIn(clone, ['status', '--porcelain'])).toBe('');
  });

  it('publishes the version in package.json if it has no tag, and never publishes a version twice', () => {
    expect(release('0.1.0').status).toBe(0);
    expect(release('0.1.0')).toEqual(refusal('0.1.0 is not newer than 0.1.0, the version in package.json'));
  });

  it('prints its steps and changes nothing with --dry-run', () => {
    const before = gitIn(clone, ['rev-parse', 'HEAD']);
    const { stdout, stderr, status } = release('0.2.0', '--dry-run');
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout.replace(/\d{4}-\d\d-\d\d/, 'DATE')).toBe(`would run npm test
would close the section "Unreleased" of CHANGELOG.md as 0.2.0 - DATE
would set the version in package.json and package-lock.json to 0.2.0
would commit and tag v0.2.0
would run npm publish --dry-run
`);
    expect(gitIn(clone, ['rev-parse', 'HEAD'])).toBe(before);
    expect(gitIn(clone, ['status', '--porcelain'])).toBe('');
    expect(gitIn(clone, ['tag'])).toBe('');
  });

  it('rejects a version that is not newer', () => {
    expect(release()).toEqual(refusal('usage: npm run release -- VERSION [--dry-run]'));
    expect(release('next')).toEqual(refusal('next is not a version such as 1.2.3'));
    expect(release('0.0.9')).toEqual(refusal('0.0.9 is not newer than 0.1.0, the version in package.json'));
    expect(release('0.1.0-rc.1')).toEqual(
      refusal('0.1.0-rc.1 is not newer than 0.1.0, the version in package.json'),
    );
  });

  it('rejects uncommitted changes', () => {
    writeFileSync(join(clone, 'new.txt'), 'new');
    expect(release('0.2.0')).toEqual(
      refusal('the working tree has uncommitted changes: commit or remove them'),
    );
  });

  it('rejects a changelog without notes', () => {
    commitFiles(clone, { 'CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n\n## [0.1.0]\n\n- All.\n' });
    expect(release('0.2.0')).toEqual(refusal('CHANGELOG.md has nothing under "## [Unreleased]"'));
  });

  it('stops at a failed test and changes nothing', () => {
    const before = setTest('false');
    const { stderr, status } = release('0.2.0');
    expect({ stderr, status }).toEqual({
      stderr: expect.stringContaining('release: Command failed: npm test\n'),
      status: 1,
    });
    expect(gitIn(clone, ['rev-parse', 'HEAD'])).toBe(before);
    expect(gitIn(clone, ['status', '--porcelain'])).toBe('');
  });
});
