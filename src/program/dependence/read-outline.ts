/** Reads a function's body once: pointer operations become points-to rules, the rest an outline. */

import {
  after,
  type BlockId,
  type FunctionId,
  IntList,
  IntLists,
  IntTable,
  idOf,
  type LocalNodeId,
  type MetadataId,
  type NodeId,
  type PointerId,
  type ReadonlyTable,
  type RegisterId,
  Table,
} from '../graph/index.js';
import {
  type BinaryOperator,
  type CallParts,
  type CastOperator,
  calledName,
  type Instruction,
  type IrModule,
  isCall,
  type Layout,
  operandsOf,
  type Program,
  type ProgramFunction,
  readUnknown,
  type Type,
  targetsOf,
  type Value,
} from '../ir/index.js';
import type { CallBinding } from './calls/call-binding.js';
import { moveOf } from './element-pointer.js';
import { classOf, type FunctionSlots } from './function-slots.js';
import type { Addresses } from './memory/addresses.js';
import { anywhere, single, start } from './memory/offsets.js';
import type { Move, PointsTo } from './memory/points-to.js';
import {
  access,
  Blocks,
  type Call,
  ending,
  type InstructionAccess,
  noLocation,
  noRegister,
  type Outline,
  registers,
} from './outline.js';

const unlimited = Number.POSITIVE_INFINITY;
const anyMove: Move = { by: anywhere, isFree: true };

const noByValue: ReadonlyMap<number, number> = new Map();

/** Their results are never pointers. */
const nonPointerOperators: ReadonlySet<BinaryOperator> = new Set([
  ...(['fadd', 'fsub', 'fmul', 'fdiv', 'frem', 'urem', 'srem', 'sdiv'] as const),
]);

const arithmeticOperators: ReadonlySet<BinaryOperator> = new Set(['add', 'sub', 'mul', 'udiv'] as const);

/** Their results have the same targets as their operand. */
const pointerCasts: ReadonlySet<CastOperator> = new Set([
  ...(['bitcast', 'addrspacecast', 'inttoptr', 'ptrtoint', 'ptrtoaddr', 'trunc', 'zext', 'sext'] as const),
]);

export interface OutlineContext {
  readonly program: Program;
  readonly pointsTo: PointsTo;
  readonly addresses: Addresses;
  readonly slots: ReadonlyTable<FunctionId, FunctionSlots>;
  readonly binding: CallBinding;
}

/** @param first the number of its first instruction in the program */
export function readOutline(fn: ProgramFunction, first: NodeId, context: OutlineContext): Outline {
  return new OutlineReader(fn, first, context).read();
}

class OutlineReader {
  readonly #module: IrModule;
  readonly #layout: Layout;
  readonly #slots: FunctionSlots;
  readonly #pointsTo: PointsTo;
  readonly #registers = new Map<string, RegisterId>();
  readonly #operandStarts = new IntList();
  readonly #operands = new IntList<RegisterId>();
  readonly #accesses: InstructionAccess[] = [];
  readonly #calls: Call[] = [];
  #firstNode: PointerId = idOf(0);
  #at: LocalNodeId = idOf(0);
  #block: BlockId = idOf(0);
  #catches = false;

  constructor(
    private readonly fn: ProgramFunction,
    private readonly first: NodeId,
    private readonly context: OutlineContext,
  ) {
    this.#module = fn.module;
    this.#layout = context.addresses.layout(fn.module);
    this.#slots = context.slots.get(fn.id);
    this.#pointsTo = context.pointsTo;
  }

