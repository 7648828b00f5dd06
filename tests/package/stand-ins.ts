/**
 * The surroundings of a reader who tries the commands of README.md: formulas, a C program, a repository of Z3, and
 * downloaded versions. All of them are small stand-ins, so that nothing is downloaded and builds are short.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findOnPath, platformOf, thisMachine } from '../../src/machine/index.js';
import { type NewEntry, openStore } from '../../src/solver/version/store.js';
import { commitFiles, gitIn, initRepository } from '../git-repository.js';
import { solverScript } from '../stand-in-solver.js';
import { withoutFault } from '../without-fault.js';

const formula = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** Fast in Z3's own string solver, slow in z3str3. */
const slowForZ3str3 = formula('examples/index-remainder.smt2');
/** Fast in z3str3, slow in Z3's own string solver. */
const slowForSeq = '(declare-const a String)\n(assert (= (str.at a 99) ""))\n(check-sat)\n';

/** The reader's formulas. */
export function makeFormulas(folder: string): void {
  for (const name of ['queries', 'slow', 'corpus']) mkdirSync(join(folder, name));
  cpSync(formula('examples/digits.smt2'), join(folder, 'queries', 'digits.smt2'));
  cpSync(slowForZ3str3, join(folder, 'slow.smt2'));
  cpSync(slowForZ3str3, join(folder, 'slow', 'a.smt2'));
  writeFileSync(join(folder, 'corpus', 'a.smt2'), slowForSeq);
}

/** A program with at least 2950 lines, and a change to it. */
export function makeSources(folder: string): void {
  initRepository(folder);
  const source = (limit: number): string =>
    `${'\n'.repeat(2947)}int main(int argc, char **argv) {\n  int count = argc;\n  return count > ${limit} ? 1 : 0;\n}\n`;
  // The program counts its arguments; its second version tolerates one argument.
  const regress = '#!/bin/sh\n! ./src/grep one\n';
  writeFileSync(join(folder, 'regress.sh'), regress, { mode: 0o755 });
  commitFiles(folder, { 'src/grep.c': source(1) });
  gitIn(folder, ['tag', 'v1.0']);
  commitFiles(folder, { 'src/grep.c': source(2) });
  gitIn(folder, ['tag', 'v1.1']);
}

/** Compiles the program with the compiler of the package. */
export function compileSources(folder: string, env: Record<string, string>): void {
  execFileSync(join(folder, 'node_modules/.bin/culprit-cc'), ['-o', 'src/grep', 'src/grep.c'], {
    cwd: folder,
    env,
  });
}

/** A stand-in for Z3's repository with two commits that slow formulas down, and a recipe to build it. */
export function makeZ3Repository(folder: string, repository: string): void {
  initRepository(repository);
  const [quick, slow] = [500, 900_000_000];
  const line: readonly (readonly [effort: number, tag?: string])[] = [
    ...([[quick, 'z3-4.8.7'], [quick + 5], [slow], [slow, 'z3-4.8.8']] as const),
    ...([[quick, 'z3-4.8.12'], [quick + 5], [slow]] as const),
  ];
  for (const [effort, tag] of line) {
    commitFiles(
      repository,
      { 'z3.sh': solverScript({ banner: 'Z3 version 4.8.8 - 64 bit', effort }) },
      'fix the string solver',
    );
    if (tag !== undefined) gitIn(repository, ['tag', tag]);
  }
  const build = ['cp z3.sh z3 && chmod +x z3'];
  const builders = { z3: { repository, build, quick: build, binary: 'z3' } };
  writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ builders }));
}

/** A cache with every download of README.md. The Z3 versions are the machine's own Z3 with z3str3. */
export async function fillCache(cache: string): Promise<void> {
  const platform = platformOf(thisMachine());
  const store = openStore(cache);
  const add = async (
    id: string,
    held: Pick<NewEntry, 'spec' | 'engine' | 'number' | 'source'>,
    run: string,
  ) =>
    withoutFault(
      await store.add(`${id}+${platform}`, async (entry) => {
        const program = join(entry, held.engine);
        writeFileSync(program, `#!/bin/sh\n${run}\n`, { mode: 0o755 });
        return {
          ...held,
          platform,
          from: [],
          trust: 'a stand-in',
          program: { kind: 'native', command: [program] },
        };
      }),
    );
  const z3 = findOnPath('z3', thisMachine());
  for (const number of ['4.8.10', '4.12.2', '4.13.3']) {
    const held = { spec: `pypi:z3@${number}`, engine: 'z3', number, source: 'pypi' } as const;
    const banner = `[ "$1" != --version ] || { echo 'Z3 version ${number} - 64 bit'; exit; }`;
    await add(`pypi+z3@${number}`, held, `${banner}\nexec '${z3}' smt.string_solver=z3str3 "$@"`);
  }
  const cvc5 = { spec: 'debian:trixie/cvc5', engine: 'cvc5', number: '1.1.2', source: 'debian' } as const;
  await add('debian+trixie+cvc5', cvc5, 'echo This is cvc5 version 1.1.2');
  const tools = join(cache, 'tools', `clang+${platform}`, 'bin');
  mkdirSync(tools, { recursive: true });
  symlinkSync(process.execPath, join(tools, 'clang'));
}
