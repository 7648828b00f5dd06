/** What depends on what in a whole program. */

import type { SourceLine } from '../graph/index.js';
import { type Instruction, type Program, sourceLine } from '../ir/index.js';
import { Border, type Direction, type Local } from './border.js';
import { CallReach } from './call-reach.js';
import { type CallTree, callTree } from './call-tree.js';
import { edgeKind } from './edges.js';
import { type FunctionGraph, functionGraph, type GraphContext } from './function-graph.js';
import { type Nodes, Numbering } from './numbering.js';
import { blockOf, ending, type Outline } from './outline.js';
import { type MemoryOptions, programMemory } from './program-memory.js';
import { slice } from './slicer.js';
import { Succession } from './succession.js';
import { summaries } from './summaries.js';
import { ThroughFlow } from './through-flow.js';
import { Variables } from './variables.js';

export interface Dependence {
  readonly node: number;
  readonly kind: 'data' | 'control';
}

/** Where a node stands: its block, and its place in that, the terminator last. */
export interface NodePlace {
  readonly functionId: number;
  readonly block: number;
  readonly at: number;
}

/** What a node stands for that is no instruction. */
export type NodeRole =
  | 'instruction'
  | 'entry'
  | 'parameter'
  | 'result'
  | 'memory in'
  | 'memory out'
  | 'argument'
  | 'call result'
  | 'memory into call'
  | 'memory out of call'
  | 'join';

export interface GraphOptions extends MemoryOptions {
  /** In larger groups of functions that call one another, slices may have a little more than they must. */
  readonly mostRepeated?: number;
}

/**
 * Nodes are the instructions of the program, numbered through all functions in their order, and nodes in between that
 * stand for what goes in and out of functions and calls and for memory whose value may have come from several places.
 *
 * The dependences of a function are worked out when they are first asked for, what flows through functions with the
 * first slice. Slices keep the calls of a function apart; only where that takes too much, which `isCoarse` tells, they
 * are mixed up.
 *
 * What is seen: values in registers, memory told apart by objects and byte offsets, in the order it is used inside each
 * function, through pointers, calls, calls through pointers, callbacks and exceptions, and branches; what runs before
 * `main` and after it. What is not: threads, signal handlers and longjmp, that a call may not come back, files and the
 * system as memory, and pointers made of anything but pointers.
 *
 * @example
 * const graph = new DependenceGraph(new Program([readModule(text)]));
 * const printed = graph.nodeOf(main.id, 0, 12);
 * graph.linesOf(graph.backwardSlice([printed]));
 */
export class DependenceGraph {
  /** Instructions have the numbers below this. */
  readonly instructionCount: number;
  readonly #context: GraphContext;
  readonly #border: Border;
  readonly #succession: Succession;
  readonly #graphs: (FunctionGraph | undefined)[] = [];
  /** For each function the number of its first node that is no instruction. */
  readonly #firstOther: Int32Array;
  /** Joins are numbered when a function's dependences are worked out: where those of each begin, in that order. */
  readonly #joinStarts: number[] = [];
  readonly #joinOwners: number[] = [];
  readonly #firstJoin = new Map<number, number>();
  #nextJoin: number;
  readonly #tree: CallTree;
  #through: ThroughFlow | undefined;
  readonly #bodies = new Map<number, ReturnType<Program['body']>>();

  constructor(
    readonly program: Program,
    private readonly options: GraphOptions = {},
  ) {
    const memory = programMemory(program, options);
    const tree = callTree(memory);
    const variables = new Variables(memory, tree);
    const found = summaries(memory, tree, variables);
    const numbering = new Numbering(memory, found);
    this.#context = { memory, variables, summaries: found, numbering, reach: new CallReach(memory) };
    this.#border = new Border(numbering);
    const registrations = variables.ofObject(memory.exitHandlers);
    this.#succession = new Succession(numbering, memory.stages, registrations);
    this.instructionCount = numbering.instructions;
    this.#firstOther = new Int32Array(memory.outlines.length);
    let next = this.instructionCount;
    for (const [id, { count, entry }] of numbering.functions.entries()) {
      this.#firstOther[id] = next;
      next += count - entry;
    }
    this.#nextJoin = next;
    this.#tree = tree;
  }

  /** @param at the place in the block, the terminator last */
  nodeOf(functionId: number, block: number, at: number): number {
    const { first, blockStarts } = this.#outline(functionId);
    return first + (blockStarts[block] as number) + at;
  }

  /** The node of a function's entry, which the calls of the function decide on. */
  entryOf(functionId: number): number {
    return this.#global({ fn: functionId, node: this.#nodes(functionId).entry });
  }

