import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Builds } from '../../src/builds/builds.js';
import type { Build } from '../../src/builds/manifest.js';
import { type Recipe, recipeSchema } from '../../src/builds/recipe.js';
import { Fault, hasEnded } from '../../src/machine/index.js';
import { Repository } from '../../src/repository/index.js';
import { commitFiles, gitIn, initRepository } from '../git-repository.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

let folder: string;
let source: string;
const { signal } = new AbortController();

beforeEach(() => {
  folder = temporaryFolder('builds');
  source = join(folder, 'source');
  initRepository(source);
});
afterEach(() => removeFolder(folder));

function commit(text: string): string {
  return commitFiles(source, { program: text });
}

const recipeOf = (build: readonly string[], rest: Partial<Recipe> = {}): Recipe => ({
  ...recipeSchema.parse({ build, binary: '$CULPRIT_BUILD/program' }),
  ...rest,
});
const copying = 'cp program "$CULPRIT_BUILD/program"';

function builds(): Builds {
  return new Builds(join(folder, 'kept'));
}

async function build(id: string, recipe: Recipe, where = builds()): Promise<Build | Fault> {
  const repository = withoutFault(await Repository.open(source));
  return where.build(repository, id, recipe, { jobs: 1, signal });
}

/** The content of a built program. */
function contentsOf(end: Build | Fault): string {
  return end instanceof Fault || end.kind === 'failed' ? '' : readFileSync(end.program, 'utf8');
}

