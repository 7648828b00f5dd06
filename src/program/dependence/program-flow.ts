/** The control flow and the calls of a whole program, as large as a solver: nothing else of its IR is kept. */

import type { FlowBlock, FlowFunction, SourceLine } from '../graph/index.js';
import { clashNote, detached, flowOf, type IrModule, readBody } from '../ir/index.js';
import { type CallGraph, CallGraphBuilder } from './call-graph.js';

/** Where a function stands. */
export interface FunctionPlace {
  /** As the linker knows it: a mangled name for C++. */
  readonly name: string;
  /** As it is written, without classes and parameters. */
  readonly shortName: string;
  readonly file: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A block without its calls, which the call graph has, and without where its jump is written. */
export type ProgramBlock = Omit<FlowBlock, 'calls' | 'jump'>;

/**
 * @example
 * const builder = new ProgramFlowBuilder(process.cwd());
 * for await (const { text } of built.modules()) builder.add(readModule(text));
 * const program = builder.link();
 * program.calls.callers(program.find('main')[0]);
 */
export class ProgramFlowBuilder {
  readonly #calls = new CallGraphBuilder();
  readonly #functions: FunctionPlace[] = [];
  readonly #packed: Int32Array[] = [];
  readonly #fileNumbers = new Map<string, number>();
  readonly #files: string[] = [];
  /** What could not be read, with its module and line, and what no linker would have put together. */
  readonly notes: string[] = [];

  /** @param root what files are named relative to */
  constructor(private readonly root: string) {}

  add(module: IrModule): void {
    const calls = this.#calls.enter(module);
    const faults = [...module.faults];
    for (const fn of calls.fresh) {
      const body = readBody(module, fn);
      for (const fault of body.faults) faults.push(fault);
      this.#calls.note(body.blocks, calls);
      const shortName = module.debug.subprogram(fn.subprogram)?.name ?? fn.name;
      this.#keep(flowOf(module, fn, this.root, body.blocks), shortName);
    }
    for (const name of calls.clashing) this.notes.push(detached(clashNote(module, name)));
    for (const { line, message } of faults)
      this.notes.push(detached(`${module.sourceName}: line ${line} of its IR: ${message}`));
  }

  link(): ProgramFlow {
    const { graph, kept } = this.#calls.link();
    const functions = kept.map((id) => this.#functions[id] as FunctionPlace);
    const packed = kept.map((id) => this.#packed[id] as Int32Array);
    return new ProgramFlow(functions, graph, packed, this.#files);
  }

  #keep({ name, file, firstLine, lastLine, blocks }: FlowFunction, shortName: string): void {
    this.#functions.push({
      name: detached(name),
      shortName: detached(shortName),
      file: this.#files[this.#file(file)] as string,
      firstLine,
      lastLine,
    });
    const numbers: number[] = [];
    for (const { lines, next, isLast } of blocks) {
      numbers.push(isLast ? 1 : 0, lines.length);
      for (const one of lines) numbers.push(this.#file(one.file), one.line);
      numbers.push(next.length);
      for (const to of next) numbers.push(to);
    }
    this.#packed.push(Int32Array.from(numbers));
  }

  #file(name: string): number {
    let number = this.#fileNumbers.get(name);
    if (number === undefined) {
      number = this.#files.length;
      const kept = detached(name);
      this.#files.push(kept);
      this.#fileNumbers.set(kept, number);
    }
    return number;
  }
}

export class ProgramFlow {
  constructor(
    /** A function's number is its place here. */
    readonly functions: readonly FunctionPlace[],
    readonly calls: CallGraph,
    private readonly packed: readonly Int32Array[],
    private readonly files: readonly string[],
  ) {}

  /** The functions of a name, as the linker knows it or as it is written. */
  find(name: string): readonly number[] {
    const found: number[] = [];
    for (const [id, fn] of this.functions.entries())
      if (fn.name === name || fn.shortName === name) found.push(id);
    return found;
  }

  /** The blocks of a function, the entry first. */
  blocks(id: number): readonly ProgramBlock[] {
    const numbers = this.packed[id] ?? new Int32Array(0);
    const found: ProgramBlock[] = [];
    let at = 0;
    const take = (): number => numbers[at++] as number;
    while (at < numbers.length) {
      const isLast = take() === 1;
      const lines = Array.from({ length: take() }, (): SourceLine => {
        const file = this.files[take()] as string;
        return { file, line: take() };
      });
      const next = Array.from({ length: take() }, take);
      found.push({ lines, next, ...(isLast ? { isLast } : {}) });
    }
    return found;
  }

  /** How large it is. */
  size(): ProgramSize {
    const size = { functions: this.functions.length, blocks: 0, edges: 0, calls: 0, indirectCalls: 0 };
    for (const id of this.functions.keys()) {
      for (const { next } of this.blocks(id)) {
        size.blocks++;
        size.edges += next.length;
      }
      for (const { isIndirect } of this.calls.sites(id)) {
        size.calls++;
        if (isIndirect) size.indirectCalls++;
      }
    }
    return size;
  }
}

export interface ProgramSize {
  readonly functions: number;
  readonly blocks: number;
  readonly edges: number;
  /** Calls to functions of the program. */
  readonly calls: number;
  /** Those of them that go through pointers. */
  readonly indirectCalls: number;
}