  isInstruction(node: number): boolean {
    return node < this.instructionCount;
  }

  functionOf(node: number): number {
    return this.#local(node).fn;
  }

  roleOf(node: number): NodeRole {
    const local = this.#local(node);
    const { entry, firstParameter, result, firstIn, firstOut, outs, count } = this.#nodes(local.fn);
    const at = local.node;
    if (at < entry) return 'instruction';
    if (at >= count) return 'join';
    if (at < firstParameter) return 'entry';
    if (at < result) return 'parameter';
    if (at < firstIn) return 'result';
    if (at < firstOut) return 'memory in';
    if (at < firstOut + outs.length) return 'memory out';
    const site = this.#border.siteOf(local.fn, at);
    if (site === undefined || at < site.result) return 'argument';
    if (at < site.firstIn) return 'call result';
    return at < site.firstOut ? 'memory into call' : 'memory out of call';
  }

  /** Of an instruction, and of what belongs to a call; undefined for what belongs to the function or to no place. */
  placeOf(node: number): NodePlace | undefined {
    const local = this.#local(node);
    const outline = this.#outline(local.fn);
    const instruction =
      local.node < outline.instructions ? local.node : this.#border.siteOf(local.fn, local.node)?.call.at;
    if (instruction === undefined) return undefined;
    const block = blockOf(outline, instruction);
    return { functionId: local.fn, block, at: instruction - (outline.blockStarts[block] as number) };
  }

  /** Undefined for a node that is no instruction. */
  instructionOf(node: number): Instruction | undefined {
    const place = this.isInstruction(node) ? this.placeOf(node) : undefined;
    if (place === undefined) return undefined;
    const block = this.#body(place.functionId).blocks[place.block];
    return block?.instructions[place.at] ?? block?.terminator;
  }

  /** What a node depends on. */
  dependsOn(node: number): Iterable<Dependence> {
    return this.#connected(node, 'backward');
  }

  /** What depends on a node. */
  dependents(node: number): Iterable<Dependence> {
    return this.#connected(node, 'forward');
  }

  /** Every instruction that has a part in what these do, they themselves among them. */
  backwardSlice(nodes: Iterable<number>): ReadonlySet<number> {
    return this.#slice(nodes, 'backward');
  }

  /** Every instruction that these have a part in, they themselves among them. */
  forwardSlice(nodes: Iterable<number>): ReadonlySet<number> {
    return this.#slice(nodes, 'forward');
  }

  /** Do slices mix up the calls of a function, because telling them apart takes too much in this program? */
  get isCoarse(): boolean {
    return this.#flowThrough().isLeft;
  }

  /** Can what it does be seen outside: does it print or write, end the program, or return from `main`? */
  isOutput(node: number): boolean {
    if (!this.isInstruction(node)) return false;
    const { fn, node: at } = this.#local(node);
    const outline = this.#outline(fn);
    if (fn === this.#context.memory.main) {
      const block = blockOf(outline, at);
      if (outline.endings[block] === ending.returns && at === (outline.blockStarts[block + 1] as number) - 1)
        return true;
    }
    return outline.calls.some((call) => call.at === at && call.isOutput);
  }

