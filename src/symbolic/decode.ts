/** Decodes the IR of a function into the steps of a replay. */

import {
  type FunctionPlan,
  isComputed,
  leavesOf,
  recordingOf,
  type ScalarLeaf,
} from '../program/compile/index.js';
import {
  calledName,
  type Instruction,
  nestedValues,
  operandsOf,
  type Type,
  targetsOf,
  type Value,
} from '../program/ir/index.js';
import { type BlockCode, type FunctionCode, Opcode, type Phi, type Step } from './code.js';
import { bitsOf, constantBits } from './constants.js';
import type { ModuleImage } from './module-image.js';
import type { Registers } from './registers.js';
import { elementOffset } from './values/element-offset.js';
import { highOfBig, lowOfBig } from './values/integers.js';
import type { WideValues } from './values/wide-values.js';

export interface DecodeContext {
  readonly registers: Registers;
  readonly wides: WideValues;
  readonly steps: Step[];
}

export function decodeFunction(image: ModuleImage, plan: FunctionPlan, context: DecodeContext): FunctionCode {
  return new Decoder(image, plan, context).decode();
}

type Draft = Partial<Omit<Step, 'number' | 'code' | 'operands'>> & { readonly values?: readonly Value[] };

const integerOperators = new Set('add sub mul udiv sdiv urem srem shl lshr ashr and or xor'.split(' '));

/** Intrinsics that the replay executes. The others have no visible effect. */
function intrinsicKind(name: string): string {
  if (/^llvm\.mem(?:cpy|move)\./.test(name)) return 'copy';
  if (name.startsWith('llvm.memset.')) return 'fill';
  if (name.startsWith('llvm.expect.')) return 'same';
  return '';
}

function exchangedType(instruction: Instruction): Type {
  if (instruction.op === 'cmpxchg') return instruction.expected.type;
  return instruction.op === 'atomicrmw' ? instruction.value.type : instruction.type;
}

const noCases: ReadonlyMap<number, number> = new Map();

class Decoder {
  readonly #registers = new Map<string, number>();
  readonly #slots = new Map<string, number>();
  readonly #threadLocals: { register: number; name: string; offset: bigint }[] = [];
  readonly #blocks: ReadonlyMap<string, number>;
  readonly #steps: Step[] = [];
  readonly #pads: number[] = [];
  readonly #jumpCalls: number[] = [];
  #registerCount = 0;
  #block = 0;
  /** Filled last, because the steps refer to it. */
  readonly #code = {} as { -readonly [Field in keyof FunctionCode]: FunctionCode[Field] };

  constructor(
    private readonly image: ModuleImage,
    private readonly plan: FunctionPlan,
    private readonly context: DecodeContext,
  ) {
    this.#blocks = new Map(plan.blocks.map(({ label }, at) => [label, at]));
  }