  read(): Outline {
    const { blocks } = this.context.program.body(this.fn);
    const number = new Map(blocks.map(({ label }, at) => [label, idOf<BlockId>(at)]));
    const all = blocks.map(({ instructions, terminator }) => [...instructions, terminator]);
    this.#nameRegisters(all);
    const locations = new IntList<MetadataId, LocalNodeId>();
    const blockStarts = new IntList<LocalNodeId, BlockId>();
    const phis = IntTable.of<BlockId, number>(blocks.length, 0);
    const endings = IntTable.of<BlockId, number>(blocks.length, ending.none);
    for (const [at, instructions] of all.entries()) {
      const block = idOf<BlockId>(at);
      this.#block = block;
      blockStarts.push(this.#at);
      for (const instruction of instructions) {
        locations.push(instruction.location ?? noLocation);
        this.#operandStarts.push(this.#operands.length);
        this.#note(instruction);
        this.#at = after(this.#at, 1);
      }
      phis.set(block, instructions.filter(({ op }) => op === 'phi').length);
      const last = instructions.at(-1)?.op;
      if (last === 'ret') endings.set(block, ending.returns);
      else if (last === 'resume' || last === 'cleanupret') endings.set(block, ending.unwinds);
    }
    blockStarts.push(this.#at);
    this.#operandStarts.push(this.#operands.length);
    return {
      fn: this.fn,
      first: this.first,
      instructions: this.#at,
      blocks: new Blocks(blockStarts.toTable()),
      next: new Table(
        blocks.map(({ terminator }) => targetsOf(terminator).flatMap((label) => number.get(label) ?? [])),
      ),
      phis,
      operands: new IntLists(this.#operandStarts.toArray(), this.#operands.toArray()),
      accesses: this.#accesses,
      calls: this.#calls,
      locations: locations.toTable(),
      endings,
      catches: this.#catches,
      firstNode: this.#firstNode,
    };
  }

  #nameRegisters(blocks: readonly (readonly Instruction[])[]): void {
    let unnamed = 0;
    for (const [at, { name }] of this.fn.declared.parameters.entries())
      this.#registers.set(name ?? String(unnamed++), registers.ofParameter(at));
    let at: LocalNodeId = idOf(0);
    for (const instructions of blocks)
      for (const { result } of instructions) {
        if (result !== undefined) this.#registers.set(result, registers.ofInstruction(at));
        at = after(at, 1);
      }
    this.#firstNode = this.#pointsTo.newNodes(at);
  }

  #register(value: Value): RegisterId {
    return value.kind === 'local' ? (this.#registers.get(value.name) ?? noRegister) : noRegister;
  }

  #nodeOfRegister(register: RegisterId): PointerId {
    return registers.isParameter(register)
      ? after(this.#slots.firstNode, registers.parameter(register))
      : after(this.#firstNode, registers.instruction(register));
  }

  /** The node of a value; undefined for a value that cannot be a pointer. */
  #node(value: Value | undefined): PointerId | undefined {
    if (value === undefined || value.kind === 'integer' || value.kind === 'null') return undefined;
    if (value.kind !== 'local') return this.context.addresses.node(this.#module, value);
    const register = this.#register(value);
    return register === noRegister ? undefined : this.#nodeOfRegister(register);
  }

  get #result(): PointerId {
    return after(this.#firstNode, this.#at);
  }

  #flow(value: Value | undefined, move?: Move): void {
    const node = this.#node(value);
    if (node === undefined) return;
    if (move === undefined) this.#pointsTo.copy(node, this.#result);
    else this.#pointsTo.move(node, move, this.#result);
  }

  #access(pointer: Value, type: Type, does: number): PointerId | undefined {
    const node = this.#node(pointer);
    if (node === undefined) return undefined;
    this.#addAccess(node, this.#layout.storedBytes(type), does);
    return node;
  }

  #addAccess(pointer: PointerId, bytes: number, does: number): void {
    this.#accesses.push({ at: this.#at, pointer, bytes, effect: does });
  }

