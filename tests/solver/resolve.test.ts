import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../src/machine/index.js';
import { choose, type VersionChoice } from '../../src/solver/catalog/choose.js';
import { resolveVersion, resolveVersions } from '../../src/solver/catalog/resolve.js';
import type { SolverSurroundings } from '../../src/solver/sources/source.js';
import { dialectOf } from '../../src/solver/version/dialects.js';
import { compareReleases, nearestReleases } from '../../src/solver/version/release.js';
import { parseSpec, parseSpecList, type VersionSpec } from '../../src/solver/version/spec.js';
import type { FamilyName } from '../../src/solver/version/version.js';
import { debianArchive, fakeLibc, fakeSolver } from './sources/debian-archive.js';
import { type FakeMachine, fakeMachine } from './sources/fake-machine.js';
import { fakeZ3Package, installNpm, installPip } from './sources/fake-registries.js';
import { type FileServer, serveFiles } from './sources/file-server.js';

let fake: FakeMachine;
let server: FileServer | undefined;
beforeEach(async () => {
  fake = await fakeMachine();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await fake.remove();
});

const templates = {
  mysolver: { command: ['/bin/sh', '--seed={seed}', '{file}'], dialect: '2.5', version: '1.0' },
} as const;

function specs(list: string): readonly VersionSpec[] {
  const parsed = parseSpecList(list, Object.keys(templates));
  if (parsed instanceof Fault) throw new Error(parsed.message);
  return parsed;
}

/** The source of each version, then the warnings, or the fault. */
async function sources(list: string, around: SolverSurroundings = fake.around) {
  const resolved = await resolveVersions(specs(list), around);
  if (resolved instanceof Fault) return resolved.message;
  return [...resolved.versions.map(({ number, source }) => `${source} ${number}`), ...resolved.warnings];
}

/** The same machine with a Debian archive. */
async function withDebian(architecture = 'amd64'): Promise<SolverSurroundings> {
  const cvc5 = fakeSolver('cvc5', 'This is cvc5 version 1.0.3', '1.0.3-1');
  const z3 = fakeSolver('z3', 'Z3 version 4.8.12 - 64 bit', '4.8.12-3.1');
  const loader = { name: './lib/ld-linux-aarch64.so.1', content: '#!/bin/sh\nshift 3\nexec "$@"\n' };
  const libc = { ...fakeLibc, files: [...(fakeLibc.files ?? []), loader] };
  server = await serveFiles(debianArchive('bookworm', [cvc5, z3, libc], architecture));
  const { around, machine } = fake;
  return {
    ...around,
    machine: { ...machine, env: { ...machine.env, CULPRIT_DEBIAN_MIRROR: server.address } },
  };
}