  decode(): FunctionCode {
    const { plan, image } = this;
    for (const { name = '' } of plan.fn.parameters) this.#registers.set(name, this.#registerCount++);
    for (const { instructions, terminator } of plan.blocks)
      for (const { result, op } of [...instructions, terminator]) {
        if (result === undefined) continue;
        this.#registers.set(result, this.#registerCount++);
        if (op === 'alloca' && plan.privates.has(result)) this.#slots.set(result, this.#registerCount++);
      }
    const parameters = plan.fn.parameters.map(({ type, byValue }, parameter) =>
      this.#step(undefined, {
        opcode: Opcode.parameter,
        parameter,
        result: parameter,
        bits: bitsOf(type),
        bytes: byValue === undefined ? 0 : image.plan.layout.strideBytes(byValue),
        leaves: this.#leaves(type),
      }),
    );
    this.#steps.push(this.#step(undefined, { opcode: Opcode.enter }));
    const blocks = plan.blocks.map(({ label, instructions, terminator }, at): BlockCode => {
      this.#block = at;
      const phis: Phi[] = [];
      const start = at === 0 ? 0 : this.#steps.length;
      if (plan.landings.has(label))
        this.#steps.push(this.#step(undefined, { opcode: Opcode.enterPad, bytes: at }));
      for (const instruction of [...instructions, terminator]) {
        if (instruction.op === 'debug') continue;
        if (instruction.op === 'phi') phis.push(this.#phi(instruction));
        else this.#add(instruction);
      }
      return { label, start, phis };
    });
    return Object.assign(this.#code, {
      image,
      plan,
      steps: this.#steps,
      parameters,
      blocks,
      registers: this.#registerCount,
      threadLocals: this.#threadLocals,
      pads: this.#pads,
      jumpCalls: this.#jumpCalls,
    });
  }

  #add(instruction: Instruction): void {
    const draft = this.#draft(instruction);
    if (instruction.op === 'landingpad') this.#pads.push(this.#steps.length);
    if (draft.opcode === Opcode.jumpCall) this.#jumpCalls.push(this.#steps.length);
    this.#steps.push(this.#step(instruction, draft));
  }

  #step(instruction: Instruction | undefined, draft: Draft): Step {
    const { values = instruction === undefined ? [] : operandsOf(instruction) } = draft;
    const step: Step = {
      number: this.context.steps.length,
      code: this.#code,
      opcode: draft.opcode ?? Opcode.nothing,
      instruction,
      parameter: draft.parameter ?? 0,
      block: this.#block,
      result: draft.result ?? this.#registers.get(instruction?.result ?? '') ?? -1,
      operands: Int32Array.from(values, (value) => this.#operand(value)),
      kind: draft.kind ?? '',
      bits: draft.bits ?? 64,
      bytes: draft.bytes ?? 0,
      strides: draft.strides ?? [],
      leaves: draft.leaves ?? [],
      targets: draft.targets ?? [],
      cases: draft.cases ?? noCases,
      isLast: draft.isLast ?? false,
      isOutside: draft.isOutside ?? false,
    };
    this.context.steps.push(step);
    return step;
  }

  #leaves(type: Type): readonly ScalarLeaf[] {
    return leavesOf(type, this.image.plan.layout) ?? [];
  }

  #draft(instruction: Instruction): Draft {
    const { layout } = this.image.plan;
    const recording = recordingOf(instruction, this.plan);
    const targets = this.#targets(instruction);
    switch (instruction.op) {
      case 'alloca':
        return this.#alloca(instruction, recording === 'stack');
      case 'load': {
        const slot = recording === 'nothing' ? this.#slotOf(instruction.pointer) : undefined;
        if (slot !== undefined) return { opcode: Opcode.privateLoad, bytes: slot };
        const shape = { bits: bitsOf(instruction.type), bytes: layout.storedBytes(instruction.type) };
        const leaves = this.#leaves(instruction.type);
        const strides = this.#leafOffsets(instruction.type, leaves);
        const opcode = isComputed(instruction.type) ? Opcode.load : Opcode.wideLoad;
        return { opcode, ...shape, leaves, strides };
      }
      case 'store': {
        const slot = this.#slotOf(instruction.pointer);
        if (slot !== undefined) return { opcode: Opcode.privateStore, bytes: slot };
        const { type } = instruction.value;
        const bytes = layout.storedBytes(type);
        return isComputed(type)
          ? { opcode: Opcode.store, bytes }
          : { opcode: Opcode.wideStore, bytes, leaves: this.#leaves(type), strides: this.#leafOffsets(type) };
      }
      case 'binary':
        if (recording !== 'nothing') break;
        return {
          opcode: integerOperators.has(instruction.operator) ? Opcode.integer : Opcode.float,
          kind: instruction.operator,
          bits: bitsOf(instruction.type),
        };
      case 'compare':
        if (recording !== 'nothing') break;
        return {
          opcode: instruction.operator === 'icmp' ? Opcode.compareIntegers : Opcode.compareFloats,
          kind: instruction.predicate,
          bits: bitsOf(instruction.left.type),
        };
      case 'cast':
        if (recording !== 'nothing') break;
        return {
          opcode: Opcode.cast,
          kind: instruction.operator,
          bits: bitsOf(instruction.value.type),
          bytes: bitsOf(instruction.type),
        };
      case 'fneg':
        if (recording === 'nothing') return { opcode: Opcode.negate, bits: bitsOf(instruction.type) };
        break;
      case 'freeze':
      case 'select':
        if (recording !== 'nothing') break;
        return { opcode: instruction.op === 'select' ? Opcode.select : Opcode.copy };
      case 'getelementptr': {
        const offset = elementOffset(layout, instruction.stepsOver, instruction.indices);
        const terms = offset?.terms ?? [];
        return {
          opcode: Opcode.element,
          bytes: offset?.constant ?? 0,
          strides: terms.map(({ stride }) => stride),
          values: [instruction.pointer, ...terms.map(({ index }) => index)],
          targets: terms.map(({ index }) => bitsOf(index.type)),
        };
      }
      case 'extractvalue':
      case 'insertvalue': {
        const whole = this.#leaves(instruction.aggregate.type);
        const isPart = (leaf: ScalarLeaf): boolean =>
          instruction.path.every((index, at) => leaf.path[at] === index);
        return {
          opcode: instruction.op === 'extractvalue' ? Opcode.extract : Opcode.insert,
          bytes: whole.findIndex(isPart),
          bits: whole.length,
          leaves: whole.filter(isPart),
        };
      }
      case 'call':
      case 'invoke': {
        const name = calledName(instruction.callee) ?? '';
        if (recording === 'nothing') return { opcode: Opcode.intrinsic, kind: intrinsicKind(name), targets };
        const leaves = this.#leaves(instruction.type);
        if (recording === 'jump') return { opcode: Opcode.jumpCall, targets, leaves };
        if (recording !== 'call') break;
        const isOutside = this.image.plan.inlinedCopies.has(name);
        return { opcode: Opcode.call, targets, isLast: this.#neverReturns(instruction), isOutside, leaves };
      }
      case 'landingpad':
        return { opcode: Opcode.landingPad, values: [], leaves: this.#leaves(instruction.type) };
      case 'br':
        return { opcode: Opcode.jump, targets };
      case 'branch': {
        const to = [instruction.then, instruction.otherwise].map((label) => this.#blocks.get(label) ?? 0);
        return { opcode: Opcode.branch, targets: to };
      }
      case 'switch':
        return { opcode: Opcode.switch, targets, cases: this.#cases(instruction) };
      case 'indirectbr':
        return { opcode: Opcode.indirectJump, targets };
      case 'ret':
        return { opcode: Opcode.return };
      case 'resume':
        return { opcode: Opcode.resume };
      case 'unreachable':
        return { opcode: Opcode.unreachable };
    }
    if (recording === 'nothing') return { opcode: Opcode.nothing };
    return {
      opcode: Opcode.recorded,
      leaves: this.#leaves(instruction.type),
      bits: bitsOf(instruction.type),
      // The size of the memory that an atomic instruction changes.
      bytes: 'pointer' in instruction ? layout.storedBytes(exchangedType(instruction)) : 0,
      targets,
    };
  }

  #cases(instruction: Extract<Instruction, { readonly op: 'switch' }>): ReadonlyMap<number, number> {
    const bits = bitsOf(instruction.value.type);
    return new Map(
      instruction.cases.flatMap(({ value, target }) =>
        value.kind === 'integer'
          ? [[Number(BigInt.asUintN(bits, value.value)), this.#blocks.get(target) ?? 0] as const]
          : [],
      ),
    );
  }

  #alloca(instruction: Extract<Instruction, { readonly op: 'alloca' }>, isRecorded: boolean): Draft {
    const { result: name = '', allocated, count } = instruction;
    const slot = this.#slots.get(name);
    if (slot !== undefined) return { opcode: Opcode.privateAlloca, bytes: slot };
    const offset = this.plan.offsets.get(name);
    const many = count === undefined ? 1 : count.kind === 'integer' ? Number(count.value) : 0;
    const bits = this.image.plan.layout.strideBytes(allocated) * many * 8;
    return isRecorded || offset === undefined
      ? { opcode: Opcode.stackAlloca, bits }
      : { opcode: Opcode.frameAlloca, bytes: offset, bits };
  }

  #leafOffsets(type: Type, leaves = this.#leaves(type)): readonly number[] {
    const { layout } = this.image.plan;
    return leaves.map(({ path }) => {
      let [offset, at] = [0, layout.resolved(type)];
      for (const index of path) {
        if (at.kind === 'struct') {
          offset += layout.fieldOffset(at, index);
          at = layout.resolved(at.fields[index] ?? at);
        } else if (at.kind === 'array') {
          offset += layout.strideBytes(at.of) * index;
          at = layout.resolved(at.of);
        }
      }
      return offset;
    });
  }

  #slotOf(pointer: Value): number | undefined {
    return pointer.kind === 'local' ? this.#slots.get(pointer.name) : undefined;
  }

  #targets(instruction: Instruction): readonly number[] {
    const terminator = this.plan.blocks[this.#block]?.terminator;
    if (terminator !== instruction) return [];
    return targetsOf(terminator).map((label) => this.#blocks.get(label) ?? 0);
  }

  #neverReturns(instruction: Extract<Instruction, { readonly op: 'call' | 'invoke' }>): boolean {
    const { blocks } = this.plan;
    const here = blocks[this.#block];
    if (instruction.op === 'invoke') {
      const next = blocks[this.#blocks.get(instruction.normal) ?? 0];
      return next?.terminator.op === 'unreachable' && next.instructions.length === 0;
    }
    return here?.terminator.op === 'unreachable' && here.instructions.at(-1) === instruction;
  }

  #phi(instruction: Extract<Instruction, { readonly op: 'phi' }>): Phi {
    const step = this.#step(instruction, { opcode: Opcode.phi, values: [] });
    const operands = new Map(
      instruction.incoming.map(
        ({ value, block }) => [this.#blocks.get(block) ?? 0, this.#operand(value)] as const,
      ),
    );
    return { step, operands };
  }

  #operand(value: Value): number {
    if (value.kind === 'local')
      return this.#registers.get(value.name) ?? this.context.registers.constant(0, 0);
    const local = this.#threadLocal(value);
    if (local !== undefined) return local;
    if (!isComputed(value.type) && value.kind !== 'metadata' && value.kind !== 'asm') {
      const leaves = leavesOf(value.type, this.image.plan.layout);
      if (leaves !== undefined) return this.#wide(value, leaves);
    }
    const bits = this.#constantBits(value);
    return this.context.registers.constant(lowOfBig(bits), highOfBig(bits));
  }

  #constantBits(value: Value): bigint {
    return constantBits(value, this.image.plan.layout, (name) => this.image.addressOf(name)) ?? 0n;
  }

  /** A constant aggregate or vector. Only its scalars matter, and most are zero. */
  #wide(value: Value, leaves: readonly ScalarLeaf[]): number {
    const parts = leaves.map(({ path }) => {
      let part: Value | undefined = value;
      for (const index of path) part = part?.kind === 'aggregate' ? part.elements[index] : undefined;
      return part === undefined || !isComputed(part.type) ? 0n : this.#constantBits(part);
    });
    const { registers, wides } = this.context;
    return registers.constant(wides.add(parts), 0);
  }

  /** A thread-local variable, or an address inside one. Its address becomes known at function entry. */
  #threadLocal(value: Value): number | undefined {
    const { threadLocals } = this.plan;
    if (threadLocals.length === 0) return undefined;
    let name: string | undefined;
    for (const part of nestedValues(value))
      if (part.kind === 'global' && threadLocals.includes(part.name)) name = part.name;
    if (name === undefined) return undefined;
    const found = name;
    const offset = constantBits(value, this.image.plan.layout, (other) =>
      other === found ? 0n : this.image.addressOf(other),
    );
    const register = this.#registerCount++;
    this.#threadLocals.push({ register, name, offset: offset ?? 0n });
    return register;
  }
}
