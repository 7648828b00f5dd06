import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/machine/index.js';
import {
  controlDependence,
  immediateDominators,
  immediatePostDominators,
  unreachable,
  virtualExit,
} from '../../../src/program/graph/index.js';
import { readBody, readModule, targetsOf } from '../../../src/program/ir/index.js';
import { randomC } from '../random-c.js';
import { compileC } from './compile.js';
import { llvmTrees } from './llvm-trees.js';
import { randomFlow } from './random-flow.js';

const endless = `
int g;
void inside(int x) { if (x) { for (;;) { if (g) g = 1; else g = 2; } } g = 3; }
void nested(void) { for (;;) { g++; if (g == 3) for (;;) g--; } }
void two(int x) { if (x) for (;;) g++; else for (;;) g--; }
void stops(int x) { for (;;) { if (x) __builtin_unreachable(); if (g) { while (1) ; } } }
void jumps(int x) { a: if (g) goto b; g = 1; b: if (x) goto a; goto b; }
`;

const programs = [
  ['loops without an end, in C', () => compileC(endless)],
  ['jumps drawn at random', () => randomFlow(Random.fromSeed(7), 400)],
  ['jumps drawn at random, others', () => randomFlow(Random.fromSeed(8), 400)],
  ['C drawn at random', () => compileC(randomC(Random.fromSeed(9), 30))],
] as const;

describe.each(programs)('dominators of %s', (_, source) => {
  const ir = source();
  const module = readModule(ir);
  const functions = [...module.functions.values()]
    .filter(({ body }) => body !== undefined)
    .map((fn) => {
      const { blocks } = readBody(module, fn);
      const labels = blocks.map(({ label }) => label);
      const next = blocks.map(({ terminator }) =>
        targetsOf(terminator).map((label) => labels.indexOf(label)),
      );
      return { name: fn.name, labels, next };
    });

  test('equal those of LLVM', () => {
    const trees = llvmTrees(ir, 'domtree');
    for (const { name, labels, next } of functions) {
      const found = immediateDominators(next, 0);
      const byName = new Map(
        labels.flatMap((label, at) =>
          found.get(at) === unreachable ? [] : [[label, at === 0 ? undefined : labels[found.get(at)]]],
        ),
      );
      expect({ name, tree: sorted(byName) }).toEqual({ name, tree: sorted(trees.get(name)) });
    }
  });

  test('in reverse equal those of LLVM', () => {
    const trees = llvmTrees(ir, 'postdomtree');
    for (const { name, labels, next } of functions) {
      const found = immediatePostDominators(next);
      const byName = new Map(
        labels.map((label, at) => [label, found.get(at) === virtualExit ? undefined : labels[found.get(at)]]),
      );
      expect({ name, tree: sorted(byName) }).toEqual({ name, tree: sorted(trees.get(name)) });
    }
  });

  test('agree with control dependence', () => {
    const trees = llvmTrees(ir, 'postdomtree');
    for (const { name, labels, next } of functions) {
      const tree = trees.get(name);
      const isAfter = (later: number, block: number): boolean => {
        for (let at = labels[block]; at !== undefined; at = tree?.get(at))
          if (at === labels[later]) return true;
        return false;
      };
      const byDefinition = labels.map((_, block) =>
        next.flatMap((targets, decider) => {
          const isForced = targets.length > 1 && targets.some((target) => isAfter(block, target));
          return isForced && (block === decider || !isAfter(block, decider)) ? [decider] : [];
        }),
      );
      expect({ name, deciders: controlDependence(next).values }).toEqual({ name, deciders: byDefinition });
    }
  });
});

function sorted(tree: ReadonlyMap<string, string | undefined> | undefined): unknown {
  return [...(tree ?? [])].map(([block, above]) => `${block} under ${above ?? 'none'}`).toSorted();
}
