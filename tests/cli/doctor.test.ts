import { describe, expect, it } from 'vitest';
import { culprit, inFolder } from './culprit.js';

describe('culprit doctor', () => {
  it('lists the tools found, and the purpose of each missing one', () => {
    inFolder((folder) => {
      const env = { PATH: folder, CULPRIT_CACHE: folder };
      const { stdout, exitCode } = culprit(['doctor'], { env, cwd: folder });
      expect(stdout).toMatch(/^there +which\nNode\.js +\d+/);
      expect(stdout).toMatch(/^embedded Z3 +4\.8\.17, 5\.2\.0$/m);
      expect(stdout).toMatch(/^git \(essential\) +bisect, .* +install git$/m);
      expect(stdout).toMatch(/^clang 14 or newer +program, .* +culprit tools add clang$/m);
      expect(exitCode).toBe(3);
    });
  });

  it('exits with code 0 if all essential tools are there, and prints JSON', () => {
    const { stdout, exitCode } = culprit(['doctor', '--json']);
    const needs = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; found?: string; isEssential: boolean });
    expect(needs.find(({ name }) => name === 'Node.js')).toMatchObject({
      found: process.versions.node,
      isEssential: true,
    });
    expect(needs.filter(({ found, isEssential }) => isEssential && found === undefined)).toEqual([]);
    expect(exitCode).toBe(0);
  });
});

describe('culprit tools', () => {
  it.each([
    [['tools', 'add', 'gcc'], 2, 'culprit: culprit fetches no gcc: the one tool it knows is clang.\n'],
    [['tools', 'add', 'clang'], 3, 'culprit: CULPRIT_OFFLINE is set: clang is not fetched.\n'],
    [['tools', 'remove', 'clang'], 2, 'culprit: clang was not fetched, so there is nothing to remove.\n'],
  ])('explains %j in one clear sentence', (args, code, sentence) => {
    inFolder((folder) => {
      const ended = culprit(args, { env: { CULPRIT_CACHE: folder, CULPRIT_OFFLINE: '1' }, cwd: folder });
      expect(ended).toMatchObject({ exitCode: code, stderr: sentence });
    });
  });
});
