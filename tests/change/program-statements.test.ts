import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type InteractionOptions,
  interactionGraph,
} from '../../src/change/interactions/interaction-graph.js';
import { programStatements } from '../../src/change/interactions/program-statements.js';
import { Random } from '../../src/machine/index.js';
import { DependenceGraph } from '../../src/program/dependence/index.js';
import { Program, readModule } from '../../src/program/ir/index.js';
import { compileC, llvmTool } from '../program/dependence/compile.js';
import { randomC } from '../program/random-c.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { listed, plainDependences, plainInfluence, plainInteractions } from './plain-interactions.js';

/** Compiles a C program. */
function compiled(text: string): DependenceGraph {
  const folder = temporaryFolder('statements');
  try {
    writeFileSync(join(folder, 'a.c'), text);
    const ir = execFileSync(llvmTool('clang'), ['-S', '-emit-llvm', '-g', '-O0', '-w', '-o', '-', 'a.c'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    return new DependenceGraph(new Program([readModule(ir)]));
  } finally {
    removeFolder(folder);
  }
}

/** The graph by line numbers. */
function interactions(
  text: string,
  changed: readonly number[],
  { offset = 0, ...options }: InteractionOptions & { readonly offset?: number } = {},
) {
  const { lines, graph } = programStatements(
    compiled(text),
    ({ line }) => changed.includes(line - offset),
    '/',
  );
  const found = interactionGraph(graph, options);
  const line = (statement: number): number => (lines[statement]?.line ?? 0) - offset;
  return {
    interactions: [...found.interactions].map(([at, of]) => [
      line(at),
      of.map(line).toSorted((a, b) => a - b),
    ]),
    edges: found.edges.map(([from, to]) => `${line(from)}-${line(to)}`).toSorted(),
    nodes: [...found.kinds].map(([at, kind]) => `${line(at)} ${kind}`),
  };
}

/** Fig. 4.5, right. Line n of the figure is line n + 7 here. */
const cut = `extern int isDigit (int);
extern int rdDigit (int);
extern void __assert_fail (void) __attribute__ ((noreturn));
#define assert(e) if (!(e)) __assert_fail ()
int main (int argc, char **argv)
{
  char *fs = argv[1]; int v, c, init = 1;
  int lhs = 0;
  while (1) {
    if (isDigit (*fs)) {
      v = rdDigit (*fs);
      lhs = 1;
    } else if (*fs == '-') {
      c = lhs;
      init = c ? v : 1;
    } else if (*fs == 0) {
      assert (init != 0);
      break;
    }
    fs++;
  }
  return 0;
}
`;

describe('programStatements', () => {
  it('the changes of Fig. 4.5 interact at line 8', () => {
    const { interactions: found, edges } = interactions(cut, [1, 5, 7], { offset: 7 });
    expect(found).toContainEqual([8, [1, 5, 7]]);
    expect(edges).toEqual(expect.arrayContaining(['1-5', '1-7', '5-5', '5-7', '7-8', '8-5', '8-7']));
    expect(edges).not.toContain('1-1');
  });

  it('changes interact through calls, but only at statements that depend on both', () => {
    const text = `#include <stdio.h>
static int a, b, c;
static void set_a (int x) { a = x; }
static int sum (void)
{
  return a + b;
}
int main (int argc, char **argv)
{
  set_a (argc);
  b = argc * 2;
  c = 7;
  printf ("%d\\n", sum ());
  printf ("%d\\n", c);
  return 0;
}
`;
    const { interactions: found, edges } = interactions(text, [3, 11]);
    expect(found.map(([line]) => line)).toContain(6);
    expect(found.map(([line]) => line)).not.toContain(14);
    expect(edges).toContain('3-11');
  });

  it('statements form the graph of Algorithm 5 as published', () => {
    const text = `#include <stdio.h>
int main (int argc, char **argv)
{
  puts ("begin");
  int a = argc + 1;
  int b = 0;
  if (argc > 2)
    b = a * 2;
  int c = a + b;
  int e = 5;
  printf ("%d\\n", c);
  int f = c + e;
  int g = f * 3;
  printf ("%d\\n", g);
  return 0;
}
`;
    // Computed by hand from the lines of the algorithm. 12 is behind output 11, where every walk ends.
    expect(interactions(text, [5, 8, 10, 13], { isAsPublished: true })).toEqual({
      nodes: [
        ...['4 output', '5 change', '8 change', '9 interaction', '10 change', '11 output', '13 change'],
        ...['14 output', '15 output'],
      ],
      interactions: [
        [9, [5, 8]],
        [11, [5, 8]],
        [12, [5, 8, 10]],
        [13, [5, 8, 10]],
        [14, [5, 8, 10, 13]],
      ],
      edges: ['10-11', '13-14', '5-8', '5-9', '8-9', '9-10'],
    });
  });
});

describe.each([1, 2, 3, 4, 5, 6])('programStatements of a random program (seed %i)', (seed) => {
  const random = Random.fromSeed(seed);
  const program = new Program([readModule(compileC(randomC(random, 5)))]);
  // Small programs have no large groups of mutually recursive functions. Every other seed treats all groups as large.
  const dependence = new DependenceGraph(program, seed % 2 === 0 ? { mostRepeated: 0 } : {});

  it.each([
    false,
    true,
  ])('interactions equal those of the plain algorithm (as published: %s)', (isAsPublished) => {
    const share = 2 + random.below(20);
    const { graph, instructions } = programStatements(dependence, ({ line }) => line % share === 0, '/');
    const plain = plainInteractions(
      {
        ...graph,
        dependsOn: plainDependences(dependence, instructions),
        influencedBy: plainInfluence(dependence, instructions),
      },
      { isAsPublished },
    );
    const quick = interactionGraph(graph, { isAsPublished });
    expect(plain.interactions.size).toBeGreaterThan(0);
    expect(listed(quick)).toEqual(listed(plain));
  });
});