describe('resolveVersion', () => {
  it('takes an embedded release without a network', async () => {
    const version = await resolveVersion(specs('z3@5.2.0?smt.random_seed=3')[0] as VersionSpec, fake.around);
    expect(version).toMatchObject({
      name: 'z3@5.2.0?smt.random_seed=3',
      spec: 'z3@5.2.0?smt.random_seed=3',
      family: 'z3',
      number: '5.2.0',
      source: 'embedded',
      program: { kind: 'wasm' },
      options: { 'smt.random_seed': '3' },
      dialect: { name: '2.6' },
    });
    expect(fake.progress).toEqual([]);
  });

  it('takes the solver on PATH if its number matches', async () => {
    await fake.installSolver('z3', 'Z3 version 4.8.10 - 64 bit');
    await installPip(fake, { releases: ['4.8.9.0', '4.8.10.0'] });
    expect(await sources('z3@4.8.10')).toEqual(['path 4.8.10']);
    expect(await sources('z3@4.8.9')).toEqual(['pypi 4.8.9']);
  });

  it('takes the solver of any number on PATH for a bare family name', async () => {
    await fake.installSolver('z3', 'Z3 version 4.8.10 - 64 bit');
    expect(await sources('z3')).toEqual(['path 4.8.10']);
    expect(await sources('cvc5')).toMatch(/cvc5/);
  });

  it('takes the newest release of all sources for latest', async () => {
    await installPip(fake, { releases: ['4.8.9.0', '4.13.0.0'] });
    await installNpm(fake, [fakeZ3Package('4.12.2'), fakeZ3Package('5.10.0')]);
    expect(await sources('z3@latest')).toEqual(['npm 5.10.0']);
    expect(await sources('pypi:z3@latest')).toEqual(['pypi 4.13.0']);
    expect(await sources('z3@latest', { ...fake.around, offline: true })).toEqual(['npm 5.10.0']);
    expect(await sources('z3str3@latest')).toEqual(['pypi 4.13.0']);
    const [spec] = specs('z3@latest?smt.random_seed=3');
    expect(await resolveVersion(spec as VersionSpec, fake.around)).toMatchObject({
      name: 'z3@5.10.0?smt.random_seed=3',
    });
  });

  it('takes the newest release of the reachable sources for latest', async () => {
    expect(await sources('z3@latest')).toEqual(['embedded 5.2.0']);
    expect(fake.progress).toEqual([
      expect.stringMatching(
        /^z3@latest is taken as 5\.2\.0; not all sources could be reached: .*pip.*; .*npm/,
      ),
    ]);
    expect(await sources('cvc5@latest', { ...fake.around, offline: true })).toBe(
      'the newest release for cvc5@latest could not be found: no source lists one',
    );
  });

  it('downloads a release once and then takes it from the store', async () => {
    await installPip(fake, { releases: ['4.8.9.0'] });
    await sources('z3@4.8.9');
    expect(await sources('z3@4.8.9', { ...fake.around, offline: true })).toEqual(['pypi 4.8.9']);
    expect(await sources('pypi:z3@4.8.9', { ...fake.around, offline: true })).toEqual(['pypi 4.8.9']);
    expect(fake.progress).toEqual(['pip: downloading z3-solver 4.8.9.0']);
  });

  it('prefers native programs to WASM if both need a download', async () => {
    await installNpm(fake, [fakeZ3Package('4.12.2')]);
    await installPip(fake, { releases: ['4.12.2.0'] });
    expect(await sources('z3@4.12.2')).toEqual(['pypi 4.12.2']);
    expect(await sources('npm:z3@4.12.2')).toEqual(['npm 4.12.2']);
  });

  it('takes the next source if PyPI has no wheel for the machine', async () => {
    await fake.remove();
    fake = await fakeMachine({}, 'arm64');
    await installPip(fake, { releases: ['4.13.0.0'] });
    await installNpm(fake, [fakeZ3Package('4.10.0')]);
    const around = await withDebian('arm64');
    expect(await sources('z3@4.8.12', around)).toEqual(['debian 4.8.12']);
    expect(await sources('z3@4.10.0', around)).toEqual(['npm 4.10.0']);
    expect(await sources('z3@4.13.0', around)).toEqual(['pypi 4.13.0']);
  });

  it('takes the next source if one fails', async () => {
    await installPip(fake, { releases: ['4.8.12.0'], failure: 'breaks off' });
    const around = await withDebian();
    expect(await sources('z3@4.8.12', around)).toEqual(['debian 4.8.12']);
    expect(fake.progress.join('\n')).toMatch(/cannot reach its package index.*; trying another source$/m);
  });

  it('takes the package of a Debian suite with any number', async () => {
    const around = await withDebian();
    expect(await sources('debian:bookworm/z3', around)).toEqual(['debian 4.8.12']);
    expect(await sources('debian:z3str3=bookworm/z3', { ...around, offline: true })).toEqual([
      'debian 4.8.12',
    ]);
    expect(await sources('debian:bookworm/cvc5', { ...around, offline: true })).toBe(
      'debian:bookworm/cvc5 is not on this machine: when there is a network, download it with culprit solvers add debian:bookworm/cvc5',
    );
  });

  it('takes a program by its path', async () => {
    const file = await fake.installSolver('solver', 'This is CVC4 version 1.7');
    const version = await resolveVersion(parseSpec(`path:${file}`) as VersionSpec, fake.around);
    expect(version).toMatchObject({
      family: 'cvc4',
      number: '1.7',
      dialect: { name: '2.5' },
      name: `path:${file}`,
    });
  });

  it('queries a program for its dialect, with any number', async () => {
    const dialectSaid = async (answer: string) => {
      const script = `console.log(process.argv[2] === '--version' ? 'Z3 version 4.8.9 - 64 bit' : ${answer})`;
      const file = await fake.install('built', script);
      const version = await resolveVersion(parseSpec(`path:${file}`) as VersionSpec, fake.around);
      return version instanceof Fault ? version.message : version.dialect.name;
    };
    expect(await dialectSaid(`'(error "line 2: unknown function/constant str.to_re")\\n1'`)).toBe('2.5');
    expect(await dialectSaid(`'true\\n1'`)).toBe('2.6x');
    expect(await dialectSaid(`'true\\n4'`)).toBe('2.6');
    expect(await dialectSaid(`process.argv.slice(2)`)).toBe('2.6x');
    expect(await dialectSaid(`process.kill(process.pid, 'SIGKILL')`)).toBe('2.6x');
  });

  it('takes a program by a bare path', async () => {
    await fake.installSolver('solver', 'Z3 version 4.8.12 - 64 bit');
    expect(await sources('bin/solver')).toEqual(['path 4.8.12']);
  });

  it('takes a command template', async () => {
    const around = { ...fake.around, configuration: { solvers: templates, mirrors: {} } };
    const version = await resolveVersion(parseSpec('mysolver', ['mysolver']) as VersionSpec, around);
    expect(version).toEqual({
      name: 'mysolver',
      spec: 'mysolver',
      family: 'custom',
      number: '1.0',
      source: 'template',
      program: { kind: 'native', command: templates.mysolver.command },
      options: {},
      dialect: { name: '2.5', names: '2.5', escapes: 'x' },
    });
  });

  it('builds a git commit if builds are possible', async () => {
    expect(await sources('git:./z3@main')).toMatch(/cannot be built from git commits here/);
  });

  it.each([
    'z3str3@4.15.3',
    'z3str3@5.2.0',
    'embedded:z3str3@5.2.0',
  ])('rejects %s without z3str3', async (spec) => {
    expect(await sources(spec)).toMatch(/has no z3str3: releases from 4\.15\.3 on accept the option/);
  });

  it('finds z3str3 in earlier releases', async () => {
    expect(await sources('z3str3@4.8.17')).toEqual(['embedded 4.8.17']);
    const file = await fake.installSolver('solver', 'Z3 version 4.15.4 - 64 bit');
    expect(await sources(`path:z3str3=${file}`)).toMatch(/^Z3 4\.15\.4 has no z3str3/);
  });
});

