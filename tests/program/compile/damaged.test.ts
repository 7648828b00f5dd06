import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesOf } from '../../../src/machine/files/byte-range.js';
import { elfSections } from '../../../src/machine/files/elf.js';
import { Fault } from '../../../src/machine/index.js';
import { archiveMembers } from '../../../src/program/compile/archive.js';
import { bitcodeModules, bitcodeTriple } from '../../../src/program/compile/bitcode.js';
import { embeddedIr } from '../../../src/program/compile/embedded-ir.js';
import { hideBitcode } from '../../../src/program/compile/hide-bitcode.js';
import { programOf } from '../../../src/program/compile/program-of.js';
import { needsTools } from '../../needs.js';
import { rounds } from '../../rounds.js';
import { clangs, MadeProject } from './made-project.js';

needsTools('compilers');

const project = new MadeProject();
const [clang = 'clang'] = clangs;
const names = ['area.o', 'small.o', 'big.o', 'libshape.a', 'thin.a', 'nest.a', 'prog', 'area.bc'];
const path = (name: string) => join(project.path, name);

beforeAll(() => {
  project.compile(clang, '-c', 'area.c');
  project.compile(clang, '--target=i386-linux-gnu', '-c', 'unused.c', '-o', 'small.o');
  project.compile(clang, '--target=powerpc64-linux-gnu', '-c', 'unused.c', '-o', 'big.o');
  project.compile(clang, 'main.c', 'area.c', '-o', 'prog');
  project.compile(clang, '-c', '-emit-llvm', 'area.c', '-o', 'area.bc');
  project.do('ar', 'cr', 'libshape.a', 'area.o', 'small.o');
  project.do('ar', 'crT', 'nest.a', 'libshape.a');
  project.do('ar', 'crT', 'thin.a', 'area.o', 'small.o');
});
afterAll(() => project.remove());

/** One line that names the file. */
function expectSentence(fault: Fault): void {
  expect(fault.message).toMatch(/^[^\n]*damaged[^\n]*[^.\n]$/);
}

async function look(content: Buffer): Promise<void> {
  project.write('damaged', content);
  const found = await embeddedIr(path('damaged'));
  if (found instanceof Fault) expectSentence(found);
  await hideBitcode(path('damaged'));
}

describe('damaged files', () => {
  it('cut off anywhere are read or rejected', async () => {
    for (const name of names) {
      const whole = project.read(name);
      expect(await embeddedIr(path(name))).toMatchObject({ modules: expect.anything() });
      const ends = fc.integer({ min: 0, max: whole.length - 1 });
      await fc.assert(
        fc.asyncProperty(ends, (end) => look(whole.subarray(0, end))),
        { numRuns: rounds(60) },
      );
      for (let end = 0; end < Math.min(whole.length, 160); end++) await look(whole.subarray(0, end));
    }
  });

  it('with changed bytes are read or rejected', async () => {
    for (const name of names) {
      const whole = project.read(name);
      const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
      const early = fc.tuple(fc.nat(100), fc.nat(255));
      const late = fc.tuple(
        fc.nat(1500).map((back) => Math.max(0, whole.length - 1 - back)),
        fc.nat(255),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(change, early, late), { minLength: 1, maxLength: 6 }),
          (changes) => {
            const changed = Buffer.from(whole);
            for (const [at, byte] of changes) changed[at] = byte;
            return look(changed);
          },
        ),
        { numRuns: rounds(150) },
      );
    }
  });

  it('with any content after any magic number are read or rejected', async () => {
    const beginnings = [
      '',
      '\x7fELF\x02\x01',
      '\x7fELF\x01\x02',
      '!<arch>\n',
      '!<thin>\n',
      'BC\xc0\xde',
      '\xde\xc0\x17\x0b',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 300 }), (beginning, rest) =>
        look(Buffer.concat([Buffer.from(beginning, 'latin1'), rest])),
      ),
      { numRuns: rounds(500) },
    );
  });

  it('with any numbers are read or rejected', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const content = Buffer.from(bytes);
        await elfSections(bytesOf(content), '.llvmbc');
        await archiveMembers(bytesOf(content));
        await bitcodeModules(bytesOf(content));
        bitcodeTriple(content);
      }),
      { numRuns: rounds(500) },
    );
  });

  it('are rejected in one sentence', async () => {
    const complaint = async (content: Buffer) => {
      project.write('damaged', content);
      const fault = await programOf(path('damaged'));
      return fault instanceof Fault ? fault.message.replace(`${project.path}/`, '') : 'none';
    };
    const object = project.read('area.o');
    expect(await complaint(object.subarray(0, 40))).toBe(
      'damaged cannot be used: it is cut off in its header',
    );
    expect(await complaint(object.subarray(0, -100))).toBe(
      'damaged cannot be used: it is cut off in its table of sections',
    );
    expect(await complaint(project.read('libshape.a').subarray(0, -100))).toBe(
      'damaged cannot be used: it is cut off in its last member',
    );
    expect(await complaint(Buffer.from('nothing of the kind'))).toContain('damaged contains no LLVM IR');
    expect(await complaint(Buffer.of())).toContain('damaged contains no LLVM IR');
    const circle = Buffer.from(`!<thin>\n${'damaged/'.padEnd(48)}${'8'.padEnd(10)}\`\n`, 'latin1');
    expect(await complaint(circle)).toContain('its archives contain one another');
  });

  it('with invalid bitcode are rejected', async () => {
    const object = project.read('area.o');
    const at = object.indexOf(Buffer.from('BC\xc0\xde', 'latin1'));
    object.fill(0xaa, at + 40, at + 400);
    project.write('damaged', object);
    const program = await programOf(path('damaged'));
    if (program instanceof Fault) throw new Error(program.message);
    for await (const module of program.modules()) {
      expect(module).toBeInstanceOf(Fault);
      expect((module as Fault).message).toMatch(/cannot read the IR in .*damaged: [^\n]*[^.\n]$/);
    }
  });

  it('leave no files behind', () => {
    expect(readdirSync(project.path).filter((name) => name.startsWith('damaged'))).toEqual(['damaged']);
  });
});
