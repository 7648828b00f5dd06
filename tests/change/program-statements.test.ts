import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { interactionGraph } from '../../src/change/interactions/interaction-graph.js';
import { programStatements } from '../../src/change/interactions/program-statements.js';
import { DependenceGraph } from '../../src/program/dependence/index.js';
import { Program, readModule } from '../../src/program/ir/index.js';
import { Random } from '../../src/smtlib/index.js';
import { compileC, llvmTool } from '../program/dependence/compile.js';
import { randomC } from '../program/random-c.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { plainDependences, plainInfluence, plainInteractions } from './plain-interactions.js';

/** A C program as the compiler sees it. */
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
function interactions(text: string, changed: readonly number[], offset = 0) {
  const { lines, graph } = programStatements(
    compiled(text),
    ({ line }) => changed.includes(line - offset),
    '/',
  );
  const found = interactionGraph(graph);
  const line = (statement: number): number => (lines[statement]?.line ?? 0) - offset;
  return {
    interactions: [...found.interactions].map(([at, of]) => [
      line(at),
      of.map(line).toSorted((a, b) => a - b),
    ]),
    edges: found.edges.map(([from, to]) => `${line(from)}-${line(to)}`).toSorted(),
    statements: found.statements.map(line).toSorted((a, b) => a - b),
  };
}

/** Fig. 4.5, right: line n of the figure is line n + 7 here. */
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

describe('the statements of a program', () => {
  it('interact at line 8 of Fig. 4.5', () => {
    const { interactions: found, edges } = interactions(cut, [1, 5, 7], 7);
    expect(found).toContainEqual([8, [1, 5, 7]]);
    expect(edges).toEqual(expect.arrayContaining(['1-5', '1-7', '5-5', '5-7', '7-8', '8-5', '8-7']));
    expect(edges).not.toContain('1-1');
  });

  it('interact through calls, and only where both changes matter', () => {
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
});

describe.each([1, 2, 3, 4, 5, 6])('a random program (seed %i)', (seed) => {
  const random = Random.fromSeed(seed);
  const program = new Program([readModule(compileC(randomC(random, 5)))]);
  // In small programs no functions call one another in large groups; they are taken for such in every other.
  const dependence = new DependenceGraph(program, seed % 2 === 0 ? { mostRepeated: 0 } : {});

  it.each([false, true])('has the interactions that are found the plain way (every one: %s)', (isEvery) => {
    const share = 2 + random.below(20);
    const { graph, instructions } = programStatements(dependence, ({ line }) => line % share === 0, '/');
    const plain = plainInteractions(
      {
        ...graph,
        dependsOn: plainDependences(dependence, instructions),
        influencedBy: plainInfluence(dependence, instructions),
      },
      { isEvery },
    );
    const quick = interactionGraph(graph, { isEvery });
    expect(plain.interactions.size).toBeGreaterThan(0);
    expect({ ...quick, interactions: [...quick.interactions] }).toEqual({
      ...plain,
      interactions: [...plain.interactions],
    });
  });
});