describe('resolveVersion, if a download fails,', () => {
  it('reports that the release exists and why the download failed', async () => {
    await installPip(fake, { releases: ['4.8.9.0'], failure: 'breaks off' });
    expect(await sources('pypi:z3@4.8.9')).toMatch(
      /^z3 4\.8\.9 could not be downloaded: pip cannot reach its package index \(the connection breaks off\)/,
    );
  });
});

describe('resolveVersion, if no source has the release,', () => {
  it('names the nearest releases', async () => {
    await installPip(fake, { releases: ['4.8.9.0', '4.8.10.0', '4.13.0.0', '4.14.0.0'] });
    await installNpm(fake, [fakeZ3Package('4.12.2')]);
    const around = await withDebian();
    const missing = await resolveVersion(parseSpec('z3@4.12.9') as VersionSpec, around);
    expect(missing).toEqual(
      new Fault('usage', 'no source has z3 4.12.9 (nearest: 4.8.17, 4.12.2, 4.13.0, 4.13.3)'),
    );
    expect(await sources('npm:z3@4.12.9', around)).toBe('the source npm has no z3 4.12.9 (nearest: 4.12.2)');
  });

  it('first queries a fresh list', async () => {
    await installPip(fake, { releases: ['4.8.9.0'] });
    expect(await sources('z3@4.8.9')).toEqual(['pypi 4.8.9']);
    await installPip(fake, { releases: ['4.8.9.0', '5.5.0.0'] });
    await installNpm(fake, [fakeZ3Package('4.12.2')]);
    expect(await sources('z3@5.5.0', await withDebian())).toEqual(['pypi 5.5.0']);
  });

  it('returns an environment fault if not all sources were reachable', async () => {
    const missing = await resolveVersion(parseSpec('z3@4.12.9') as VersionSpec, fake.around);
    expect(missing).toBeInstanceOf(Fault);
    expect((missing as Fault).kind).toBe('environment');
    expect((missing as Fault).message).toMatch(
      /^no source has z3 4\.12\.9 \(nearest: 4\.8\.17, 5\.2\.0\); not all sources could be reached: .*pip.*; .*Debian mirror.*; .*npm/,
    );
  });

  it('searches only this machine when offline', async () => {
    expect(await sources('z3@4.12.9', { ...fake.around, offline: true })).toBe(
      'z3 4.12.9 (nearest: 4.8.17, 5.2.0) is not on this machine: when there is a network, download it with culprit solvers add z3@4.12.9',
    );
  });
});

