import {
  after,
  type BlockId,
  type FunctionId,
  type Id,
  IntTable,
  idOf,
  LineSet,
  type LocalNodeId,
  lastAtOrBefore,
  type NodeId,
  type SourceLine,
  Table,
} from '../graph/index.js';
import { type Instruction, type Program, sourceLine } from '../ir/index.js';
import { CallBoundary, type Direction, type LocalNode } from './calls/call-boundary.js';
import { eachCallEdge } from './calls/call-edges.js';
import { CallReach } from './calls/call-reach.js';
import { type CallTree, callTree } from './calls/call-tree.js';
import { edgeKind, edgeKindOf, targetOf } from './edges.js';
import { type FunctionGraph, functionGraph, type GraphContext } from './function-graph.js';
import { manySlices } from './many-slices.js';
import { type MemoryOptions, programMemory } from './memory/program-memory.js';
import { type FunctionNodes, Numbering } from './numbering.js';
import { ending, type Outline } from './outline.js';
import { type SliceContext, slice } from './slicer.js';
import { StageEdges } from './stage-edges.js';
import { summaries } from './summaries.js';
import { SummaryEdges } from './summary-edges.js';
import { Variables } from './variables.js';

export interface Dependence {
  readonly node: NodeId;
  readonly kind: 'data' | 'control';
}

/** An instruction by function, block and number of instructions before it in the block; the terminator is last. */
export interface InstructionPosition {
  readonly functionId: FunctionId;
  readonly block: BlockId;
  readonly at: number;
}

/** A call and the functions of the program it may reach. */
export interface CallPlace {
  readonly node: NodeId;
  readonly block: BlockId;
  /** Direct callees, callbacks of an external function, and exit handlers if the call ends the program. */
  readonly callees: readonly FunctionId[];
  /** It calls one of `callees` and nothing else. */
  readonly isSure: boolean;
}

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
  /** In larger groups of mutually recursive functions slices may be slightly too large. */
  readonly mostRepeated?: number;
  /** In words of bit sets. If the analysis needs more, slices no longer distinguish the calls of a function. */
  readonly mostWork?: number;
  readonly onProgress?: OnGraphProgress | undefined;
}

/** The slow phases: points-to analysis, dependences within functions, summaries of calls, `forwardSlices`. */
export type GraphStep = 'pointers' | 'dependences' | 'calls' | 'slices';

type OnGraphProgress = (step: GraphStep, done: number, all: number) => void;

/**
 * Nodes are the program's instructions, numbered in the order of its functions, and auxiliary nodes for values that
 * enter and leave functions and calls, and for joins of memory values.
 *
 * The dependences of a function are computed on first use, the summaries of calls with the first slice. Slices
 * distinguish the calls of a function unless that takes too much (`isCoarse`).
 *
 * Covered: values in registers; memory by objects and byte offsets, in execution order within a function; pointers,
 * calls, indirect calls, callbacks, exceptions and branches; code that runs before and after `main`. Not covered:
 * threads, signal handlers and longjmp, calls that do not return, files and the system as memory, and pointers
 * computed from other data.
 *
 * @example const graph = new DependenceGraph(new Program([readModule(text)])); const printed = graph.nodesAt({ file:
 * 'main.c', line: 12 }); graph.linesOf(graph.backwardSlice(printed));
 */
export class DependenceGraph {
  /** Nodes below this number are instructions. */
  readonly instructionCount: number;
  readonly #context: GraphContext;
  readonly #boundary: CallBoundary;
  readonly #stageEdges: StageEdges;
  readonly #graphs = new Table<FunctionId, FunctionGraph | undefined>();
  /** The first auxiliary node of each function. */
  readonly #firstAuxiliary: IntTable<FunctionId, NodeId>;
  /** The first join of each function, known once its dependences are computed. */
  readonly #firstJoin = new Map<FunctionId, NodeId>();
  /** The same in the order of computation. */
  readonly #joins = new Table<JoinsId, { readonly first: NodeId; readonly fn: FunctionId }>();
  #nextJoin: NodeId;
  readonly #tree: CallTree;
  #summaryEdges: SummaryEdges | undefined;
  readonly #bodies = new Map<FunctionId, ReturnType<Program['body']>>();

