import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../src/machine/index.js';
import { queryBanner, readBanner } from '../../../src/solver/sources/banner.js';
import { installed } from '../../../src/solver/sources/installed.js';
import { namedProgram } from '../../../src/solver/sources/path.js';
import { type FakeMachine, fakeMachine } from './fake-machine.js';

let fake: FakeMachine;
beforeEach(async () => {
  fake = await fakeMachine();
});
afterEach(() => fake.remove());

describe('readBanner', () => {
  it.each([
    ['Z3 version 4.8.12 - 64 bit', 'z3', '4.8.12'],
    ['Z3 version 4.13.1 - 64 bit - build hashcode 9f7e2a', 'z3', '4.13.1'],
    ['This is CVC4 version 1.8\ncompiled with GCC version 12.2.0', 'cvc4', '1.8'],
    ['This is cvc5 version 1.0.3\ncompiled with GCC version 12.2.0', 'cvc5', '1.0.3'],
    ['This is cvc5 version 1.1.2-dev.12.abcdef [git tag 1.1.2]', 'cvc5', '1.1.2'],
    ['Yices 2.6.4', undefined, '2.6.4'],
    ['no number at all', undefined, undefined],
  ])('reads "%s"', (text, engine, number) => {
    expect(readBanner(text)).toEqual({ engine, number });
  });
});

describe('a program that the user names', () => {
  const named = async (path: string, family?: 'z3' | 'z3str3' | 'cvc5') => {
    const found = await namedProgram(path, family, fake.machine);
    return found instanceof Fault ? found.message : found;
  };

  it('reports its own family and number', async () => {
    const file = await fake.installSolver('solver', 'Z3 version 4.8.12 - 64 bit');
    expect(await named(file)).toEqual({ family: 'z3', number: '4.8.12', file });
    expect(await named('bin/solver')).toEqual({ family: 'z3', number: '4.8.12', file });
    expect(await named('solver', 'z3str3')).toEqual({ family: 'z3str3', number: '4.8.12', file });
  });

  it('has the family that the user names if it reports none', async () => {
    const file = await fake.installSolver('solver', 'a fork of mine, 0.9.1');
    expect(await named(file)).toMatch(/names no known solver: write path:cvc5=/);
    expect(await named(file, 'cvc5')).toEqual({ family: 'cvc5', number: '0.9.1', file });
    const silent = await fake.installSolver('silent', '');
    expect(await named(silent, 'cvc5')).toEqual({ family: 'cvc5', number: 'unknown', file: silent });
  });

  it('is rejected if it reports another family', async () => {
    await fake.installSolver('solver', 'Z3 version 4.8.12 - 64 bit');
    expect(await named('solver', 'cvc5')).toMatch(/says it is z3 4\.8\.12, not cvc5$/);
  });

  it('is rejected if it is missing, not executable, or silent', async () => {
    expect(await named('nothing')).toBe('there is no program nothing on PATH: give the whole path');
    expect(await named('cvc5')).toBe(
      'there is no program cvc5 on PATH: name a release, such as cvc5@latest, or the whole path',
    );
    expect(await named('./nothing')).toMatch(/is not an executable file/);
    const file = join(fake.folder, 'text');
    await writeFile(file, 'hello');
    expect(await named(file)).toMatch(/is not an executable file/);
    await chmod(file, 0o755);
    expect(await named(file)).toMatch(/text is not a program$/);
    expect(await named(await fake.install('crash', 'console.log("oh"); process.exit(7)'))).toMatch(
      /--version failed with exit code 7 \("oh"\)$/,
    );
  });

  it('is rejected if it is built for another type of machine', async () => {
    const file = join(fake.folder, 'foreign');
    const elf = Buffer.alloc(64);
    elf.write('\x7fELF', 'latin1');
    elf.writeUInt16LE(183, 18);
    await writeFile(file, elf);
    await chmod(file, 0o755);
    expect(await named(file)).toMatch(/foreign is built for another type of machine, not for x64$/);
  });

  it('is rejected if it does not answer in time', async () => {
    const file = await fake.install('hang', 'setInterval(() => {}, 1000)');
    expect(await queryBanner([file], fake.machine, 100)).toMatchObject({
      message: `${file} did not finish within 0.1 s`,
    });
  });
});

describe('solvers on PATH', () => {
  it('are offered if they report their release', async () => {
    const file = await fake.installSolver('cvc5', 'This is cvc5 version 1.0.3');
    await fake.installSolver('cvc4', 'not what it seems');
    expect(await installed.offers('cvc5', fake.around)).toMatchObject([
      { spec: `path:${file}`, number: '1.0.3', kind: 'native', isLocal: true },
    ]);
    expect(await installed.offers('cvc4', fake.around)).toEqual([]);
    expect(await installed.offers('z3', fake.around)).toEqual([]);
  });
});
