import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commitFiles, initRepository } from '../git-repository.js';
import { solverScript } from '../stand-in-solver.js';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit } from './culprit.js';

let folder: string;
let line: readonly string[];

beforeAll(() => {
  folder = temporaryFolder('quick');
  const repository = join(folder, 'repository');
  initRepository(repository);
  line = [500, 510, 505, 900_000_000, 900_000_000].map((effort, at) =>
    commitFiles(
      repository,
      { 'z3.sh': solverScript({ banner: 'Z3 version 4.8.8 - 64 bit', effort }) },
      `change ${at}`,
    ),
  );
  const builder = {
    repository: 'repository',
    build: ['echo for release it takes too long >&2; exit 1'],
    quick: ['cp z3.sh z3 && chmod +x z3'],
    binary: 'z3',
  };
  writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ builders: { own: builder } }));
  writeFileSync(join(folder, 'slow.smt2'), '(check-sat)\n');
});

const run = (...words: readonly string[]) =>
  culprit(words, { cwd: folder, env: { XDG_CACHE_HOME: join(folder, 'cache') } });
const range = () => ['--repo', 'repository', '--good', line[0] as string];

/** A folder with a builder whose release builds need time and effort wherever effort was added. */
function bothBuilds(name: string, rounds = 500_000) {
  const there = temporaryFolder(name);
  const spin = `[ $effort -lt 1000000 ] || { i=0; while [ $i -lt ${rounds} ]; do i=$((i+1)); done; }`;
  const builder = {
    repository: join(folder, 'repository'),
    build: [`{ cat z3.sh; echo '${spin}'; } > z3 && chmod +x z3`],
    quick: ['cp z3.sh z3 && chmod +x z3'],
    binary: 'z3',
  };
  writeFileSync(join(there, 'culprit.json'), JSON.stringify({ builders: { own: builder } }));
  writeFileSync(join(there, 'slow.smt2'), '(check-sat)\n');
  const inThere = (...words: readonly string[]) =>
    culprit(words, { cwd: there, env: { XDG_CACHE_HOME: join(there, 'cache') } });
  return { there, inThere };
}