  /** All nodes `isOutput` holds for. */
  outputs(): readonly number[] {
    const found: number[] = [];
    for (const { first, calls, endings, blockStarts, fn } of this.#context.memory.outlines) {
      for (const { at, isOutput } of calls) if (isOutput) found.push(first + at);
      if (fn.id === this.#context.memory.main)
        for (const [block, how] of endings.entries())
          if (how === ending.returns) found.push(first + (blockStarts[block + 1] as number) - 1);
    }
    return found.toSorted((a, b) => a - b);
  }

  /** The lines of the source that instructions stand on, each once, in order. @param root what files are named by */
  linesOf(nodes: Iterable<number>, root = process.cwd()): readonly SourceLine[] {
    const found = new Map<string, SourceLine>();
    for (const node of nodes) {
      if (!this.isInstruction(node)) continue;
      const { fn, node: at } = this.#local(node);
      const { fn: owner, places } = this.#outline(fn);
      const line = sourceLine(owner.module.debug, places[at] as number, root);
      if (line !== undefined) found.set(`${line.file}:${line.line}`, line);
    }
    return [...found.values()].toSorted((a, b) =>
      a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line,
    );
  }

  /** The instructions on a line of the source. @param root what its file is named by */
  nodesAt({ file, line }: SourceLine, root = process.cwd()): readonly number[] {
    const found: number[] = [];
    for (const { fn, places, first } of this.#context.memory.outlines)
      for (const [at, place] of places.entries()) {
        const known = sourceLine(fn.module.debug, place, root);
        if (known?.line === line && known.file === file) found.push(first + at);
      }
    return found;
  }

  /** Works out the dependences of all functions. @returns how many nodes and dependences inside functions there are */
  complete(): { readonly nodes: number; readonly dependences: number } {
    let dependences = 0;
    for (const { fn } of this.#context.memory.outlines) dependences += this.#graph(fn.id).onto.edgeCount;
    return { nodes: this.#nextJoin, dependences };
  }

  *#connected(node: number, direction: Direction): Generator<Dependence> {
    const local = this.#local(node);
    for (const edge of this.#border.neighbours(this.#graph(local.fn), direction).of(local.node))
      yield {
        node: this.#global({ fn: local.fn, node: edge >> 1 }),
        kind: (edge & 1) === edgeKind.data ? 'data' : 'control',
      };
    const isEntry = ({ fn, node: one }: Local): boolean => one === this.#nodes(fn).entry;
    const others = [
      ...this.#border.outward(local.fn, local.node, direction),
      ...this.#border.inward(local.fn, local.node, direction),
      ...this.#succession.of(local.fn, local.node, direction),
    ];
    for (const other of others)
      yield { node: this.#global(other), kind: isEntry(local) || isEntry(other) ? 'control' : 'data' };
  }

  #slice(nodes: Iterable<number>, direction: Direction): ReadonlySet<number> {
    const from = Array.from(nodes, (node) => this.#local(node));
    const through = this.#flowThrough();
    const marked = slice(from, direction, {
      border: this.#border,
      succession: this.#succession,
      graphOf: (id) => this.#graph(id),
      through: through.isLeft ? undefined : through,
    });
    const found = new Set<number>();
    for (const [fn, marks] of marked.entries()) {
      const { first, instructions } = this.#outline(fn);
      for (let at = 0; marks !== undefined && at < instructions; at++)
        if (marks[at] === 1) found.add(first + at);
    }
    return found;
  }

  #flowThrough(): ThroughFlow {
    this.#through ??= new ThroughFlow(
      this.#tree,
      this.#context.numbering,
      (id) => this.#graph(id),
      this.options.mostRepeated,
    );
    return this.#through;
  }

  #graph(id: number): FunctionGraph {
    let graph = this.#graphs[id];
    if (graph === undefined) {
      graph = functionGraph(id, this.#context);
      this.#graphs[id] = graph;
      this.#joinStarts.push(this.#nextJoin);
      this.#joinOwners.push(id);
      this.#firstJoin.set(id, this.#nextJoin);
      this.#nextJoin += graph.count - this.#nodes(id).count;
    }
    return graph;
  }

  #outline(id: number): Outline {
    return this.#context.memory.outlines[id] as Outline;
  }

  #nodes(id: number): Nodes {
    return this.#context.numbering.functions[id] as Nodes;
  }

  #body(id: number): ReturnType<Program['body']> {
    let body = this.#bodies.get(id);
    if (body === undefined) {
      // Instructions are many; a few functions are enough to walk through them in order.
      if (this.#bodies.size >= mostBodies) this.#bodies.clear();
      body = this.program.body(this.#outline(id).fn);
      this.#bodies.set(id, body);
    }
    return body;
  }

  #global({ fn, node }: Local): number {
    const { entry, count } = this.#nodes(fn);
    if (node < entry) return this.#outline(fn).first + node;
    if (node < count) return (this.#firstOther[fn] as number) + node - entry;
    return (this.#firstJoin.get(fn) as number) + node - count;
  }

  #local(node: number): Local {
    const { outlines } = this.#context.memory;
    if (node < this.instructionCount) {
      const fn = lastAtOrBefore(outlines.length, (at) => (outlines[at] as Outline).first, node);
      return { fn, node: node - this.#outline(fn).first };
    }
    const [firstJoin = Number.POSITIVE_INFINITY] = this.#joinStarts;
    if (node < firstJoin) {
      const fn = lastAtOrBefore(outlines.length, (at) => this.#firstOther[at] as number, node);
      return { fn, node: node - (this.#firstOther[fn] as number) + this.#nodes(fn).entry };
    }
    const place = lastAtOrBefore(this.#joinStarts.length, (at) => this.#joinStarts[at] as number, node);
    const fn = this.#joinOwners[place] as number;
    return { fn, node: node - (this.#joinStarts[place] as number) + this.#nodes(fn).count };
  }
}

/** Bodies that are kept for those who ask for instructions. */
const mostBodies = 64;

/** Of rising numbers the last that is not above the item. */
function lastAtOrBefore(count: number, valueAt: (at: number) => number, item: number): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (valueAt(middle) <= item) low = middle;
    else high = middle - 1;
  }
  return low;
}
