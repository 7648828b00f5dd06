/** Partial builds of a small C++ program that is really compiled and linked. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Builds, type LearnedSources, PartialBuilds, parseLearned } from '../../src/builds/index.js';
import type { Build } from '../../src/builds/manifest.js';
import { recipeSchema } from '../../src/builds/recipe.js';
import { Fault } from '../../src/machine/index.js';
import { Repository } from '../../src/repository/index.js';
import { compilers } from '../coverage/compiled.js';
import { commitFiles, initRepository } from '../git-repository.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const { signal } = new AbortController();
const compiler = compilers()[0]?.cxx ?? 'c++';

/** The input selects the called functions. `noisy` is never called, but its source runs code at startup. */
const files = {
  'main.cpp': `#include <cstdlib>
#include <cstdio>
int one(int); int two(int); int three(int); extern const int *const table;
int noise = 0;
int main(int count, char **words) {
  int sum = noise;
  for (int at = 1; at < count; at++)
    switch (atoi(words[at])) {
      case 1: sum += one(at); break;
      case 2: sum += two(at); break;
      case 3: sum += three(at); break;
      default: sum += table[0];
    }
  printf("%d\\n", sum);
}
`,
  'one.cpp': 'int one(int a) { return 10 * a; }\n',
  'two.cpp': 'int helped(int); int two(int a) { return helped(a); }\n',
  'helped.cpp': 'int helped(int a) { return 100 * a; }\n',
  'three.cpp': 'int three(int a) { return 1000 * a; }\n',
  'table.cpp': 'extern const int *const table; static const int own[] = {7}; const int *const table = own;\n',
};

/** Compiles each source without an object, as a build does. */
const recipe = recipeSchema.parse({
  build: [
    'for source in *.cpp; do object=$CULPRIT_BUILD/$(basename "$source" .cpp).o; ' +
      `[ "$object" -nt "$source" ] || "$CULPRIT_COMPILE" ${compiler} -c "$PWD/$source" -o "$object" || exit; done`,
    `${compiler} $CULPRIT_LINK "$CULPRIT_BUILD"/[!n]*.o -o "$CULPRIT_BUILD/program"`,
  ],
  binary: '$CULPRIT_BUILD/program',
  resumable: true,
});

const run = (program: string, words: readonly string[]) => {
  const { stdout, stderr, status } = spawnSync(program, words, { encoding: 'utf8' });
  return { stdout: stdout.trim(), stderr: stderr.trim(), status };
};

function programOf(build: Build | Fault): string {
  if (build instanceof Fault || build.kind === 'failed')
    throw new Error(`not built: ${JSON.stringify(build)}`);
  return build.program;
}