describe('cached builds', () => {
  it("are keyed by the commit's content", async () => {
    const first = commit('one');
    commit('two');
    const third = commit('one');
    const recipe = recipeOf([copying]);
    expect(await build(first, recipe)).toMatchObject({ kind: 'built', isNew: true });
    expect(await build(third, recipe)).toMatchObject({ kind: 'built', isNew: false });
  });

  it('that failed because of the commit are not retried', async () => {
    const id = commit('one');
    const tries = join(folder, 'tries');
    const recipe = recipeOf([`echo once >> ${tries}; echo "error: no such thing" && exit 3`]);
    const failed = { kind: 'failed', why: expect.stringContaining('error: no such thing'), isLasting: true };
    expect(await build(id, recipe)).toMatchObject(failed);
    expect(await build(id, recipe)).toMatchObject(failed);
    expect(readFileSync(tries, 'utf8')).toBe('once\n');
  });

  it('that failed without a submodule report it and are retried', async () => {
    writeFileSync(join(source, '.gitmodules'), '[submodule "lib"]\n\tpath = lib\n\turl = ../lib\n');
    const elsewhere = commit('one');
    gitIn(source, ['update-index', '--add', '--cacheinfo', `160000,${elsewhere.replaceAll(/^./g, '0')},lib`]);
    gitIn(source, ['commit', '-qm', 'with a library']);
    const id = gitIn(source, ['rev-parse', 'HEAD']);
    expect(await build(id, recipeOf(['cat lib/file']))).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('the submodule lib is missing: run git submodule update'),
      isLasting: false,
    });
    expect(await builds().list()).toEqual([]);
    expect(await build(id, recipeOf([copying]))).toMatchObject({ kind: 'built' });
  });

  it('of a commit with missing objects report it and are retried', async () => {
    const id = commit('one');
    const lacking = gitIn(source, ['rev-parse', `${id}:program`]);
    const file = join(source, '.git', 'objects', lacking.slice(0, 2), lacking.slice(2));
    renameSync(file, join(folder, 'lacking'));
    const end = await build(id, recipeOf([copying]));
    expect(end).toMatchObject({
      kind: 'failed',
      why: expect.stringMatching(/^its files cannot be checked out: .*program/),
      isLasting: false,
    });
    expect(readFileSync((end as { readonly log: string }).log, 'utf8')).toContain('program');
    renameSync(join(folder, 'lacking'), file);
    expect(await build(id, recipeOf([copying]))).toMatchObject({ kind: 'built' });
  });

  it.each([
    ['looks for', 'CMakeLists.txt:11 (message):\\n  Could not find Python module toml.'],
    [
      'fetches',
      'ANTLR3-EP-jar-stamp/ANTLR3-EP-jar-download-Production.cmake:37 (message):\\n  Command failed: 1',
    ],
  ])('that lacked a dependency that CMake %s are retried', async (_, why) => {
    const id = commit('one');
    const flag = join(folder, 'flag');
    const complaint = `CMake Error at ${why}`;
    const recipe = recipeOf([`if [ -e ${flag} ]; then ${copying}; else printf '${complaint}'; exit 1; fi`]);
    expect(await build(id, recipe)).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining(complaint.replace(/\\n\s*/, ' ')),
      isLasting: false,
    });
    writeFileSync(flag, '');
    expect(await build(id, recipe)).toMatchObject({ kind: 'built' });
  });

  it('that fail on leftovers of an earlier commit are repeated without them', async () => {
    const lacking = "{ printf 'CMake Error at a:1 (message):\\n  Could not find it.'; exit 1; }";
    const recipe = recipeOf([
      `[ ! -e "$CULPRIT_BUILD/stale" ] || ${lacking}; touch "$CULPRIT_BUILD/stale"; ${copying}`,
    ]);
    expect(await build(commit('one'), recipe)).toMatchObject({ kind: 'built' });
    expect(contentsOf(await build(commit('two'), recipe))).toBe('two');
  });

  it('that were interrupted are retried', async () => {
    const id = commit('one');
    const flag = join(folder, 'flag');
    const recipe = recipeOf([`if [ -e ${flag} ]; then ${copying}; else touch ${flag}; kill -9 $$; fi`]);
    expect(await build(id, recipe)).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('was ended by SIGKILL'),
      isLasting: false,
    });
    expect(await build(id, recipe)).toMatchObject({ kind: 'built' });
  });

  it('name a missing command, and are not stored as failed', async () => {
    const id = commit('one');
    const fault = await build(id, recipeOf(['no-such-builder --now']));
    expect(fault).toBeInstanceOf(Fault);
    expect((fault as Fault).message).toBe(
      'the build needs no-such-builder, which is not installed on this machine: install it',
    );
    expect(await builds().list()).toEqual([]);
  });

  it('blame the commit for a missing script', async () => {
    const id = commit('one');
    expect(await build(id, recipeOf(['./configure']))).toMatchObject({ kind: 'failed' });
  });

  it('name the failed command after variable assignments', async () => {
    expect(await build(commit('one'), recipeOf(['KIND=own sh -c "exit 4"']))).toMatchObject({
      kind: 'failed',
      why: expect.stringMatching(/^sh ended with 4/),
    });
  });

  it('report a full disk met by any program', async () => {
    const id = commit('one');
    const fault = await build(
      id,
      recipeOf(['echo "ld: final link failed: No space left on device"; exit 1']),
    );
    expect((fault as Fault).message).toContain('no space is left in');
    expect(await builds().list()).toEqual([]);
  });

  it('of one project use separate folders when concurrent', async () => {
    const [first, second] = [commit('one'), commit('two')];
    const recipe = recipeOf([`sleep 0.2; ${copying}`]);
    const where = builds();
    const made = await Promise.all([build(first, recipe, where), build(second, recipe, where)]);
    expect(made.map(contentsOf)).toEqual(['one', 'two']);
    const [project = ''] = readdirSync(join(folder, 'kept', 'slots'));
    expect(readdirSync(join(folder, 'kept', 'slots', project))).toEqual(['0', '1']);
  });

  it('of commits with equal content are shared when concurrent', async () => {
    const first = commit('same');
    const second = commitFiles(source, {}, 'nothing');
    const tries = join(folder, 'tries');
    const recipe = recipeOf([`echo once >> ${tries}; ${copying}`]);
    const where = builds();
    const made = await Promise.all([first, second, first].map((id) => build(id, recipe, where)));
    expect(made.map((end) => (end instanceof Fault ? end.message : end.kind))).toEqual([
      'built',
      'built',
      'built',
    ]);
    expect(readFileSync(tries, 'utf8')).toBe('once\n');
  });

  it('do not return the program of another commit', async () => {
    const recipe = recipeOf([`grep -q one program && ${copying} || true`]);
    expect(await build(commit('one'), recipe)).toMatchObject({ kind: 'built' });
    expect(await build(commit('two'), recipe)).toMatchObject({
      kind: 'failed',
      why: 'the build succeeded, but there is no $CULPRIT_BUILD/program',
    });
  });

  it('apply a patch that adds a file to every commit', async () => {
    const [first, second] = [commit('one'), commit('two')];
    const text = '--- /dev/null\n+++ b/added\n@@ -0,0 +1 @@\n+more\n';
    const recipe = recipeOf(['cat program added > "$CULPRIT_BUILD/program"'], {
      patches: [{ name: 'added.patch', text }],
    });
    for (const [id, contents] of [
      [first, 'onemore\n'],
      [second, 'twomore\n'],
    ] as const) {
      const again = await build(id, recipe);
      expect(again).toMatchObject({ kind: 'built' });
      expect(contentsOf(again)).toBe(contents);
    }
  });

  it('apply a patch only to the commits it fits', async () => {
    const [old, newer] = [commit('int old\n'), commit('int newer\n')];
    const text = '--- a/program\n+++ b/program\n@@ -1 +1 @@\n-int old\n+int mended\n';
    const recipe = recipeOf([copying], { patches: [{ name: 'old.patch', text }] });
    const contents = async (id: string): Promise<string> => contentsOf(await build(id, recipe));
    expect(await contents(newer)).toBe('int newer\n');
    expect(await contents(old)).toBe('int mended\n');
    expect(await contents(newer)).toBe('int newer\n');
  });

  it('stay within the maximum size by removing the least recently used', async () => {
    const recipe = recipeOf([copying]);
    for (const text of ['a', 'b', 'c']) await build(commit(text.repeat(1000)), recipe);
    const before = await builds().list();
    const gone = await builds().prune(2000);
    expect(gone).toHaveLength(1);
    expect(await builds().list()).toHaveLength(2);
    expect(gone[0]?.usedAt).toBe(Math.min(...before.map(({ usedAt }) => usedAt)));
    expect(await builds().prune(0, 60_000)).toEqual([]);
  });
});