  constructor(
    readonly program: Program,
    private readonly options: GraphOptions = {},
  ) {
    options.onProgress?.('pointers', 0, 1);
    const memory = programMemory(program, options);
    const tree = callTree(memory);
    const variables = new Variables(memory, tree);
    const summaryOf = summaries(memory, tree, variables);
    const numbering = new Numbering(memory, summaryOf);
    this.#context = { memory, variables, summaries: summaryOf, numbering, reach: new CallReach(memory) };
    this.#boundary = new CallBoundary(numbering);
    const registrations = variables.ofObject(memory.exitHandlers);
    this.#stageEdges = new StageEdges(numbering, memory.stages, registrations);
    this.instructionCount = numbering.instructions;
    let next = idOf<NodeId>(this.instructionCount);
    this.#firstAuxiliary = IntTable.of(memory.outlines.length, next);
    for (const [id, { count, entry }] of numbering.functions.entries()) {
      this.#firstAuxiliary.set(id, next);
      next = after(next, count - entry);
    }
    this.#nextJoin = next;
    this.#tree = tree;
  }

  /**
   * @param block index of the block in the function's body
   * @param at number of instructions before it in the block; the terminator is last
   */
  nodeOf(functionId: FunctionId, block: number, at: number): NodeId {
    const { first, blocks } = this.#outline(functionId);
    return after(first, blocks.start(idOf(block)) + at);
  }

  /** The entry node of a function; it depends on the function's calls. */
  entryOf(functionId: FunctionId): NodeId {
    return this.#global({ fn: functionId, node: this.#nodes(functionId).entry });
  }

  isInstruction(node: NodeId): boolean {
    return node < this.instructionCount;
  }

  functionOf(node: NodeId): FunctionId {
    return this.#local(node).fn;
  }

  roleOf(node: NodeId): NodeRole {
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
    const site = this.#boundary.siteOf(local.fn, at);
    if (site === undefined || at < site.result) return 'argument';
    if (at < site.firstIn) return 'call result';
    return at < site.firstOut ? 'memory into call' : 'memory out of call';
  }

  /** The position of an instruction, or of the call a node belongs to; undefined for nodes of the whole function. */
  positionOf(node: NodeId): InstructionPosition | undefined {
    const local = this.#local(node);
    const outline = this.#outline(local.fn);
    const instruction =
      local.node < outline.instructions ? local.node : this.#boundary.siteOf(local.fn, local.node)?.call.at;
    if (instruction === undefined) return undefined;
    const block = outline.blocks.of(instruction);
    return { functionId: local.fn, block, at: instruction - outline.blocks.start(block) };
  }

  /** Undefined for auxiliary nodes. */
  instructionOf(node: NodeId): Instruction | undefined {
    const position = this.isInstruction(node) ? this.positionOf(node) : undefined;
    if (position === undefined) return undefined;
    const block = this.#body(position.functionId).blocks[position.block];
    return block?.instructions[position.at] ?? block?.terminator;
  }

  dependsOn(node: NodeId): Iterable<Dependence> {
    return this.#connected(node, 'backward');
  }

  dependents(node: NodeId): Iterable<Dependence> {
    return this.#connected(node, 'forward');
  }

  /** Every instruction that influences these nodes, including themselves. */
  backwardSlice(nodes: Iterable<NodeId>): ReadonlySet<NodeId> {
    return this.#slice(nodes, 'backward');
  }

  /** Every instruction that these nodes influence, including themselves. */
  forwardSlice(nodes: Iterable<NodeId>): ReadonlySet<NodeId> {
    return this.#slice(nodes, 'forward');
  }

