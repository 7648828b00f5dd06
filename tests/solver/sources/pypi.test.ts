import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../src/machine/index.js';
import { pypi } from '../../../src/solver/sources/pypi.js';
import type { Offer } from '../../../src/solver/sources/source.js';
import { type FakeMachine, fakeMachine } from './fake-machine.js';
import { installPip } from './fake-registries.js';

let fake: FakeMachine;
beforeEach(async () => {
  fake = await fakeMachine();
});
afterEach(() => fake.remove());

async function take(number: string) {
  const offers = (await pypi.offers('z3', fake.around)) as readonly Offer[];
  return offers.find((offer) => offer.number === number)?.take();
}

function message(result: unknown): string {
  expect(result).toBeInstanceOf(Fault);
  return (result as Fault).message;
}

describe('Z3 from PyPI', () => {
  it('is the program of a wheel without its other files', async () => {
    await installPip(fake, { releases: ['4.8.12.0', '4.13.0.0'] });
    const program = await take('4.8.12');
    const [entry] = await fake.around.store.entries();
    expect(program).toEqual({ kind: 'native', command: [join(entry?.dir ?? '', 'bin', 'z3')] });
    expect(await readdir(entry?.dir ?? '')).toEqual(['bin', 'manifest.json']);
    expect(entry?.manifest).toMatchObject({
      spec: 'pypi:z3@4.8.12',
      number: '4.8.12',
      platform: 'linux-x64',
      from: [
        { file: 'z3_solver-4.8.12.0-any.whl', checksum: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
      ],
    });
  });

  it('has the number of the release inside the wheel', async () => {
    await installPip(fake, { releases: ['4.5.1.0', '4.5.1.0.post2', '4.8.0.0.post1', '4.8.12.0'] });
    const offers = (await pypi.offers('z3', fake.around)) as readonly Offer[];
    expect(offers.map(({ number }) => number)).toEqual(['4.5.1', '4.8.0', '4.8.12']);
    await take('4.5.1');
    const [entry] = await fake.around.store.entries();
    expect(entry?.manifest.from[0]?.file).toBe('z3_solver-4.5.1.0.post2-any.whl');
  });

  it('is not offered on machines without wheels', async () => {
    await installPip(fake, { releases: [] });
    expect(await pypi.offers('z3', fake.around)).toEqual([]);
  });

  it.each([
    ['no module', /needs pip: python3 has no module pip; install it/],
    ['no network', /^pip cannot reach its package index \(.*\): check the network, or name a local solver/],
  ] as const)('reports that there is %s', async (failure, expected) => {
    await installPip(fake, { releases: ['4.8.12.0'], failure });
    expect(message(await pypi.offers('z3', fake.around))).toMatch(expected);
  });

  it.each([
    ['breaks off', /^pip cannot reach its package index \(the connection breaks off\)/],
    ['no program', /could not be extracted from its wheel: no program in it/],
  ] as const)('stores nothing if it %s', async (failure, expected) => {
    await installPip(fake, { releases: ['4.8.12.0'], failure });
    expect(message(await take('4.8.12'))).toMatch(expected);
    expect(await fake.around.store.entries()).toEqual([]);
    expect(await readdir(join(fake.around.store.dir, 'solvers'))).toEqual([]);
  });

  it('is rejected if the wheel contains another program', async () => {
    await installPip(fake, { releases: ['4.8.12.0'], banner: 'GNU hello 2.10' });
    expect(message(await take('4.8.12'))).toMatch(/contains no Z3/);
  });

  it('is given up when the user interrupts', async () => {
    await fake.install('python3', 'setInterval(() => {}, 1000)');
    const controller = new AbortController();
    const asked = pypi.offers('z3', { ...fake.around, signal: controller.signal });
    controller.abort(new Error('interrupted by the user'));
    await expect(asked).rejects.toThrow('interrupted by the user');
  });

  it('needs Python', async () => {
    expect(message(await pypi.offers('z3', fake.around))).toMatch(
      /needs Python's pip: python3 is not installed/,
    );
  });
});
