/** Control flow and calls of a whole program, even one as large as a solver: nothing else of its IR is kept. */

import {
  type FlowBlock,
  type FlowFunction,
  type FunctionId,
  type Id,
  idOf,
  type ReadonlyTable,
  type SourceLine,
  Table,
} from '../graph/index.js';
import { clashNote, detachedCopy, flowOf, type IrModule, readBody } from '../ir/index.js';
import { type CallGraph, CallGraphBuilder } from './calls/call-graph.js';
import type { ModuleFunctionId } from './calls/call-target.js';

export interface FunctionPlace {
  /** The linker's name, mangled for C++. */
  readonly name: string;
  /** As written, without classes and parameters. */
  readonly shortName: string;
  readonly file: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A block without its calls, which are in the call graph, and without the line of its jump. */
export type ProgramBlock = Omit<FlowBlock, 'calls' | 'jump'>;

/**
 * @example const builder = new ProgramFlowBuilder(process.cwd()); for await (const { text } of built.modules())
 * builder.add(readModule(text)); const program = builder.link(); for (const id of program.find('main'))
 * program.calls.callees(id);
 */
export class ProgramFlowBuilder {
  readonly #calls = new CallGraphBuilder();
  readonly #functions = new Table<ModuleFunctionId, FunctionPlace>();
  readonly #blocks = new Table<ModuleFunctionId, PackedBlocks>();
  readonly #fileIds = new Map<string, FileId>();
  readonly #files = new Table<FileId, string>();
  /** Unreadable parts with module and line, and definitions that no linker would combine. */
  readonly notes: string[] = [];

  /** @param root folder that file names are relative to */
  constructor(private readonly root: string) {}

  add(module: IrModule): void {
    const calls = this.#calls.addModule(module);
    const faults = [...module.faults];
    for (const fn of calls.newFunctions) {
      const body = readBody(module, fn);
      for (const fault of body.faults) faults.push(fault);
      this.#calls.addCalls(body.blocks, calls);
      const shortName = module.debug.subprogram(fn.subprogram)?.name ?? fn.name;
      this.#keep(flowOf(module, fn, this.root, body.blocks), shortName);
    }
    for (const name of calls.conflicting) this.notes.push(detachedCopy(clashNote(module, name)));
    for (const { at, message } of faults)
      this.notes.push(detachedCopy(`${module.sourceName}: line ${at.line} of its IR: ${message}`));
  }

  link(): ProgramFlow {
    const { graph, linkedFunctions } = this.#calls.link();
    const functions = linkedFunctions.map((id) => this.#functions.get(id)).values;
    const blocks = linkedFunctions.map((id) => this.#blocks.get(id));
    return new ProgramFlow(functions, graph, blocks, this.#files);
  }

  #keep({ name, file, firstLine, lastLine, blocks }: FlowFunction, shortName: string): void {
    this.#functions.add({
      name: detachedCopy(name),
      shortName: detachedCopy(shortName),
      file: this.#files.get(this.#file(file)),
      firstLine,
      lastLine,
    });
    this.#blocks.add(packedBlocks(blocks, (name) => this.#file(name)));
  }

  #file(name: string): FileId {
    let id = this.#fileIds.get(name);
    if (id === undefined) {
      const kept = detachedCopy(name);
      id = this.#files.add(kept);
      this.#fileIds.set(kept, id);
    }
    return id;
  }
}

type FileId = Id<'file'>;

/**
 * The blocks of a function, one after the other, each as: 1 if the program ends there, else 0; number of lines; file
 * and number of each line; number of successors; the successors.
 */
type PackedBlocks = Int32Array;

function packedBlocks(blocks: readonly FlowBlock[], fileId: (file: string) => FileId): PackedBlocks {
  const numbers: number[] = [];
  for (const { lines, next, isLast } of blocks) {
    numbers.push(isLast ? 1 : 0, lines.length);
    for (const { file, line } of lines) numbers.push(fileId(file), line);
    numbers.push(next.length);
    for (const to of next) numbers.push(to);
  }
  return Int32Array.from(numbers);
}

function unpackedBlocks(packed: PackedBlocks, fileOf: (id: FileId) => string): readonly ProgramBlock[] {
  const blocks: ProgramBlock[] = [];
  let at = 0;
  const take = (): number => packed[at++] ?? 0;
  while (at < packed.length) {
    const isLast = take() === 1 ? true : undefined;
    const lines = Array.from({ length: take() }, (): SourceLine => {
      const file = fileOf(idOf(take()));
      return { file, line: take() };
    });
    const next = Array.from({ length: take() }, take);
    blocks.push({ lines, next, isLast });
  }
  return blocks;
}

export class ProgramFlow {
  constructor(
    /** By id. */
    readonly functions: readonly FunctionPlace[],
    readonly calls: CallGraph,
    private readonly packed: ReadonlyTable<FunctionId, PackedBlocks>,
    private readonly files: ReadonlyTable<FileId, string>,
  ) {}

  find(name: string): readonly FunctionId[] {
    const ids: FunctionId[] = [];
    for (const [at, fn] of this.functions.entries())
      if (fn.name === name || fn.shortName === name) ids.push(idOf(at));
    return ids;
  }

  blocks(id: FunctionId): readonly ProgramBlock[] {
    return unpackedBlocks(this.packed.get(id), (file) => this.files.get(file));
  }

  size(): ProgramSize {
    const size = { functions: this.functions.length, blocks: 0, edges: 0, calls: 0, indirectCalls: 0 };
    for (const id of this.packed.keys()) {
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
  readonly calls: number;
  /** Of these, the calls through pointers. */
  readonly indirectCalls: number;
}