  /**
   * Computes the forward slices of many starts at once, far faster than one by one.
   *
   * @param take called for each instruction that is in some of the slices, with 32 slices at a time: bit b stands for
   * the start with index `32 * place + b`
   */
  forwardSlices(
    starts: readonly (readonly NodeId[])[],
    take: (node: NodeId, place: number, slices: number) => void,
  ): void {
    const first = this.#context.memory.outlines.map((outline) => outline.first);
    manySlices(
      starts.map((nodes) => nodes.map((node) => this.#local(node))),
      'forward',
      this.#sliceContext(),
      this.#context.numbering,
      (fn, node, place, slices) => take(after(first.get(fn), node), place, slices),
      (share) => this.options.onProgress?.('slices', share, 1),
    );
  }

  /** Visits every dependence of every node; duplicates are possible. */
  eachDependence(take: (node: NodeId, on: NodeId) => void): void {
    this.complete();
    const { memory, numbering } = this.#context;
    for (const { fn } of memory.outlines) {
      const { backward, count } = this.#graph(fn.id);
      for (let node = idOf<LocalNodeId>(0); node < count; node = after(node, 1)) {
        const from = this.#globalOf(fn.id, node);
        const end = backward.end(node);
        for (let edge = backward.start(node); edge < end; edge++)
          take(from, this.#globalOf(fn.id, targetOf(backward.item(edge))));
        for (const other of this.#stageEdges.connected(fn.id, node, 'backward'))
          take(from, this.#global(other));
      }
    }
    eachCallEdge(numbering, (caller, actual, callee, formal, isIn) => {
      const outside = this.#globalOf(caller, actual);
      const inside = this.#globalOf(callee, formal);
      if (isIn) take(inside, outside);
      else take(outside, inside);
    });
  }

  /** True if slices do not distinguish the calls of a function, because the program is too large for that. */
  get isCoarse(): boolean {
    return this.#computeSummaryEdges().isIncomplete;
  }

  /** The calls of a function in order, resolved by the points-to analysis. */
  callsOf(id: FunctionId): readonly CallPlace[] {
    const { first, blocks, calls } = this.#outline(id);
    return calls
      .map(({ at, callees, isExternal, isUnknown, runsAtEnd }): CallPlace => {
        const targets = new Set([...callees.keys(), ...runsAtEnd]);
        if (isUnknown) for (const callee of this.#context.memory.escapedFunctions) targets.add(callee);
        return {
          node: after(first, at),
          block: blocks.of(at),
          callees: [...targets],
          // An external function with a callback, such as `qsort`, may also call nothing.
          isSure: callees.size > 0 && !isExternal && !isUnknown,
        };
      })
      .toSorted((a, b) => a.node - b.node);
  }

  /** Is the effect of an instruction visible outside: output, the program's end, or the return from `main`? */
  isOutput(node: NodeId): boolean {
    if (!this.isInstruction(node)) return false;
    const { fn, node: at } = this.#local(node);
    const outline = this.#outline(fn);
    if (fn === this.#context.memory.main) {
      const block = outline.blocks.of(at);
      if (outline.endings.get(block) === ending.returns && at === outline.blocks.terminator(block))
        return true;
    }
    return outline.calls.some((call) => call.at === at && call.isOutput);
  }

  outputs(): readonly NodeId[] {
    const nodes: NodeId[] = [];
    for (const { first, calls, endings, blocks, fn } of this.#context.memory.outlines) {
      for (const { at, isOutput } of calls) if (isOutput) nodes.push(after(first, at));
      if (fn.id === this.#context.memory.main)
        for (const [block, kind] of endings.entries())
          if (kind === ending.returns) nodes.push(after(first, blocks.terminator(block)));
    }
    return nodes.toSorted((a, b) => a - b);
  }

  /**
   * The source lines of instructions, sorted, without duplicates. @param root folder that file names are relative to
   */
  linesOf(nodes: Iterable<NodeId>, root = process.cwd()): readonly SourceLine[] {
    const lines = new LineSet();
    for (const node of nodes) {
      if (!this.isInstruction(node)) continue;
      const { fn, node: at } = this.#local(node);
      const { fn: owner, locations } = this.#outline(fn);
      const line = sourceLine(owner.module.debug, locations.get(at), root);
      if (line !== undefined) lines.add(line);
    }
    return [...lines].toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  }

  /** The instructions on a source line. @param root folder that the file name is relative to */
  nodesAt({ file, line }: SourceLine, root = process.cwd()): readonly NodeId[] {
    const nodes: NodeId[] = [];
    for (const { fn, locations, first } of this.#context.memory.outlines)
      for (const [at, location] of locations.entries()) {
        const sourcePosition = sourceLine(fn.module.debug, location, root);
        if (sourcePosition?.line === line && sourcePosition.file === file) nodes.push(after(first, at));
      }
    return nodes;
  }

  /** Computes the dependences of all functions. @returns the number of nodes, and of dependences within functions */
  complete(): { readonly nodes: number; readonly dependences: number } {
    let dependences = 0;
    const { outlines } = this.#context.memory;
    for (const { fn } of outlines) {
      if (this.#graphs.get(fn.id) === undefined)
        this.options.onProgress?.('dependences', fn.id, outlines.length);
      dependences += this.#graph(fn.id).backward.itemCount;
    }
    return { nodes: this.#nextJoin, dependences };
  }

  *#connected(node: NodeId, direction: Direction): Generator<Dependence> {
    const local = this.#local(node);
    for (const edge of this.#graph(local.fn)[direction].of(local.node))
      yield {
        node: this.#global({ fn: local.fn, node: targetOf(edge) }),
        kind: edgeKindOf(edge) === edgeKind.data ? 'data' : 'control',
      };
    const isEntry = (other: LocalNode): boolean => other.node === this.#nodes(other.fn).entry;
    for (const other of this.#connectedOutside(local.fn, local.node, direction))
      yield { node: this.#global(other), kind: isEntry(local) || isEntry(other) ? 'control' : 'data' };
  }

  #connectedOutside(fn: FunctionId, node: LocalNodeId, direction: Direction): readonly LocalNode[] {
    return [
      ...this.#boundary.inCallers(fn, node, direction),
      ...this.#boundary.inCallees(fn, node, direction),
      ...this.#stageEdges.connected(fn, node, direction),
    ];
  }

  #sliceContext(): SliceContext {
    const summaryEdges = this.#computeSummaryEdges();
    return {
      boundary: this.#boundary,
      stageEdges: this.#stageEdges,
      graphOf: (id) => this.#graph(id),
      summaryEdges: summaryEdges.isIncomplete ? undefined : summaryEdges,
    };
  }

  #slice(nodes: Iterable<NodeId>, direction: Direction): ReadonlySet<NodeId> {
    const from = Array.from(nodes, (node) => this.#local(node));
    const marked = slice(from, direction, this.#sliceContext());
    const sliced = new Set<NodeId>();
    for (const [fn, marks] of marked.entries()) {
      const { first, instructions } = this.#outline(fn);
      for (let at = 0; marks !== undefined && at < instructions; at++)
        if (marks[at] === 1) sliced.add(after(first, at));
    }
    return sliced;
  }

  #computeSummaryEdges(): SummaryEdges {
    this.#summaryEdges ??= new SummaryEdges(this.#tree, this.#context.numbering, (id) => this.#graph(id), {
      ...this.options,
      onFunction: (done, all) => this.options.onProgress?.('calls', done, all),
    });
    return this.#summaryEdges;
  }

  #graph(id: FunctionId): FunctionGraph {
    let graph = this.#graphs.get(id);
    if (graph === undefined) {
      graph = functionGraph(id, this.#context);
      this.#graphs.set(id, graph);
      this.#joins.add({ first: this.#nextJoin, fn: id });
      this.#firstJoin.set(id, this.#nextJoin);
      this.#nextJoin = after(this.#nextJoin, graph.count - this.#nodes(id).count);
    }
    return graph;
  }

  #outline(id: FunctionId): Outline {
    return this.#context.memory.outlines.get(id);
  }

  #nodes(id: FunctionId): FunctionNodes {
    return this.#context.numbering.functions.get(id);
  }

  #body(id: FunctionId): ReturnType<Program['body']> {
    let body = this.#bodies.get(id);
    if (body === undefined) {
      // A few functions are enough to walk through instructions in order.
      if (this.#bodies.size >= maxCachedBodies) this.#bodies.clear();
      body = this.program.body(this.#outline(id).fn);
      this.#bodies.set(id, body);
    }
    return body;
  }

  #global({ fn, node }: LocalNode): NodeId {
    return this.#globalOf(fn, node);
  }

  #globalOf(fn: FunctionId, node: LocalNodeId): NodeId {
    const { entry, count } = this.#nodes(fn);
    if (node < entry) return after(this.#outline(fn).first, node);
    if (node < count) return after(this.#firstAuxiliary.get(fn), node - entry);
    // A function's joins are known once its dependences are computed.
    return after(this.#firstJoin.get(fn) ?? this.#nextJoin, node - count);
  }

  #local(node: NodeId): LocalNode {
    const { outlines } = this.#context.memory;
    if (node < this.instructionCount) {
      const fn = lastAtOrBefore(outlines.length, (id: FunctionId) => outlines.get(id).first, node);
      return { fn, node: idOf(node - outlines.get(fn).first) };
    }
    const joins = this.#joins;
    if (joins.length === 0 || node < joins.get(idOf(0)).first) {
      const fn = lastAtOrBefore(outlines.length, (id: FunctionId) => this.#firstAuxiliary.get(id), node);
      return { fn, node: after(this.#nodes(fn).entry, node - this.#firstAuxiliary.get(fn)) };
    }
    const { first, fn } = joins.get(lastAtOrBefore(joins.length, (id: JoinsId) => joins.get(id).first, node));
    return { fn, node: idOf(node - first + this.#nodes(fn).count) };
  }
}

/** The joins of a function, in the order of computation. */
type JoinsId = Id<'joins'>;

const maxCachedBodies = 64;
