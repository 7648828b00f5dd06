/** The statements of a compiled program as source lines, with control flow and dependences between them. */

import type { DependenceGraph } from '../../program/dependence/index.js';
import {
  BitSet,
  getOrCreate,
  IntList,
  IntLists,
  type MetadataId,
  type NodeId,
  type SourceLine,
} from '../../program/graph/index.js';
import { type ProgramFunction, sourceLine, targetsOf } from '../../program/ir/index.js';
import type { StatementGraph } from './interaction-graph.js';

export interface StatementLine extends SourceLine {
  readonly function: string;
}

export interface ProgramStatements {
  readonly lines: readonly StatementLine[];
  readonly instructions: readonly (readonly NodeId[])[];
  readonly graph: StatementGraph;
}

/**
 * A statement is a line of a function. All instructions of a line are one statement, even if they are in several
 * blocks.
 *
 * @param root file names are relative to it
 */
export function programStatements(
  graph: DependenceGraph,
  isChanged: (line: SourceLine) => boolean,
  root: string,
): ProgramStatements {
  return new StatementBuilder(graph, root).read(isChanged);
}

interface FunctionEnds {
  readonly first: ReadonlySet<number>;
  readonly last: ReadonlySet<number>;
}

class StatementBuilder {
  readonly #lines: StatementLine[] = [];
  /** The statements of the function being read, by file and line. */
  readonly #lineStatements = new Map<string, Map<number, number>>();
  /** For each instruction its statement; -1 for instructions without a line. */
  readonly #statementOf: Int32Array;
  readonly #instructions: NodeId[][] = [];
  readonly #next: Set<number>[] = [];

  constructor(
    private readonly graph: DependenceGraph,
    private readonly root: string,
  ) {
    this.#statementOf = new Int32Array(graph.instructionCount).fill(-1);
  }

  read(isChanged: (line: SourceLine) => boolean): ProgramStatements {
    const { graph } = this;
    const calls: { readonly statement: number; readonly callee: number }[] = [];
    const ends = graph.program.functions.map((fn) => this.#readFunction(fn, calls));
    const into: Set<number>[] = this.#lines.map(() => new Set());
    for (const { statement, callee } of calls) {
      const { first, last } = ends[callee] ?? { first: [], last: [] };
      for (const to of first) {
        this.#next[statement]?.add(to);
        into[statement]?.add(to);
      }
      for (const from of last) this.#next[from]?.add(statement);
    }
    const changed = new Set(this.#lines.flatMap((line, at) => (isChanged(line) ? [at] : [])));
    const outputs = new Set(graph.outputs().map((node) => this.#statementOf[node] ?? -1));
    return {
      lines: this.#lines,
      instructions: this.#instructions,
      graph: {
        next: this.#next.map((set) => [...set]),
        calls: into.map((set) => [...set]),
        dependsOn: this.#dependences(),
        isChanged: (statement) => changed.has(statement),
        isOutput: (statement) => outputs.has(statement),
        dependencesOn: (some) => this.#dependencesOn(some),
      },
    };
  }

  #readFunction(
    fn: ProgramFunction,
    calls: { readonly statement: number; readonly callee: number }[],
  ): FunctionEnds {
    this.#lineStatements.clear();
    const { program } = this.graph;
    const { blocks } = program.body(fn);
    const number = new Map(blocks.map(({ label }, at) => [label, at]));
    const next = blocks.map(({ terminator }) =>
      targetsOf(terminator).flatMap((label) => number.get(label) ?? []),
    );
    /** The first and the last statement of each block, with edges between its statements. */
    const callees = new Map(this.graph.callsOf(fn.id).map((call) => [call.node, call.callees]));
    const ranges = blocks.map(({ instructions, terminator }, block) => {
      let [first, last] = [-1, -1];
      for (const [at, instruction] of [...instructions, terminator].entries()) {
        const isSilent = instruction.op === 'debug' || instruction.op === 'alloca' || instruction.op === 'br';
        const node = this.graph.nodeOf(fn.id, block, at);
        const statement = isSilent ? -1 : this.#statement(fn, instruction.location, node);
        if (statement === -1) continue;
        if (first === -1) first = statement;
        if (last !== -1 && last !== statement) this.#next[last]?.add(statement);
        last = statement;
        for (const callee of callees.get(node) ?? []) calls.push({ statement, callee });
      }
      return { first, last };
    });
    const firstFrom = (block: number): ReadonlySet<number> => {
      const found = new Set<number>();
      const seen = new Set<number>();
      const left = [block];
      for (let at = left.pop(); at !== undefined; at = left.pop()) {
        if (seen.has(at)) continue;
        seen.add(at);
        const first = ranges[at]?.first ?? -1;
        if (first === -1) left.push(...(next[at] ?? []));
        else found.add(first);
      }
      return found;
    };
    const last = new Set<number>();
    for (const [block, { last: from }] of ranges.entries()) {
      if (from === -1) continue;
      if (next[block]?.length === 0) last.add(from);
      for (const target of next[block] ?? [])
        for (const to of firstFrom(target)) if (to !== from || target <= block) this.#next[from]?.add(to);
    }
    return { first: blocks.length === 0 ? new Set() : firstFrom(0), last };
  }

  #statement(fn: ProgramFunction, location: MetadataId | undefined, node: NodeId): number {
    const line = location === undefined ? undefined : sourceLine(fn.module.debug, location, this.root);
    if (line === undefined) return -1;
    const inFile = getOrCreate(this.#lineStatements, line.file, () => new Map<number, number>());
    const at = getOrCreate(inFile, line.line, () => {
      this.#instructions.push([]);
      this.#next.push(new Set());
      return this.#lines.push({ ...line, function: fn.declared.name }) - 1;
    });
    this.#statementOf[node] = at;
    this.#instructions[at]?.push(node);
    return at;
  }

  /**
   * Dependences between statements, and between nodes without a statement, which are numbered after the statements.
   */
  #dependences(): IntLists<number, number> {
    const statements = this.#lines.length;
    const numberOf = (node: number): number => {
      const statement = this.#statementOf[node] ?? -1;
      return statement === -1 ? statements + node : statement;
    };
    const { nodes, dependences } = this.graph.complete();
    // Interprocedural dependences are about twice as many as those inside functions.
    const from = new IntList(3 * dependences);
    const onto = new IntList(3 * dependences);
    this.graph.eachDependence((node, on) => {
      const [own, other] = [numberOf(node), numberOf(on)];
      if (own === other) return;
      from.push(own);
      onto.push(other);
    });
    return IntLists.by(statements + nodes, from.toArray(), onto.toArray());
  }

  /** By context-sensitive slices, which keep the calls of a function apart. */
  #dependencesOn(some: readonly number[]): readonly BitSet[] {
    const sets = this.#lines.map(() => new BitSet(some.length));
    const starts = some.map((statement) => this.#instructions[statement] ?? []);
    this.graph.forwardSlices(starts, (node, place, slices) => {
      sets[this.#statementOf[node] ?? -1]?.addWord(place, slices);
    });
    return sets;
  }
}
