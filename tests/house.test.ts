import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { houseDrawing, houseTable, rooms } from './house.js';

const top = fileURLToPath(new URL('..', import.meta.url));

interface Import {
  readonly from: string;
  readonly to: string;
}

const names = Object.keys(rooms);

/** Entry files of the library, which combine several rooms for users; no room imports them. */
const libraryFaces = new Set(['src/program/index.ts']);

function filesBelow(folder: string): string[] {
  return readdirSync(join(top, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function importsOf(file: string): Import[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(top, file), 'utf8'), true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => ({
      from: file,
      to: normalize(join(dirname(file), fileName)).replace(/\.js$/, '.ts'),
    }));
}

function roomOf(file: string): string | undefined {
  return names.find((name) => file.startsWith(`src/${name}/`));
}

/** The folder or loose file within its room. */
function partOf(file: string, room: string): string {
  const [part = ''] = file.slice(`src/${room}/`.length).split('/');
  return part.replace(/\.ts$/, '');
}

const shown = ({ from, to }: Import): string => `${from} imports ${to}`;

const sources = filesBelow('src');
const imports = sources.flatMap(importsOf).filter(({ to }) => to.startsWith('src/'));

describe('the source layout', () => {
  it('has a room for every file', () => {
    expect(sources.filter((file) => roomOf(file) === undefined && !libraryFaces.has(file))).toEqual([]);
  });

  it('lets rooms use only the rooms below them', () => {
    const floors = new Map(names.map((name, floor) => [name, floor]));
    const up = Object.entries(rooms).flatMap(([name, { uses }]) =>
      uses
        .filter((used) => (floors.get(used) ?? Number.POSITIVE_INFINITY) >= (floors.get(name) ?? 0))
        .map((used) => `${name} -> ${used}`),
    );
    expect(up).toEqual([]);
  });

  it('contains no import between rooms that is not declared', () => {
    const undrawn = imports.filter(({ from, to }) => {
      const [here, there] = [roomOf(from), roomOf(to)];
      return here !== undefined && here !== there && !rooms[here]?.uses.includes(there ?? '');
    });
    expect(undrawn.map(shown)).toEqual([]);
  });

  it('declares no unused dependency of a room', () => {
    const real = new Set(imports.map(({ from, to }) => `${roomOf(from)} -> ${roomOf(to)}`));
    const drawn = Object.entries(rooms).flatMap(([name, { uses }]) =>
      uses.map((used) => `${name} -> ${used}`),
    );
    expect(drawn.filter((arrow) => !real.has(arrow))).toEqual([]);
  });

  it('is imported through the index files of rooms, also by benchmarks and the fuzzer', () => {
    const outside = ['bench', 'fuzz'].flatMap(filesBelow).flatMap(importsOf);
    const past = [...imports, ...outside].filter(({ from, to }) => {
      const there = roomOf(to);
      return there !== undefined && roomOf(from) !== there && to !== `src/${there}/index.ts`;
    });
    expect(past.map(shown)).toEqual([]);
  });

  it('contains no room that imports its own index file', () => {
    const inside = imports.filter(({ from, to }) => {
      const here = roomOf(from);
      return here !== undefined && to === `src/${here}/index.ts`;
    });
    expect(inside.map(shown)).toEqual([]);
  });

  it.each(
    Object.entries(rooms).filter(([, { inside }]) => inside !== undefined),
  )('has only downward imports within %s', (name, { inside = [] }) => {
    const floors = new Map(inside.map((part, floor) => [part, floor]));
    const within = imports.filter(
      ({ from, to }) => roomOf(from) === name && roomOf(to) === name && from !== `src/${name}/index.ts`,
    );
    const up = within.filter(({ from, to }) => {
      const [here, there] = [partOf(from, name), partOf(to, name)];
      if (here === there) return false;
      return (
        (floors.get(there) ?? Number.POSITIVE_INFINITY) >= (floors.get(here) ?? Number.POSITIVE_INFINITY)
      );
    });
    expect(up.map(shown)).toEqual([]);
  });

  it('contains no import cycles', () => {
    const next = new Map<string, string[]>();
    for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
    const state = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const visit = (file: string, way: readonly string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        circles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
        return;
      }
      state.set(file, 'open');
      for (const to of next.get(file) ?? []) visit(to, [...way, file]);
      state.set(file, 'done');
    };
    for (const file of sources) visit(file, []);
    expect(circles).toEqual([]);
  });

  it('leaves processes, /proc and the renaming of files to machine', () => {
    const below = /node:child_process|['"`]\/proc\/|\brename(Sync)?\(|\bmkdtemp(Sync)?\(|\bcreateHash\(/;
    const elsewhere = sources.filter(
      (file) => !file.startsWith('src/machine/') && below.test(readFileSync(join(top, file), 'utf8')),
    );
    expect(elsewhere).toEqual([]);
  });

  it('creates nested folders only through makeFolder', () => {
    const elsewhere = sources.filter((file) =>
      /\bmkdir(Sync)?\([^;]*recursive/.test(readFileSync(join(top, file), 'utf8')),
    );
    expect(elsewhere).toEqual([]);
  });

  it('prints in one place, which escapes control characters', () => {
    // culprit-cc is a separate program that prints a single message.
    const printers = new Set(['src/cli/screen/terminal.ts', 'src/program/compile/cc.ts']);
    const elsewhere = sources.filter((file) => {
      const code = readFileSync(join(top, file), 'utf8').replaceAll(/^\s*\*.*$/gm, '');
      return !printers.has(file) && /\bprocess\.std(out|err)\b|\bconsole\./.test(code);
    });
    expect(elsewhere).toEqual([]);
  });

  it('leaves the writing of files to machine, which follows no link and replaces no foreign file', () => {
    const writing =
      /\b(writeFile|appendFile)(Sync)?\(|\bcreateWriteStream\(|\bopenSync\(|\btruncate(Sync)?\(/;
    /**
     * Files that may write: into folders that culprit has just created for itself, or into files that a compiler has
     * just written.
     */
    const made = new Set([
      'src/builds/run-recipe.ts',
      'src/builds/slot.ts',
      'src/program/compile/hide-bitcode.ts',
      'src/program/compile/sidecars/sidecar.ts',
      'src/program/compile/toolchain.ts',
      'src/solver/process/reusable-solver.ts',
    ]);
    const elsewhere = sources.filter((file) => {
      const code = readFileSync(join(top, file), 'utf8');
      return !file.startsWith('src/machine/') && code.includes("from 'node:fs") && writing.test(code);
    });
    expect(elsewhere.toSorted()).toEqual([...made].toSorted());
  });

  it('matches the table and the drawing in docs/architecture.md', () => {
    const page = readFileSync(join(top, 'docs/architecture.md'), 'utf8');
    expect(page).toContain(houseTable());
    expect(page).toContain(houseDrawing());
  });

  it.each([
    'CONTRIBUTING.md',
    'docs/architecture.md',
  ])('is described by %s with existing files only', (page) => {
    const text = readFileSync(join(top, page), 'utf8');
    const named = [...text.matchAll(/`((?:src|tests|scripts|docs)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.filter((path) => !existsSync(join(top, path)))).toEqual([]);
  });
});
