import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { rooms } from '../house.js';
import { temporaryFolder } from '../temporary-folder.js';
import { installInto, linkModule, type Packed, packInto } from './installed-package.js';

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const { bin, man, exports, version } = JSON.parse(readFileSync(file('package.json'), 'utf8')) as {
  bin: Record<string, string>;
  man: readonly string[];
  exports: Record<string, string | object>;
  version: string;
};
const faces = Object.keys(exports)
  .filter((name) => name !== './package.json' && name !== './schemas/*')
  .map((name) => name.slice(2));

let packed: Packed;
/** The folder with the installed package; it was empty before. */
let home: string;

beforeAll(() => {
  const top = temporaryFolder('package');
  packed = packInto(top);
  home = join(top, 'home');
  mkdirSync(home);
  installInto(home, packed);
});

it.each(Object.entries(bin))('%s is executable in a clone', (_, path) => {
  accessSync(file(path), constants.X_OK);
});

it('culprit prints its version when it is called by name', () => {
  expect(execFileSync(file(bin.culprit as string), ['--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
});

describe('the package', () => {
  const paths = (): readonly string[] => packed.files.map(({ path }) => path);
  /** The first part of each path below a folder. */
  const entries = (below = ''): readonly string[] => {
    const inside = paths().filter((path) => path.startsWith(below));
    return [...new Set(inside.map((path) => path.slice(below.length).split('/')[0] ?? ''))].toSorted();
  };

  it('contains pages, examples, and the files that culprit runs and imports', () => {
    const pages = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'];
    expect(entries()).toEqual([...pages, 'dist', 'docs', 'examples', 'src'].toSorted());
    const open = faces.flatMap((face) =>
      Object.keys(rooms).filter((room) => `${room}/`.startsWith(`${face}/`)),
    );
    const reached = new Set(open);
    for (const room of reached) for (const used of rooms[room]?.uses ?? []) reached.add(used);
    const imported = [...reached].map((room) => room.split('/')[0]);
    expect(entries('dist/')).toEqual(
      [...new Set(['bin', 'culprit.schema.json', 'man', 'schemas', ...imported])].toSorted(),
    );
    expect(
      paths()
        .filter((path) => path.startsWith('src/'))
        .toSorted(),
    ).toEqual([
      'src/builds/counters.c',
      'src/builds/counters.ld',
      'src/builds/coverage.sh',
      'src/builds/partial/called-functions.c',
      'src/builds/quick-compile.sh',
      'src/builds/quick-link.sh',
      ...['bash', 'fish', 'zsh'].map((shell) => `src/cli/completion/machinery.${shell}`),
      'src/explain/counting/compiler.sh',
      'src/explain/counting/last.c',
      'src/program/compile/cc.sh',
      'src/program/compile/trace/runtime.c',
    ]);
  });

  it('contains no source maps and no references to them', () => {
    const usual =
      /\.(c?js|d\.ts|json|md|smt2|sh|bash|zsh|fish|c|ld|svg|1)$|^LICENSE$|^dist\/bin\/program\.compiled$/;
    expect(paths().filter((path) => !usual.test(path))).toEqual([]);
    const installed = join(home, 'node_modules', 'culprit');
    const mapped = paths().filter(
      (path) =>
        /\.(c?js|ts)$/.test(path) &&
        /^\/\/# sourceMappingURL/m.test(readFileSync(join(installed, path), 'utf8')),
    );
    expect(mapped).toEqual([]);
  });

  it('has executable scripts', () => {
    const scripts = packed.files.filter(({ path }) => path.endsWith('.sh') || path === bin.culprit);
    expect(scripts.filter(({ mode }) => (mode & 0o111) !== 0o111)).toEqual([]);
    for (const { path } of scripts) accessSync(join(home, 'node_modules', 'culprit', path), constants.X_OK);
  });

  it('contains the completion scripts and the man page that culprit reads', () => {
    const installed = join(home, 'node_modules', 'culprit');
    for (const shell of ['bash', 'zsh', 'fish'])
      execFileSync(process.execPath, [join(installed, bin.culprit as string), 'completion', shell]);
    for (const page of man) accessSync(join(installed, page));
  });

  it('exports the schemas of the --json output by name', () => {
    const script = `process.stdout.write(require('culprit/schemas/run.schema.json').title)`;
    const title = execFileSync(process.execPath, ['-e', script], { cwd: home, encoding: 'utf8' });
    expect(title).toBe('a formula, measured on versions and compared');
  });

  it('contains every page that its pages link to, except for tests', () => {
    const pages = paths().filter((path) => path.endsWith('.md'));
    const dangling = pages.flatMap((page) =>
      [...readFileSync(file(page), 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
        .map(([, link = '']) => normalize(join(dirname(page), link)))
        .filter((target) => !paths().includes(target) && !target.startsWith('tests/'))
        .map((target) => `${page} -> ${target}`),
    );
    expect(dangling).toEqual([]);
  });

  it('has a header row in every Markdown table', () => {
    const pages = paths().filter((path) => path.endsWith('.md'));
    const untitled = pages.flatMap((page) =>
      readFileSync(file(page), 'utf8')
        .split('\n')
        .flatMap((line, at, lines) =>
          /^\|(?:\s*:?-+:?\s*\|)+$/.test(line) && !lines[at - 1]?.startsWith('|')
            ? [`${page}:${at + 1}`]
            : [],
        ),
    );
    expect(untitled).toEqual([]);
  });
});

/** Complete TypeScript examples in docs and in the entry files of the library. */
function shownCode(): readonly { readonly from: string; readonly code: string }[] {
  const below = readdirSync(file('docs'), { recursive: true, encoding: 'utf8' });
  const pages = ['README.md', ...below.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
  return [...pages, ...faces.map((face) => `src/${face}/index.ts`)].flatMap((from) => {
    const text = readFileSync(file(from), 'utf8').replaceAll(/^ \* ?/gm, '');
    return [...text.matchAll(/```(?:ts|js|typescript|javascript)\n(.*?)```/gs)]
      .map(([, code = '']) => code)
      .filter((code) => /from 'culprit\b/.test(code))
      .map((code) => ({ from, code }));
  });
}

describe('the installed library', () => {
  it('type-checks the code in docs', () => {
    const shown = shownCode();
    expect(shown.map(({ from }) => from)).toEqual(
      expect.arrayContaining(['README.md', 'docs/measuring.md', 'src/program/index.ts']),
    );
    const folder = join(home, 'shown');
    mkdirSync(folder);
    for (const [at, { code }] of shown.entries()) writeFileSync(join(folder, `shown-${at}.ts`), code);
    linkModule(home, '@types/node');
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
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['shown-*.ts'] }),
    );
    const { stdout } = spawnSync(process.execPath, [file('node_modules/typescript/bin/tsc'), '-p', folder], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });

  it('can be imported', () => {
    const loads = faces.map((face) => `await import('culprit/${face}');`);
    execFileSync(process.execPath, ['--input-type=module', '-e', loads.join('\n')], { cwd: home });
  });
});
