import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../src/machine/index.js';
import { npm } from '../../../src/solver/sources/npm.js';
import type { Offer } from '../../../src/solver/sources/source.js';
import { type FakeMachine, fakeMachine } from './fake-machine.js';
import { fakeZ3Package, installNpm } from './fake-registries.js';

let fake: FakeMachine;
beforeEach(async () => {
  fake = await fakeMachine();
});
afterEach(() => fake.remove());

async function take(number: string) {
  const offers = (await npm.offers('z3', fake.around)) as readonly Offer[];
  return offers.find((offer) => offer.number === number)?.take();
}

function message(result: unknown): string {
  expect(result).toBeInstanceOf(Fault);
  return (result as Fault).message;
}

describe('Z3 from npm', () => {
  it('is unpacked with its dependencies', async () => {
    await installNpm(fake, [
      fakeZ3Package('4.12.2', { dependencies: { mutex: '^0.3.2' } }),
      { name: 'mutex', version: '0.3.2', dependencies: { lib: '^2.0.0' }, files: [{ name: 'package/m.js' }] },
      {
        name: 'mutex',
        version: '0.3.10',
        dependencies: { lib: '^2.0.0' },
        files: [{ name: 'package/m.js' }],
      },
      { name: 'lib', version: '2.9.1', dependencies: { mutex: '^0.3.2' }, files: [{ name: 'package/l.js' }] },
    ]);
    const program = await take('4.12.2');
    const packageDir = join(fake.around.store.dir, 'solvers', 'npm+z3@4.12.2', 'package');
    expect(program).toEqual({ kind: 'wasm', packageDir });
    expect(await readdir(join(packageDir, 'build'))).toEqual(['z3-built.js', 'z3-built.wasm']);
    expect(await readdir(join(packageDir, 'node_modules'))).toEqual(['lib', 'mutex']);
    const [entry] = await fake.around.store.entries();
    expect(entry?.manifest.from.map(({ file }) => file)).toEqual([
      'z3-solver-4.12.2.tgz',
      'mutex-0.3.10.tgz',
      'lib-2.9.1.tgz',
    ]);
    expect(await readdir(entry?.dir ?? '')).toEqual(['manifest.json', 'package']);
  });

  it('is listed once a day', async () => {
    const calls = await installNpm(fake, [fakeZ3Package('4.12.2'), fakeZ3Package('4.12.3-beta')]);
    expect(await npm.offers('z3', fake.around)).toHaveLength(1);
    await npm.offers('z3', fake.around);
    expect(await readFile(calls, 'utf8')).toBe('view z3-solver\n');
    await npm.offers('z3', { ...fake.around, fresh: true });
    expect(await readFile(calls, 'utf8')).toBe('view z3-solver\nview z3-solver\n');
    expect(await npm.offers('cvc5', fake.around)).toEqual([]);
  });

  it('uses the cached list if npm cannot reach its registry', async () => {
    await installNpm(fake, [fakeZ3Package('4.12.2')]);
    await npm.offers('z3', fake.around);
    await fake.install('npm', 'process.exit(1)');
    expect(await npm.offers('z3', { ...fake.around, fresh: true })).toHaveLength(1);
  });

  it('is rejected if it differs from the registry’s integrity', async () => {
    await installNpm(fake, [fakeZ3Package('4.12.2', { integrity: 'sha512-AAAA' })]);
    expect(message(await take('4.12.2'))).toMatch(/z3-solver@4\.12\.2 does not match the registry/);
    expect(await fake.around.store.entries()).toEqual([]);
  });

  it('is rejected if a member’s path leads out of the package', async () => {
    await installNpm(fake, [
      fakeZ3Package('4.12.2', { files: [{ name: 'package/../../evil', content: 'x' }] }),
    ]);
    expect(message(await take('4.12.2'))).toMatch(/holds "package\/\.\.\/\.\.\/evil", which leads out/);
  });

  it('reports a missing npm and npm’s errors', async () => {
    expect(message(await npm.offers('z3', fake.around))).toBe(
      'Z3 from npm needs the npm client: npm is not installed (not found on PATH)',
    );
    await installNpm(fake, []);
    expect(message(await npm.offers('z3', fake.around))).toMatch(
      /^npm view z3-solver failed: No match found/,
    );
    await fake.install('npm', 'console.log("not json")');
    expect(message(await npm.offers('z3', fake.around))).toMatch(/printed no JSON/);
  });
});
