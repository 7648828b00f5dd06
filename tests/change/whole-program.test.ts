import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  entry,
  exit,
  interactionsIn,
  type MeasuredChange,
  type MeasureOptions,
  measureFolders,
  type OnProgramStep,
  WholeProgram,
} from '../../src/change/index.js';
import { Fault } from '../../src/machine/index.js';
import { readModule } from '../../src/program/ir/index.js';
import { llvmTool } from '../program/dependence/compile.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

/**
 * `main` sets up a table and a total that `show` prints. A file that never changes calls `show` through the table.
 */
const files = (isNew: boolean): Readonly<Record<string, string>> => ({
  'main.c': `int run (int);
int total;
int main (int argc, char **argv)
{
  total = argc${isNew ? ' * 2' : ''};
  return run (argc);
}
`,
  'run.c': `extern void show (int);
extern void hide (int);
static void (*const table[]) (int) = { hide, show };
int run (int at)
{
  table[at & 1] (at);
  return 0;
}
`,
  'show.c': `#include <stdio.h>
extern int total;
static int scale;
void hide (int at)
{
  scale = at;
}
void show (int at)
{
  scale = at${isNew ? ' + 1' : ''};
  int sum = scale + total;
  printf ("%d\\n", sum);
}
`,
});

let folder: string;
let program: WholeProgram;

beforeAll(() => {
  folder = temporaryFolder('whole-program');
  for (const name of ['old', 'new']) {
    mkdirSync(join(folder, name));
    for (const [file, text] of Object.entries(files(name === 'new')))
      writeFileSync(join(folder, name, file), text);
  }
  const cwd = join(folder, 'new');
  const modules = Object.keys(files(true)).map((file) =>
    readModule(
      execFileSync(llvmTool('clang'), ['-S', '-emit-llvm', '-g', '-O0', '-w', '-o', '-', file], {
        cwd,
        encoding: 'utf8',
      }),
    ),
  );
  program = new WholeProgram(modules, cwd, []);
});

async function measured(options: MeasureOptions): Promise<MeasuredChange> {
  const found = await measureFolders(join(folder, 'old'), join(folder, 'new'), options);
  if (found instanceof Fault) throw new Error(found.message);
  return found;
}

/** Edges by the first lines of their blocks. */
function edgesOf({ graph, flow }: MeasuredChange): readonly string[] {
  const name = (node: number): string => {
    if (node === entry || node === exit) return node === entry ? '>' : '<';
    const { function: fn = -1, block = -1 } = graph.blocks[node] ?? {};
    return `${flow[fn]?.file}:${flow[fn]?.blocks[block]?.lines[0]?.line}`;
  };
  return graph.edges.map(([from, to]) => `${name(from)} ${name(to)}`).toSorted();
}

describe('measureFolders with a whole program', () => {
  it('sequences lead through unchanged files and through pointers', async () => {
    const alone = await measured({});
    expect(edgesOf(alone)).toEqual(['> main.c:5', '> show.c:10', 'main.c:5 <', 'show.c:10 <']);
    const whole = await measured({ program });
    expect(edgesOf(whole)).toEqual(['> main.c:5', 'main.c:5 <', 'main.c:5 show.c:10', 'show.c:10 <']);
    expect(whole.notes).toEqual([]);
  });

  it('Algorithm 7 gives sequences too, and its walk treats the first block of the callee as unchanged', async () => {
    const whole = await measured({ program, isAsPublished: true });
    expect(edgesOf(whole)).toEqual(['> main.c:5', 'main.c:5 <', 'show.c:10 <']);
  });

  it('the result names the locations at which changes of several files can interact, and their graph', async () => {
    const { found, sequences } = interactionsIn(await measured({ program }), program);
    expect(
      found.map(({ at, of }) => [`${at.file}:${at.line}`, of.map(({ line }) => line).toSorted()]),
    ).toEqual([['show.c:11', [10, 5]]]);
    const name = (at: number): string =>
      `${sequences.statements[at]?.kind} ${sequences.statements[at]?.line}`;
    const edges = sequences.edges.map(([from, to]) => `${name(from)} -> ${name(to)}`);
    // Control gets from the change in main to the one in show only through the pointer. 11 depends on both, and
    // printf comes after it.
    expect(edges).toEqual(
      expect.arrayContaining([
        'change 5 -> change 10',
        'change 5 -> interaction 11',
        'change 10 -> interaction 11',
        'interaction 11 -> output 12',
      ]),
    );
    const interaction = sequences.statements.find(({ kind }) => kind === 'interaction');
    expect(interaction?.changes?.map(name)).toEqual(expect.arrayContaining(['change 5', 'change 10']));
  });

  it('progress is reported from the beginning, and onProgram is called before the part that cannot be interrupted', async () => {
    const database = Object.keys(files(true)).map((file) => ({
      ...{ directory: join(folder, 'new'), file },
      arguments: ['cc', '-g', '-c', file],
    }));
    const built = join(folder, 'new/compile_commands.json');
    writeFileSync(built, JSON.stringify(database));
    const told: string[] = [];
    const onStep: OnProgramStep = (step, done, all) => told.push(`${step} ${done}/${all}`);
    const read = withoutFault(
      await WholeProgram.read(built, join(folder, 'new'), new AbortController().signal, {
        onRead: () => told.push('read'),
        onStep,
      }),
    );
    expect(told).toEqual([
      'modules 0/0',
      'modules 1/3',
      'modules 2/3',
      'modules 3/3',
      'read',
      'pointers 0/1',
    ]);
    interactionsIn(await measured({ program: read }), read, { onStep });
    expect(new Set(told.map((line) => line.split(' ')[0]))).toEqual(
      new Set(['modules', 'read', 'pointers', 'dependences', 'calls', 'slices', 'interactions']),
    );
    expect(told.find((step) => step.startsWith('slices'))).toBe('slices 0/1');
    expect(told.at(-1)).toBe('interactions 0/1');
  });

  it('interactionsIn lists every statement that depends on several changes', async () => {
    const measure = await measured({ program });
    const { found } = interactionsIn(measure, program, { isAsPublished: true });
    expect(found.map(({ at }) => at.line)).toEqual(expect.arrayContaining([11, 12]));
  });

  it('notes list changed files that are not part of the program', async () => {
    const [main] = Object.keys(files(true));
    const ir = execFileSync(
      llvmTool('clang'),
      ['-S', '-emit-llvm', '-g', '-O0', '-w', '-o', '-', main ?? ''],
      {
        cwd: join(folder, 'new'),
        encoding: 'utf8',
      },
    );
    const part = new WholeProgram([readModule(ir)], join(folder, 'new'), []);
    const { notes } = await measured({ program: part });
    expect(notes).toEqual(['show.c is only parsed: the program does not include it']);
  });
});