describe('resolveVersions', () => {
  it('takes embedded releases for all if possible', async () => {
    await fake.installSolver('z3', 'Z3 version 4.8.17 - 64 bit');
    expect(await sources('z3@4.8.17,z3@5.2.0')).toEqual(['embedded 4.8.17', 'embedded 5.2.0']);
  });

  it('takes native programs for all if one of them is native', async () => {
    await fake.installSolver('z3', 'Z3 version 4.8.12 - 64 bit');
    await installPip(fake, { releases: ['4.8.17.0'] });
    expect(await sources('z3@4.8.12,z3@4.8.17')).toEqual(['path 4.8.12', 'pypi 4.8.17']);
  });

  it('takes WASM for all if that needs fewer downloads', async () => {
    await installPip(fake, { releases: ['4.12.2.0', '5.2.0.0'] });
    await installNpm(fake, [fakeZ3Package('4.12.2')]);
    expect(await sources('z3@4.12.2,z3@5.2.0')).toEqual(['npm 4.12.2', 'embedded 5.2.0']);
  });

  it('warns if native and WASM versions are mixed', async () => {
    await fake.installSolver('z3', 'Z3 version 4.8.12 - 64 bit');
    await fake.installSolver('cvc5', 'This is cvc5 version 1.0.3');
    expect(await sources('z3@4.8.12,z3@5.2.0,cvc5@1.0.3')).toEqual([
      'path 4.8.12',
      'embedded 5.2.0',
      'path 1.0.3',
      'z3@5.2.0 is available here only as WASM, z3@4.8.12 and cvc5@1.0.3 only as a native program: ' +
        'compare their answers, not their times.',
    ]);
  });

  it('mixes native and WASM versions if the unifying download fails', async () => {
    await fake.installSolver('z3', 'Z3 version 4.8.12 - 64 bit');
    await installPip(fake, { releases: ['4.8.17.0'], failure: 'breaks off' });
    expect(await sources('z3@4.8.12,z3@4.8.17')).toEqual([
      'path 4.8.12',
      'embedded 4.8.17',
      expect.stringMatching(/only as WASM/),
    ]);
  });
});

describe('choose', () => {
  const choice = fc.record({
    kind: fc.constantFrom('native' as const, 'wasm' as const),
    isLocal: fc.boolean(),
  });
  const versions = fc.array(
    fc.record({ engine: fc.constantFrom('z3', 'cvc5'), choices: fc.array(choice, { maxLength: 4 }) }),
    { minLength: 1, maxLength: 4 },
  );

  it('picks a choice for each version, all of one kind whenever possible', () => {
    fc.assert(
      fc.property(versions, (all) => {
        const chosen = choose<VersionChoice>(all);
        all.forEach(({ choices }, at) => {
          const picked = chosen[at];
          expect(picked === undefined ? choices.length === 0 : choices.includes(picked)).toBe(true);
        });
        for (const group of [all, all.filter(({ engine }) => engine === 'z3')]) {
          const kinds = new Set(group.map((version) => chosen[all.indexOf(version)]?.kind));
          const possible = (['native', 'wasm'] as const).some((kind) =>
            group.every(({ choices }) => choices.some((choice) => choice.kind === kind)),
          );
          expect(possible && kinds.size > 1).toBe(false);
        }
      }),
    );
  });
});

describe('dialectOf', () => {
  it.each<[FamilyName, string, string]>([
    ['z3', '4.5.1', '2.5'],
    ['z3', '4.8.8', '2.5'],
    ['z3', '4.8.9', '2.6x'],
    ['z3str3', '4.8.10', '2.6x'],
    ['z3', '4.8.11', '2.6'],
    ['z3', '5.2.0', '2.6'],
    ['z3', 'unknown', '2.6'],
    ['cvc4', '1.7', '2.5'],
    ['cvc4', '1.8', '2.6'],
    ['cvc5', '0.0.2', '2.6'],
  ])('of %s %s is %s', (family, number, dialect) => {
    expect(dialectOf(family, number).name).toBe(dialect);
  });
});

describe('releases', () => {
  it('are ordered by numbers, not by letters', () => {
    expect(['4.8.12', '4.8.9', '5.0.0', '4.8'].sort(compareReleases)).toEqual([
      '4.8',
      '4.8.9',
      '4.8.12',
      '5.0.0',
    ]);
    expect(compareReleases('1.8', '1.8.0')).toBe(0);
  });

  it('have neighbours on both sides', () => {
    const available = ['5.0.0', '4.8.9', '4.8.10', '4.8.9', '4.13.0', '4.14.0'];
    expect(nearestReleases('4.9.0', available)).toEqual(['4.8.9', '4.8.10', '4.13.0', '4.14.0']);
    expect(nearestReleases('6.0.0', available, 2)).toEqual(['4.14.0', '5.0.0']);
    expect(nearestReleases('1.0.0', available, 2)).toEqual(['4.8.9', '4.8.10']);
    expect(nearestReleases('1.0.0', [])).toEqual([]);
  });
});