describe('an interrupted build', () => {
  /** Begins a build in another process and kills that process during it. */
  async function killed(id: string, recipe: Recipe): Promise<void> {
    const script = `
      import { Builds } from '${join(process.cwd(), 'src/builds/index.ts')}';
      import { Repository } from '${join(process.cwd(), 'src/repository/index.ts')}';
      const repository = await Repository.open(${JSON.stringify(source)});
      await new Builds(${JSON.stringify(join(folder, 'kept'))}).build(repository, ${JSON.stringify(id)}, ${JSON.stringify(recipe)},
        { jobs: 1, signal: new AbortController().signal });`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const started = join(folder, 'started');
    while (!existsSync(started) && child.exitCode === null) await new Promise((wake) => setTimeout(wake, 10));
    child.kill('SIGKILL');
    await ended;
  }

  const half = (rest: string): string =>
    `echo $$ > ${join(folder, 'pid')}; echo half > "$CULPRIT_BUILD/left"; touch ${join(folder, 'started')}; ${rest}`;

  it('leaves neither processes nor files for the next build', async () => {
    const id = commit('one');
    const command = `if [ -e ${join(folder, 'again')} ]; then test ! -e "$CULPRIT_BUILD/left" && ${copying}; else ${half('sleep 60')}; fi`;
    const recipe = recipeOf([command]);
    await killed(id, recipe);
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    expect(hasEnded(pid)).toBe(false);
    writeFileSync(join(folder, 'again'), '');
    expect(await build(id, recipe)).toMatchObject({ kind: 'built' });
    expect(hasEnded(pid)).toBe(true);
  });

  it('is continued if the recipe is resumable', async () => {
    const id = commit('one');
    const command = `if [ -e ${join(folder, 'again')} ]; then test -e "$CULPRIT_BUILD/left" && ${copying}; else ${half('sleep 60')}; fi`;
    const recipe = recipeOf([command], { resumable: true });
    await killed(id, recipe);
    writeFileSync(join(folder, 'again'), '');
    expect(await build(id, recipe)).toMatchObject({ kind: 'built' });
  });
});