  #load(pointer: Value, type: Type, does: number): void {
    const node = this.#access(pointer, type, does);
    if (node !== undefined) this.#pointsTo.load(node, this.#layout.storedBytes(type), this.#result);
  }

  #store(pointer: Value, value: Value): void {
    const [to, from] = [this.#node(pointer), this.#node(value)];
    if (to === undefined || from === undefined) return;
    this.#pointsTo.store(to, this.#layout.storedBytes(value.type), from);
  }

  #note(instruction: Instruction): void {
    if (isCall(instruction)) {
      this.#noteCall(instruction);
      return;
    }
    for (const operand of operandsOf(instruction)) {
      const register = this.#register(operand);
      if (register !== noRegister) this.#operands.push(register);
    }
    this.#notePointers(instruction);
  }

  #notePointers(instruction: Instruction): void {
    switch (instruction.op) {
      case 'alloca':
        this.#noteAlloca(instruction.allocated, instruction.count, instruction.result);
        break;
      case 'load':
        this.#load(instruction.pointer, instruction.type, access.read);
        break;
      case 'store':
        this.#access(instruction.pointer, instruction.value.type, access.write | access.fill);
        this.#store(instruction.pointer, instruction.value);
        break;
      case 'cmpxchg':
        this.#load(instruction.pointer, instruction.expected.type, access.read | access.write);
        this.#store(instruction.pointer, instruction.replacement);
        break;
      case 'atomicrmw':
        this.#load(instruction.pointer, instruction.type, access.read | access.write | access.fill);
        this.#store(instruction.pointer, instruction.value);
        break;
      case 'getelementptr':
        this.#flow(instruction.pointer, moveOf(this.#layout, instruction.stepsOver, instruction.indices));
        break;
      case 'cast':
        if (pointerCasts.has(instruction.operator)) this.#flow(instruction.value);
        break;
      case 'binary':
        this.#noteBinary(instruction.operator, instruction.left, instruction.right);
        break;
      case 'freeze':
        this.#flow(instruction.value);
        break;
      case 'phi':
        for (const { value } of instruction.incoming) this.#flow(value);
        break;
      case 'select':
        this.#flow(instruction.then);
        this.#flow(instruction.otherwise);
        break;
      case 'extractvalue':
        this.#flow(instruction.aggregate);
        break;
      case 'insertvalue':
        this.#flow(instruction.aggregate);
        this.#flow(instruction.element);
        break;
      case 'extractelement':
        this.#flow(instruction.vector);
        break;
      case 'insertelement':
        this.#flow(instruction.vector);
        this.#flow(instruction.element);
        break;
      case 'shufflevector':
        this.#flow(instruction.left);
        this.#flow(instruction.right);
        break;
      case 'va_arg':
        this.#noteVariadicArgument(instruction.list);
        break;
      case 'landingpad':
        this.#noteLandingPad();
        break;
      case 'ret': {
        const node = this.#node(instruction.value);
        if (node !== undefined) this.#pointsTo.copy(node, this.#slots.result);
        break;
      }
      case 'unknown':
        this.#noteUnknown(instruction.text);
        break;
    }
  }

  #noteAlloca(allocated: Type, count: Value | undefined, name: string | undefined): void {
    const times = count === undefined ? 1 : count.kind === 'integer' ? Number(count.value) : unlimited;
    const { locations } = this.#pointsTo;
    const object = locations.add({
      kind: 'local',
      name: `${this.fn.declared.name} %${name ?? ''}`,
      size: this.#layout.strideBytes(allocated) * times || unlimited,
      owner: this.fn.id,
      // The entry block runs once per activation.
      isSingle: this.#block === 0,
    });
    this.#pointsTo.point(this.#result, locations.at(object, start));
  }

  /** Integers may hold pointers. If the other operand is constant, the new offset is exact. */
  #noteBinary(operator: BinaryOperator, left: Value, right: Value): void {
    if (nonPointerOperators.has(operator)) return;
    // Parts of a pointer may be combined again, but never by arithmetic.
    const isNarrow = this.#layout.storedBytes(left.type) < this.#layout.pointerBytes;
    if (isNarrow && arithmeticOperators.has(operator)) return;
    if (operator === 'add' || operator === 'sub') {
      const [pointer, by] = left.kind === 'integer' ? [right, left] : [left, right];
      if (by.kind === 'integer') {
        const sign = operator === 'sub' ? -1 : 1;
        this.#flow(pointer, { by: single(sign * Number(by.value)), isFree: false });
        return;
      }
    }
    this.#flow(left, anyMove);
    // The distance of two pointers is no pointer, and the subtrahend is no target.
    if (operator !== 'sub') this.#flow(right, anyMove);
  }

  #noteVariadicArgument(list: Value): void {
    const node = this.#node(list);
    if (node === undefined) return;
    const cursor = this.#pointsTo.newNode();
    this.#pointsTo.load(node, unlimited, cursor);
    this.#pointsTo.load(cursor, unlimited, this.#result);
    this.#addAccess(node, unlimited, access.read | access.write);
    this.#addAccess(cursor, unlimited, access.read);
  }

  #noteLandingPad(): void {
    this.#catches = true;
    const thrown = this.#pointsTo.newNode();
    const { locations } = this.#pointsTo;
    this.#pointsTo.point(thrown, locations.at(this.context.binding.state('exceptions'), anywhere));
    this.#pointsTo.load(thrown, unlimited, this.#result);
    this.#addAccess(thrown, unlimited, access.read);
  }

  #noteCall({ callee, arguments: values, byValue, functionType }: CallParts): void {
    const register = this.#register(callee);
    if (register !== noRegister) this.#operands.push(register);
    const bytes = Array.from(byValue, ([at, type]) => [at, this.#layout.strideBytes(type)] as const);
    const call = this.#newCall(values, bytes.length === 0 ? noByValue : new Map(bytes));
    const name = calledName(callee);
    const { binding, program } = this.context;
    if (name !== undefined) {
      const meant = program.choices(this.#module, name);
      if (meant.length === 0) binding.bindExternal(call, name);
      for (const { id } of meant) binding.bindProgram(call, id, undefined);
    } else if (callee.kind === 'asm') {
      // Assembly without side effects and pointers only computes.
      const isPlain = !callee.hasSideEffects && !values.some(({ type }) => type.kind === 'pointer');
      binding.bindExternal(call, isPlain && functionType.result.kind !== 'pointer' ? 'llvm.asm' : 'asm');
    } else {
      const node = this.#node(callee);
      if (node !== undefined) this.#pointsTo.whenCalled(node, (object) => binding.bind(call, object));
    }
  }

  #newCall(values: readonly Value[], byValue: ReadonlyMap<number, number>): Call {
    const call: Call = {
      caller: this.fn.id,
      at: this.#at,
      arguments: values.map((value) => this.#node(value)),
      registers: values.map((value) => this.#register(value)),
      byValue,
      classes: values.map(({ type }) => classOf(type)).join(''),
      constants: values.map((value) => (value.kind === 'integer' ? Number(value.value) : undefined)),
      result: this.#result,
      callees: new Map(),
      runsAtEnd: [],
      accesses: [],
      isExternal: false,
      isUnknown: false,
      isOutput: false,
      mayThrow: false,
    };
    this.#calls.push(call);
    return call;
  }

  /** An unreadable instruction may do anything with the names in its text. */
  #noteUnknown(text: string): void {
    const type: Type = { kind: 'pointer', to: undefined, space: 0 };
    const names = [...text.matchAll(/%([-\w$.]+|"[^"]*")/g)].map(([, name = '']) => name.replaceAll('"', ''));
    const values: readonly Value[] = [
      ...names.map((name) => ({ kind: 'local' as const, type, name })),
      ...readUnknown(text).names.map((name) => ({ kind: 'global' as const, type, name })),
    ];
    this.context.binding.bindExternal(this.#newCall(values, noByValue), text);
  }
}
