/** LLVM's own dominator trees, read from the output of `opt`. */

import { analyze } from './compile.js';

/** For each function the parent of each block, by name; undefined for roots and for children of the virtual exit. */
export type Trees = ReadonlyMap<string, ReadonlyMap<string, string | undefined>>;

export function llvmTrees(ir: string, kind: 'domtree' | 'postdomtree'): Trees {
  const trees = new Map<string, Map<string, string | undefined>>();
  let tree = new Map<string, string | undefined>();
  let above: (string | undefined)[] = [];
  for (const line of analyze(ir, `print<${kind}>`).split('\n')) {
    const name = /ominatorTree for function: (.*)$/.exec(line)?.[1];
    if (name !== undefined) {
      tree = new Map();
      above = [];
      trees.set(name, tree);
    }
    const entry = /^\s*\[(\d+)\] +(?:%"?([^"\s]+)"?|<<exit node>>) \{/.exec(line);
    if (entry === null) continue;
    const level = Number(entry[1]);
    above.length = level;
    if (entry[2] !== undefined) tree.set(entry[2], above[level - 1]);
    above[level] = entry[2];
  }
  return trees;
}