describe('a partial build', () => {
  let folder: string;
  let repository: Repository;
  let builds: Builds;
  let first: string;
  let told: string[] = [];
  const onStage = (line: string) => told.push(line);
  const commit = (changed: Readonly<Record<string, string>>): string =>
    commitFiles(join(folder, 'source'), { ...files, ...changed });
  const partial = (cases: readonly string[], from = first): PartialBuilds =>
    new PartialBuilds({
      repository,
      recipe,
      builds,
      first: from,
      signal,
      onStage,
      runAll: async (program) => [run(program, cases).stdout],
    });
  const standIns = (program: string): readonly string[] =>
    readFileSync(join(dirname(program), 'stand-ins.txt'), 'utf8')
      .trim()
      .split('\n');

  beforeAll(async () => {
    folder = temporaryFolder('partial-builds');
    initRepository(join(folder, 'source'));
    first = commit({});
    repository = withoutFault(await Repository.open(join(folder, 'source')));
    builds = new Builds(join(folder, 'builds'));
  });
  afterAll(() => removeFolder(folder));
  beforeEach(() => {
    told = [];
  });

  it('behaves like the whole build, and reports calls of left-out functions', async () => {
    const parts = partial(['1']);
    const id = commit({ 'one.cpp': 'int one(int a) { return 20 * a; }\n' });
    const program = programOf(await parts.build(id, 1));
    expect(parts.isPartial(program)).toBe(true);
    expect(told).toEqual([`3 of 6 sources are compiled: those called at ${first.slice(0, 10)}`]);
    expect(run(program, ['1']).stdout).toBe('20');
    // A table has no stand-in, so its source is compiled.
    expect(run(program, ['4']).stdout).toBe('7');
    expect(standIns(program)).toEqual(['_Z3twoi', '_Z5threei'].toSorted());
    const at = standIns(program).indexOf('_Z3twoi') + 1;
    expect(run(program, ['2'])).toMatchObject({
      status: 70,
      stderr: `(error "culprit: not compiled: ${at}")`,
    });
  });

  it('adds missing sources one by one and keeps them for later commits', async () => {
    const parts = partial(['1']);
    const id = commit({ 'one.cpp': 'int one(int a) { return 30 * a; }\n' });
    let program = programOf(await parts.build(id, 1));
    for (let tries = 0; run(program, ['2']).status === 70; tries++) {
      expect(tries).toBeLessThan(3);
      const missing = Number(/not compiled: (\d+)/.exec(run(program, ['2']).stderr)?.[1]);
      program = programOf(await parts.buildMore(id, program, missing, 1));
    }
    expect(run(program, ['1', '2']).stdout).toBe('230');
    expect(standIns(program)).toEqual(['_Z5threei']);
    const next = programOf(await parts.build(commit({ 'two.cpp': 'int two(int) { return 5; }\n' }), 1));
    expect(run(next, ['2']).stdout).toBe('5');
  });

  it('resumes without recording the calls again', async () => {
    const learned: LearnedSources[] = [];
    const plan = { repository, recipe, builds, first, signal, onStage };
    const begun = new PartialBuilds({
      ...plan,
      runAll: async (program) => [run(program, ['1']).stdout],
      onLearned: async (news) => void learned.push(news),
    });
    const id = commit({ 'one.cpp': 'int one(int a) { return 50 * a; }\n' });
    const program = programOf(await begun.build(id, 1));
    const more = programOf(await begun.buildMore(id, program, standIns(program).indexOf('_Z5threei') + 1, 1));
    const last = learned.at(-1) as LearnedSources;
    expect(parseLearned(JSON.stringify(last))).toEqual(last);
    told = [];
    const runAll = async (): Promise<never> => expect.unreachable('all of them were run');
    const resumed = new PartialBuilds({ ...plan, runAll, learned: last });
    expect(programOf(await resumed.build(id, 1))).toBe(more);
    expect(told).toEqual(['4 of 6 sources are compiled, as before']);
    // Without those builds, the list of sources is unknown.
    const seen: string[] = [];
    const elsewhere = new PartialBuilds({
      ...plan,
      builds: new Builds(join(folder, 'other-builds')),
      runAll: async (program) => [run(program, ['1']).stdout],
      onStage: (line) => seen.push(line),
      learned: last,
    });
    programOf(await elsewhere.build(id, 1));
    expect(seen).toEqual([`3 of 6 sources are compiled: those called at ${first.slice(0, 10)}`]);
  });

  it.each([
    '',
    'null',
    '{"first":"-x","tellers":[],"needed":[]}',
    '{"first":7}',
  ])('ignores damaged stored results: %s', (text) => expect(parseLearned(text)).toBeUndefined());

  it('is replaced by a whole build if it fails for an unknown reason', async () => {
    const parts = partial(['1']);
    const id = commit({ 'one.cpp': 'int one(int a) { return 40 * a; }\n' });
    const program = programOf(await parts.build(id, 1));
    const whole = programOf(await parts.buildMore(id, program, undefined, 1));
    expect(parts.isPartial(whole)).toBe(false);
    expect(run(whole, ['1', '2', '3']).stdout).toBe('3240');
  });

  it('does not blame the commit if only left-out sources are in the way', async () => {
    const parts = partial(['1']);
    const id = commit({
      'main.cpp': files['main.cpp'].replaceAll('table', 'tables'),
      'table.cpp': 'extern const int *const tables; const int *const tables = nullptr;\n',
    });
    expect(run(programOf(await parts.build(id, 1)), ['1']).stdout).toBe('10');
    const broken = commit({ 'one.cpp': 'this is no C++\n' });
    expect(await parts.build(broken, 1)).toMatchObject({ kind: 'failed', isLasting: true });
  });

  it('succeeds for a commit whose error is in an uncalled source', async () => {
    const id = commit({ 'two.cpp': 'this is no C++\n' });
    const parts = partial(['1']);
    const program = programOf(await parts.build(id, 1));
    expect(run(program, ['1']).stdout).toBe('10');
    expect(await parts.buildMore(id, program, undefined, 1)).toMatchObject({
      kind: 'failed',
      isLasting: true,
    });
    // It is still known after the whole build failed.
    expect(programOf(await partial(['1']).build(id, 1))).toBe(program);
  });

  it('is replaced by the whole if an uncalled source runs code at startup', async () => {
    const id = commit({
      'main.cpp': files['main.cpp'].replace('int noise = 0', 'extern int noise'),
      'table.cpp': `${files['table.cpp']}int noise = 0;\n`,
      'odd.cpp': 'extern int noise; static int done = (noise = 5);\n',
    });
    const parts = partial(['1'], id);
    const program = programOf(await parts.build(id, 1));
    expect(parts.isPartial(program)).toBe(false);
    expect(told).toEqual([
      `partial builds are off: a partial build of ${id.slice(0, 10)} behaves differently from the whole`,
    ]);
    expect(run(program, ['1']).stdout).toBe('15');
  });

  it('is not attempted in a folder with blanks in its path', async () => {
    const elsewhere = new Builds(join(folder, 'builds of mine'));
    const parts = new PartialBuilds({
      repository,
      recipe,
      builds: elsewhere,
      first,
      signal,
      onStage,
      runAll: async (program) => [run(program, ['1']).stdout],
    });
    const program = programOf(await parts.build(first, 1));
    expect(parts.isPartial(program)).toBe(false);
    expect(run(program, ['1', '3']).stdout).toBe('2010');
  });

  it('that fails while running its own program is followed by a whole build', async () => {
    const linked = `${compiler} $CULPRIT_LINK [!t]*.cpp three.cpp table.cpp -o "$CULPRIT_BUILD/program"`;
    const running = { ...recipe, build: [linked, '"$CULPRIT_BUILD/program" 2'] };
    const leftOut = ['source/two.cpp'];
    const build = await builds.build(repository, first, running, { jobs: 1, signal, leftOut });
    expect(build).toMatchObject({ kind: 'failed', isLasting: false, wanted: [] });
  });

  it('is not attempted if the compiled sources are unknown', async () => {
    const plain = { ...recipe, build: recipe.build.map((line) => line.replace('"$CULPRIT_COMPILE" ', '')) };
    const parts = new PartialBuilds({
      repository,
      recipe: plain,
      builds,
      first,
      signal,
      onStage,
      runAll: async (program) => [run(program, ['1']).stdout],
    });
    const program = programOf(await parts.build(first, 1));
    expect(existsSync(program)).toBe(true);
    expect(told).toEqual(['partial builds are off: the compiled sources are unknown']);
    expect(parts.isPartial(program)).toBe(false);
    expect(execFileSync(program, ['3'], { encoding: 'utf8' }).trim()).toBe('1000');
  });
});
