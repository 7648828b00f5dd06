import { execFileSync, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const { bin, man, dependencies, version } = JSON.parse(readFileSync(file('package.json'), 'utf8')) as {
  bin: Record<string, string>;
  man: readonly string[];
  dependencies: Record<string, string>;
  version: string;
};

it.each(Object.entries(bin))('%s can be run as it lies in a clone', (_, path) => {
  accessSync(file(path), constants.X_OK);
});

it('culprit says its version when it is called by its own name', () => {
  expect(execFileSync(file(bin.culprit as string), ['--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
});

/** TypeScript that docs and the faces of the library show, each piece whole. */
function shownCode(): readonly { readonly from: string; readonly code: string }[] {
  const pages = ['README.md', ...readdirSync(file('docs')).map((name) => `docs/${name}`)];
  const faces = ['smtlib', 'solver', 'program', 'change'].map((room) => `src/${room}/index.ts`);
  return [...pages, ...faces].flatMap((from) => {
    const text = readFileSync(file(from), 'utf8').replaceAll(/^ \* ?/gm, '');
    return [...text.matchAll(/```ts\n(.*?)```/gs)]
      .map(([, code = '']) => code)
      .filter((code) => code.includes("from 'culprit/"))
      .map((code) => ({ from, code }));
  });
}

it('what docs import from the library is there once the package is installed, and their code type-checks', () => {
  const folder = temporaryFolder('installed');
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(
    execFileSync('npm', packing, { cwd: file('.'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  ) as [{ filename: string }];
  // As npm would lay it out, but for its dependencies, which need no network here.
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'culprit'), { recursive: true });
  const unpacking = ['-xzf', join(folder, packed.filename), '--strip-components=1'];
  execFileSync('tar', [...unpacking, '-C', join(modules, 'culprit')]);
  for (const name of ['@types', 'commander', 'zod'])
    symlinkSync(file(`node_modules/${name}`), join(modules, name));
  const shown = shownCode();
  expect(shown.map(({ from }) => from)).toEqual(
    expect.arrayContaining(['README.md', 'src/program/index.ts']),
  );
  for (const [at, { code }] of shown.entries()) writeFileSync(join(folder, `shown-${at}.ts`), code);
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['shown-*.ts'] }));
  const { stdout } = spawnSync(process.execPath, [file('node_modules/typescript/bin/tsc'), '-p', folder], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  // And it loads.
  const loads = ['smtlib', 'solver', 'program', 'change'].map((room) => `await import('culprit/${room}');`);
  for (const name of Object.keys(dependencies))
    if (!existsSync(join(modules, name))) symlinkSync(file(`node_modules/${name}`), join(modules, name));
  execFileSync(process.execPath, ['--input-type=module', '-e', loads.join('\n')], { cwd: folder });
  // And has what it reads of its own files.
  const installed = join(modules, 'culprit');
  for (const shell of ['bash', 'zsh', 'fish'])
    execFileSync(process.execPath, [join(installed, bin.culprit as string), 'completion', shell]);
  for (const page of man) accessSync(join(installed, page));
});