describe('quick builds', () => {
  it('serve to bisect formulas by effort, if the recipe has them', () => {
    const { stdout, exitCode } = run('bisect', 'slow.smt2', ...range(), '--out', 'found', '--json');
    expect(exitCode).toBe(0);
    const { culprits, looked } = JSON.parse(stdout);
    expect(culprits).toMatchObject([
      { commit: line[3], before: line[2], direction: 'slower', beforeLevel: 505, isVerified: true },
    ]);
    expect(looked).toBeLessThanOrEqual(5);
  });

  it('are not used if times are requested', () => {
    for (const words of [['--no-quick'], ['--by', 'time'], ['--threshold', '1s']]) {
      const { stderr, exitCode } = run('bisect', 'slow.smt2', ...range(), '--out', words.join(''), ...words);
      expect(stderr).toContain('does not build');
      expect(exitCode).toBe(2);
    }
  });

  it('are refused with a command, with times, and with a recipe without them', () => {
    const asked = ['bisect', 'slow.smt2', ...range(), '--quick', '--out', 'other'];
    expect(run(...asked, '--by', 'time').stderr).toContain('leave out --by time');
    expect(run(...asked, '--', '{program}').stderr).toContain('it needs formulas');
    expect(run(...asked, '--build', 'true', '--binary', 'z3').stderr).toContain(
      'there is no quick build for this repository',
    );
  });

  it('are compiled by the requested compiler', () => {
    const there = temporaryFolder('compiler');
    const programs = join(there, 'programs');
    mkdirSync(programs);
    for (const name of ['g++', 'clang++'])
      writeFileSync(join(programs, name), '#!/bin/sh\n', { mode: 0o755 });
    const builder = {
      repository: join(folder, 'repository'),
      build: ['cp z3.sh z3 && chmod +x z3'],
      quick: [`if [ "$CXX" = clang++ ]; then sed s/505/506/ z3.sh; else cat z3.sh; fi >z3 && chmod +x z3`],
      binary: 'z3',
    };
    writeFileSync(join(there, 'culprit.json'), JSON.stringify({ builders: { own: builder } }));
    writeFileSync(join(there, 'slow.smt2'), '(check-sat)\n');
    const inThere = (path: string, ...words: readonly string[]) =>
      culprit(['bisect', 'slow.smt2', '--repo', builder.repository, '--good', line[0] as string, ...words], {
        cwd: there,
        env: { XDG_CACHE_HOME: join(there, 'cache'), PATH: path },
      });
    const path = `${programs}:${process.env.PATH}`;
    const levels = (...words: readonly string[]) =>
      JSON.parse(inThere(path, '--json', ...words).stdout).culprits.map(
        ({ beforeLevel }: { beforeLevel: number }) => beforeLevel,
      );
    expect(levels('--out', 'gcc', '--compiler', 'gcc')).toEqual([505]);
    expect(levels('--out', 'clang', '--compiler', 'clang')).toEqual([506]);
    expect(inThere(path, '--compiler', 'clang', '--no-quick').stderr).toContain(
      '--compiler needs quick builds',
    );
    writeFileSync(
      join(there, 'culprit.json'),
      JSON.stringify({ builders: { own: { ...builder, quick: undefined } } }),
    );
    expect(inThere(path, '--compiler', 'clang').stderr).toContain('no quick recipe');
  });

  it('name culprits that optimised builds verify', () => {
    const { there, inThere } = bothBuilds('verify');
    const asked = ['bisect', 'slow.smt2', '--verify', '--repo', join(folder, 'repository')];
    const { stdout, stderr, exitCode } = inThere(...asked, '--good', line[0] as string, '--out', 'a');
    expect(stderr).toContain(
      `building ${line[2]?.slice(0, 10)} and ${line[3]?.slice(0, 10)} for release, to measure slow.smt2 by time`,
    );
    expect(stdout).toMatch(/slow\.smt2 by time on release builds: [\d.]+ ms before, [\d.]+ m?s after$/m);
    expect(exitCode).toBe(0);
    const again = inThere('bisect', '--resume', 'a', '--json');
    expect(JSON.parse(again.stdout).culprits).toMatchObject([
      { commit: line[3], byTime: { kind: 'measured', holds: true } },
    ]);
    expect(inThere('report', 'a', '--tracker', 'texts').exitCode).toBe(0);
    const text = readFileSync(join(there, 'texts', `${line[3]?.slice(0, 10)}.md`), 'utf8');
    // The tracker text has a build command for readers without culprit and without the builder.
    expect(text).toMatch(/^timeout \d+ z3 slow\.smt2$/m);
    expect(text).toMatch(
      /a case takes an effort of more than [\d.]+[kM]? instead of 505 \(the solver's own count of its work\)\. .* Release builds take [\d.]+ m?s instead of [\d.]+ ms\.$/m,
    );
    expect(inThere(...asked, '--good', 'main~1', '--no-quick').stderr).toContain(
      '--verify needs quick builds',
    );
    // A commit without a release build cannot be verified.
    const unbuilt = run('bisect', 'slow.smt2', ...range(), '--out', 'unbuilt', '--verify');
    expect(unbuilt.stdout).toMatch(/slow\.smt2 by time: not measured, [0-9a-f]{10} does not build/);
    expect(unbuilt.exitCode).toBe(0);
  });

  it('name culprits in culprit blame, whole or partial, that optimised builds verify', () => {
    const { inThere } = bothBuilds('blame');
    const asked = ['blame', 'slow.smt2', '--repo', join(folder, 'repository'), '--good', line[0] as string];
    const found = inThere(...asked, '--seeds', '1', '--verify', '--out', 'a');
    expect(found.stderr).toMatch(/^ {3}partial builds are off: /m);
    expect(found.stderr).toContain(
      `   building ${line[2]?.slice(0, 10)} and ${line[3]?.slice(0, 10)} for release, to measure `,
    );
    expect(found.stdout).toMatch(
      /slow\.smt2 by time on release builds: [\d.]+ ms before, [\d.]+ m?s after$/m,
    );
    expect(found.exitCode).toBe(0);
    const again = inThere(...asked, '--seeds', '1', '--verify', '--out', 'a', '--json');
    expect(JSON.parse(again.stdout).culprits).toMatchObject([
      { commit: line[3], byTime: { kind: 'measured', holds: true } },
    ]);
    expect(inThere(...asked, '--seeds', '1', '--out', 'a').stderr).toBe(
      'culprit: a was begun with another choice of --verify: name another folder with --out\n',
    );
    const whole = inThere(...asked, '--seeds', '1', '--whole', '--out', 'b', '--json');
    expect(whole.stderr).not.toContain('built whole');
    expect(JSON.parse(whole.stdout).culprits).toMatchObject([{ commit: line[3] }]);
    expect(JSON.parse(whole.stdout).culprits[0].byTime).toBeUndefined();
    expect(inThere(...asked, '--verify', '--no-quick', '--out', 'c').stderr).toContain(
      '--verify needs quick builds',
    );
  });

  it('name culprits for findings of a hunt, with their own time limit', () => {
    const { there, inThere } = bothBuilds('hunted', 100_000);
    const on = `git:${join(folder, 'repository')}@${line[0]},git:${join(folder, 'repository')}@${line[4]}`;
    const blaming = ['--blame', '--quick', '--verify', '--json'];
    const asked = [
      'hunt',
      '--on',
      on,
      '--corpus',
      'slow.smt2',
      '--out',
      'a',
      '--for',
      '1s',
      '--threshold',
      '20ms',
    ];
    let found = inThere(...asked, ...blaming);
    // A busy machine may need more than a second.
    for (let more = 0; more < 10 && found.exitCode === 1; more++)
      found = inThere('hunt', '--resume', 'a', '--for', '2s', ...blaming);
    expect(found.stderr).toMatch(/ {3}building [0-9a-f]{10} and [0-9a-f]{10} for release, to measure /);
    const [blamed = ''] = readdirSync(join(there, 'a')).filter((name) => name.startsWith('blame-'));
    const settings = JSON.parse(readFileSync(join(there, 'a', blamed, 'campaign.json'), 'utf8'));
    expect(settings).toMatchObject({ isQuick: true, slowness: { timeoutMs: 30_000 } });
    expect(JSON.parse(found.stdout.trim().split('\n').at(-1) ?? '').culprits).toMatchObject([
      { commit: line[3], beforeLevel: 505, byTime: { kind: 'measured' } },
    ]);
    for (const word of ['--verify', '--quick', '--no-quick'])
      expect(inThere('hunt', '--on', on, word).stderr).toBe(
        `culprit: ${word} needs --blame: hunt --blame ${word}\n`,
      );
    // Impossible requests are refused before the hunt.
    const refused = (...words: readonly string[]) =>
      inThere('hunt', '--on', on, '--out', 'b', '--blame', ...words);
    expect(refused('--good', 'nothing').stderr).toContain('has no commit nothing');
    expect(refused('--threshold', '1s', '--verify').stderr).toContain('--verify needs quick builds');
    expect(existsSync(join(there, 'b'))).toBe(false);
    // A resumed campaign has its own threshold.
    const resumed = inThere('hunt', '--resume', 'a', '--for', '5s', '--blame', '--verify');
    expect(resumed.stderr).toBe(
      'culprit: --verify needs quick builds: optimised ones are compared by time already.\n',
    );
  });

  it('can be named as versions', () => {
    const quick = run('run', 'slow.smt2', '--on', `git:repository@${line[0]}?quick`, '--json');
    expect(JSON.parse(quick.stdout).versions[0]).toMatchObject({ outcome: 'sat', effort: 500 });
    const release = run('run', 'slow.smt2', '--on', `git:repository@${line[0]}`, '--json');
    expect(release.stderr).toContain('does not build');
  });
});
