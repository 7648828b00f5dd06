import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { commitFiles, initRepository } from '../git-repository.js';
import { needsTools } from '../needs.js';
import { temporaryFolder } from '../temporary-folder.js';

needsTools('build', 'compilers');

/** The oldest release that package.json allows, and the later releases with long-term support. */
const versions = ['20.11', '22', '24'];

const culprit = fileURLToPath(new URL('../../dist/bin/main.cjs', import.meta.url));
const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const formula = `(declare-const x Int)
(declare-const y Int)
(assert (and (> x (+ y 3)) (< y 9)))
(assert (or (< x y) (= (* 2 x) (+ (* 2 y) 1))))
(check-sat)
`;

/** npm has the executables of Node.js as packages, one for each platform. */
function install(version: string): string {
  const folder = temporaryFolder(`node-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `${name}@${version}`];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'node_modules', name, 'bin', 'node');
}

describe('the built command line on every supported Node.js', () => {
  let home: string;

  beforeAll(() => {
    home = temporaryFolder('node-versions');
    cpSync(examples, join(home, 'examples'), { recursive: true });
    writeFileSync(join(home, 'unsat.smt2'), formula);
    initRepository(join(home, 'project'));
    const code = (change: string): string =>
      `int main(int argc, char **argv) {\n  int sum = 0;\n  for (int i = 0; i < argc; i++)\n    ${change}\n  return sum;\n}\n`;
    commitFiles(join(home, 'project'), { 'a.c': code('sum++;') });
    commitFiles(join(home, 'project'), { 'a.c': code('sum += i > 3 ? 1 : 2;') });
    commitFiles(join(home, 'project'), { 'a.c': code('if (argv[i][0]) sum += i > 3 ? 1 : 2;') });
  });

  /** The output of each command, without the parts that depend on time. */
  function outputsOn(node: string, version: string) {
    const call = (...args: readonly string[]): string => {
      const { stdout, stderr, status } = spawnSync(node, [culprit, ...args], { cwd: home, encoding: 'utf8' });
      expect({ args, status, stderr }).toEqual({
        args,
        status: 0,
        stderr: expect.not.stringMatching(/Warning:|bug in culprit/),
      });
      return stdout;
    };
    const callForLines = (...args: readonly string[]) =>
      call(...args, '--json')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line, (key, value) => (key.endsWith('Ms') ? undefined : value)));
    const runs = callForLines('run', 'examples/digits.smt2', 'unsat.smt2', '--repeat', '1').map(
      ({ formula: file, versions: all }) => [
        file,
        all.map(({ version: of, outcome, effort }: Record<string, unknown>) => [of, outcome, effort]),
      ],
    );
    const hunt = JSON.parse(
      call('hunt', '--for', '3s', '--seed', '1', '--workers', '1', '--out', `hunt-${version}`, '--json'),
    );
    expect(call('hunt', '--replay', `hunt-${version}`)).toContain('the same search');
    return {
      runs,
      reduced: call(
        'reduce',
        'unsat.smt2',
        '--on',
        'z3@5.2.0',
        '--outcome',
        'unsat',
        '--workers',
        '1',
        '--forget',
      ),
      complexity: callForLines('complexity', 'HEAD~2..HEAD', '--repo', 'project'),
      hunt: { versions: hunt.settings.versions, options: hunt.settings.options },
    };
  }

  it('prints the same results', () => {
    const all = versions.map((version) => {
      const node = install(version);
      expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(
        new RegExp(`^v${version.replace('.', '\\.')}\\.`),
      );
      return outputsOn(node, version);
    });
    const [first] = all;
    expect(first?.reduced.length).toBeLessThan(formula.length);
    for (const outputs of all) expect(outputs).toEqual(first);
  });
});
