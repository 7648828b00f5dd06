import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builderFor } from '../../src/builds/builders.js';
import { recipeSchema } from '../../src/builds/recipe.js';
import { Fault } from '../../src/machine/index.js';
import { Repository } from '../../src/repository/index.js';
import { commitFiles, initRepository } from '../git-repository.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

let folder: string;
const { signal } = new AbortController();

beforeEach(() => {
  folder = temporaryFolder('recipe');
});
afterEach(() => removeFolder(folder));

async function repositoryWith(files: Readonly<Record<string, string>>): Promise<Repository> {
  const path = join(folder, 'project');
  initRepository(path);
  commitFiles(path, files);
  return withoutFault(await Repository.open(path));
}

const found = async (files: Readonly<Record<string, string>>, name?: string) =>
  builderFor(await repositoryWith(files), 'main', { folder, name, signal });

describe('the builder of a repository', () => {
  it.each([
    [
      'z3',
      'CMakeLists.txt',
      'cmake_minimum_required(VERSION 3.4)\nproject(Z3 VERSION 4.8.7.0 LANGUAGES CXX)',
    ],
    ['z3', 'scripts/mk_make.py', '# Auxiliary scripts for generating Makefiles\n# for building Z3.'],
    ['cvc4', 'CMakeLists.txt', 'project(cvc4)'],
    ['cvc5', 'CMakeLists.txt', 'project(cvc5)'],
  ])('is known for %s by its %s', async (family, file, text) => {
    expect(await found({ [file]: text })).toMatchObject({ family });
  });

  it('is required from the user for an unknown repository', async () => {
    const fault = await found({ 'CMakeLists.txt': 'project(zebra)' });
    expect((fault as Fault).message).toContain('is not a solver that culprit knows how to build');
  });

  it('comes from culprit.json, by repository or by name', async () => {
    writeFileSync(join(folder, 'old.patch'), 'a patch');
    const own = { repository: 'project', build: ['make own'], binary: 'own', patches: ['old.patch'] };
    const named = { build: ['make named'], binary: 'named', env: { CC: 'clang' } };
    writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ builders: { own, named } }));
    const repository = await repositoryWith({ 'CMakeLists.txt': 'project(Z3)' });
    const ask = (name?: string) => builderFor(repository, 'main', { folder, name, signal });
    expect(await ask()).toMatchObject({
      recipe: { build: ['make own'], patches: [{ name: 'old.patch', text: 'a patch' }] },
    });
    expect(await ask('named')).toMatchObject({ recipe: { build: ['make named'], env: { CC: 'clang' } } });
    expect(((await ask('constructor')) as Fault).message).toBe(
      'no builder "constructor" is defined in culprit.json',
    );
  });

  it('accepts goesOn, the former name of resumable', async () => {
    const own = { build: ['make'], binary: 'own', goesOn: true };
    writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ builders: { own } }));
    const repository = await repositoryWith({ file: '' });
    const builder = await builderFor(repository, 'main', { folder, name: 'own', signal });
    expect(builder).toMatchObject({ recipe: { resumable: true } });
    expect(recipeSchema.parse(own)).toMatchObject({ resumable: true });
  });

  it.each([
    [{ builders: { own: { build: 'make', binary: 'x' } } }, /builders\.own\.build/],
    [
      { builders: { own: { repository: 'project', build: ['make'], binary: 'x', patches: ['none'] } } },
      /the patch none: there is no file/,
    ],
  ])('reports what is wrong with %j', async (configuration, sentence) => {
    writeFileSync(join(folder, 'culprit.json'), JSON.stringify(configuration));
    const fault = await found({ file: '' });
    expect(fault).toBeInstanceOf(Fault);
    expect((fault as Fault).message).toMatch(sentence);
  });
});
