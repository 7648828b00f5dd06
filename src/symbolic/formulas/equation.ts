/** The effect of an executed instruction as a formula over bit-vectors. */

import { Opcode, type Step } from '../code.js';
import { type Instance, nowhere } from '../instances.js';
import type { WrittenBytes } from '../memory.js';
import type { Origins } from '../origins.js';
import { plainCasts } from '../values/big-integers.js';
import { bitsOfValue, fitted, literal } from './bits.js';
import { floatComparison, floatTerm, isNaNBits } from './float-terms.js';
import { type Byte, libraryConstraint } from './library-constraints.js';

export interface ExecutedRun {
  stepOf(instance: Instance): Step;
  bitsIn(instance: Instance): bigint;
  operandsOf(instance: Instance): readonly Instance[];
  gateOf(instance: Instance): Instance;
  operandValue(instance: Instance, operand: number): bigint | undefined;
  originsOf(instance: Instance): Origins;
  addressOf(instance: Instance): bigint | undefined;
  calledOutside(instance: Instance): string | undefined;
  /** By argument, the bytes that a library function with known constraints read. */
  textsOf(instance: Instance): readonly (readonly number[])[] | undefined;
}

/**
 * A formula that holds in the run. Together with the equations of the instances it uses, it determines the value of
 * an instance.
 */
export interface Equation {
  readonly text: string;
  readonly uses: readonly Instance[];
}

/** Predicates of `icmp` that are operators of SMT-LIB with `bv` in front, as all integer operators are. */
const orderings = /^[us][lg][te]$/;

const shifts: ReadonlySet<string> = new Set(['shl', 'lshr', 'ashr']);

type OperandTerm = (at: number, bits: number) => string;

/**
 * Instances of a replay as equations. An instance with a number of up to 64 bits is the constant `v` followed by its
 * number. Any other instance, such as a copy of memory, is the Boolean constant `w` followed by its number: it had
 * the effect that it had in the run.
 */
export class Equations {
  constructor(private readonly run: ExecutedRun) {}

  bitsOf(instance: Instance): number | undefined {
    return bitsOfValue(this.run.stepOf(instance));
  }

  declaration(instance: Instance): string {
    const bits = this.bitsOf(instance);
    return bits === undefined
      ? `(declare-const w${instance} Bool)`
      : `(declare-const v${instance} (_ BitVec ${bits}))`;
  }

  observed(instance: Instance): string {
    const bits = this.bitsOf(instance);
    return bits === undefined
      ? `w${instance}`
      : `(= v${instance} ${literal(this.run.bitsIn(instance), bits)})`;
  }

  /** Defines the value from the values it was computed from. */
  of(instance: Instance): Equation {
    const step = this.run.stepOf(instance);
    const bits = this.bitsOf(instance);
    if (step.opcode === Opcode.load || step.opcode === Opcode.privateLoad)
      return this.#loadEquation(instance, step, bits);
    if (step.opcode === Opcode.phi) return this.#phiEquation(instance, bits);
    const uses = new Set<Instance>();
    const operand: OperandTerm = (at, width) => {
      const definition = this.run.operandsOf(instance)[at] ?? nowhere;
      const has = definition > nowhere ? this.bitsOf(definition) : undefined;
      if (has === undefined) return literal(this.run.operandValue(instance, at) ?? 0n, width);
      uses.add(definition);
      return fitted(`v${definition}`, has, width);
    };
    const hasTerm = bits !== undefined && !(isFloat(step) && isNaNBits(this.run.bitsIn(instance), bits));
    const term = hasTerm ? this.#term(instance, step, bits, operand) : undefined;
    if (term === undefined)
      return this.#libraryEquation(instance, step, bits, operand) ?? this.#concreteEquation(instance, step);
    return { text: `(= v${instance} ${term})`, uses: [...uses] };
  }

  /** The constraints of a library function in addition to its concrete result; undefined if unknown. */
  #libraryEquation(
    instance: Instance,
    step: Step,
    bits: number | undefined,
    operand: OperandTerm,
  ): Equation | undefined {
    const [name, read] = [this.run.calledOutside(instance), this.run.textsOf(instance)];
    if (name === undefined || read === undefined || bits === undefined) return undefined;
    const { writers, copies } = this.run.originsOf(instance);
    const uses = new Set<Instance>();
    const fixed = new Set(copies);
    let offset = 0;
    const texts = read.map((bytes, at) => {
      // The address it reads, and the beginning of a text, are fixed to those in the run.
      fixed.add(this.run.operandsOf(instance)[at + 1] ?? nowhere);
      return bytes.map((value): Byte => {
        const here = offset++;
        const piece = writers.find((run) => run.offset <= here && here < run.offset + run.length);
        return { value, term: this.#byteTerm(piece, here, value, uses, fixed) };
      });
    });
    const holds = libraryConstraint(name, {
      ...{ result: `v${instance}`, bits, texts },
      argument: (at, width) => operand(at + 1, width),
      observed: (at) => this.run.operandValue(instance, at + 1) ?? 0n,
    });
    if (holds === undefined) return undefined;
    const concrete = this.#concreteEquation(instance, step);
    const text = `(and ${concrete.text} ${this.#ifObserved(fixed, holds)})`;
    return { text, uses: instancesIn([...concrete.uses, ...uses, ...fixed]) };
  }

  /**
   * A byte in memory as a term. A byte from untraced code is the one in the run, provided that the code had the same
   * effect.
   */
  #byteTerm(
    piece: WrittenBytes | undefined,
    offset: number,
    value: number,
    uses: Set<Instance>,
    fixed: Set<Instance>,
  ): string {
    const writer = piece?.writer ?? nowhere;
    const stored = piece && this.#storedBits({ ...piece, address: piece.address + offset - piece.offset }, 8);
    if (stored === undefined) {
      fixed.add(writer);
      return literal(BigInt(value), 8);
    }
    if (this.run.stepOf(writer).opcode === Opcode.store) fixed.add(this.run.operandsOf(writer)[1] ?? nowhere);
    uses.add(writer);
    return stored;
  }

  /** The result as a term; undefined if the solver has no operator for it. */
  #term(instance: Instance, step: Step, bits: number, operand: OperandTerm): string | undefined {
    switch (step.opcode) {
      case Opcode.integer:
        // A shift by the width or more is undefined in C and machine dependent.
        if (shifts.has(step.kind) && (this.run.operandValue(instance, 1) ?? 0n) >= BigInt(bits))
          return undefined;
        return `(bv${step.kind} ${operand(0, bits)} ${operand(1, bits)})`;
      case Opcode.compareIntegers: {
        const [left, right] = [operand(0, step.bits), operand(1, step.bits)];
        if (step.kind === 'eq') return asBit(`(= ${left} ${right})`);
        if (step.kind === 'ne') return asBit(`(distinct ${left} ${right})`);
        return orderings.test(step.kind) ? asBit(`(bv${step.kind} ${left} ${right})`) : undefined;
      }
      case Opcode.float:
        return floatTerm(step.kind, bits, [operand(0, bits), operand(1, bits)]);
      case Opcode.compareFloats: {
        const holds = floatComparison(step.kind, step.bits, operand(0, step.bits), operand(1, step.bits));
        return holds && asBit(holds);
      }
      case Opcode.negate:
        return `(bvxor ${operand(0, bits)} ${literal(1n << BigInt(bits - 1), bits)})`;
      case Opcode.cast:
        return castTerm(step, bits, operand);
      case Opcode.copy:
      case Opcode.privateStore:
      case Opcode.store:
      case Opcode.return:
        return operand(0, bits);
      case Opcode.select:
        return `(ite (= ${operand(0, 1)} #b1) ${operand(1, bits)} ${operand(2, bits)})`;
      case Opcode.element:
        return addressTerm(step, operand);
      case Opcode.intrinsic:
        return step.kind === 'same' ? operand(1, bits) : undefined;
      default:
        return undefined;
    }
  }

  /** A phi has the value of its operand, provided that the branch before it went the same way. */
  #phiEquation(instance: Instance, bits: number | undefined): Equation {
    const [operand = nowhere] = this.run.operandsOf(instance);
    const gate = this.run.gateOf(instance);
    const decided = gate > nowhere ? (this.run.operandsOf(gate)[0] ?? nowhere) : nowhere;
    const has = operand > nowhere ? this.bitsOf(operand) : undefined;
    const text =
      bits === undefined || has === undefined
        ? this.observed(instance)
        : `(= v${instance} ${fitted(`v${operand}`, has, bits)})`;
    const fixed = [decided, ...(has === undefined ? [operand] : [])];
    return { text: this.#ifObserved(fixed, text), uses: instancesIn([operand, decided]) };
  }

  /** A load concatenates the stored bytes, provided that it and the stores use the addresses of the run. */
  #loadEquation(instance: Instance, step: Step, bits: number | undefined): Equation {
    const { writers, copies } = this.run.originsOf(instance);
    if (bits === undefined) return this.#concreteEquation(instance, step);
    const uses = new Set<Instance>(copies);
    const fixed = new Set<Instance>(copies);
    const fix = (used: Instance): void => {
      if (!uses.has(used)) fixed.add(used);
      uses.add(used);
    };
    if (step.opcode === Opcode.load) fix(this.run.operandsOf(instance)[0] ?? nowhere);
    const value = this.run.bitsIn(instance);
    // The last bytes come first in a concatenation.
    const terms = writers.toReversed().map((piece) => {
      const { offset, length, writer } = piece;
      const width = step.opcode === Opcode.privateLoad ? bits : Math.min(length * 8, bits - offset * 8);
      const stored = this.#storedBits(piece, width);
      if (stored === undefined) {
        // Untraced code wrote the value of the run, provided that it had the same effect.
        fix(writer);
        return literal(value >> BigInt(offset * 8), width);
      }
      if (this.run.stepOf(writer).opcode === Opcode.store) fix(this.run.operandsOf(writer)[1] ?? nowhere);
      uses.add(writer);
      return stored;
    });
    const whole = terms.length === 1 ? (terms[0] ?? '') : `(concat ${terms.join(' ')})`;
    return { text: this.#ifObserved(fixed, `(= v${instance} ${whole})`), uses: instancesIn(uses) };
  }

  /** The bits that a store wrote from an address on; undefined if the writer is no store or wrote fewer. */
  #storedBits({ address, writer }: WrittenBytes, width: number): string | undefined {
    if (writer <= nowhere) return undefined;
    const { opcode } = this.run.stepOf(writer);
    const bits = this.bitsOf(writer);
    if (bits === undefined) return undefined;
    if (opcode === Opcode.privateStore) return fitted(`v${writer}`, bits, width);
    if (opcode !== Opcode.store) return undefined;
    const within = (address - Number(this.run.addressOf(writer) ?? 0n)) * 8;
    const padded = paddedBits(bits);
    if (within < 0 || within + width > padded) return undefined;
    const whole = fitted(`v${writer}`, bits, padded);
    return width === padded ? whole : `((_ extract ${within + width - 1} ${within}) ${whole})`;
  }

  /** The value is the one in the run if everything it was read from is. */
  #concreteEquation(instance: Instance, step: Step): Equation {
    const { writers, copies } = this.run.originsOf(instance);
    // The address of memory does not depend on its contents.
    const uses = isAllocation(step)
      ? []
      : instancesIn([...this.run.operandsOf(instance), ...writers.map(({ writer }) => writer), ...copies]);
    return { text: this.#ifObserved(uses, this.observed(instance)), uses };
  }

  /** A fact that holds if some instances have the values of the run. */
  #ifObserved(instances: Iterable<Instance>, fact: string): string {
    const given = instancesIn(instances).map((instance) => this.observed(instance));
    return given.length === 0 ? fact : `(=> (and ${given.join(' ')}) ${fact})`;
  }
}

/** Each instance once, without `nowhere`. */
function instancesIn(instances: Iterable<Instance>): readonly Instance[] {
  return [...new Set(instances)].filter((instance) => instance > nowhere);
}

/** NaN has many representations, but only one in the solver. */
function isFloat({ opcode, kind }: Step): boolean {
  return opcode === Opcode.float || (opcode === Opcode.cast && (kind === 'fpext' || kind === 'fptrunc'));
}

function isAllocation({ opcode }: Step): boolean {
  return opcode === Opcode.privateAlloca || opcode === Opcode.frameAlloca;
}

function asBit(holds: string): string {
  return `(ite ${holds} #b1 #b0)`;
}

function paddedBits(bits: number): number {
  return Math.ceil(bits / 8) * 8;
}

function castTerm({ kind, bits: from }: Step, bits: number, operand: OperandTerm): string | undefined {
  const value = operand(0, from);
  if (kind === 'sext') return `((_ sign_extend ${bits - from}) ${value})`;
  return plainCasts.has(kind) ? fitted(value, from, bits) : floatTerm(kind, bits, [value], from);
}

function addressTerm({ bytes, strides, targets }: Step, operand: OperandTerm): string {
  const terms = strides.map((stride, at) => {
    const width = targets[at] ?? 64;
    const index = operand(at + 1, width);
    const wide = width < 64 ? `((_ sign_extend ${64 - width}) ${index})` : index;
    return stride === 1 ? wide : `(bvmul ${wide} ${literal(BigInt(stride), 64)})`;
  });
  const parts = [operand(0, 64), ...(bytes === 0 ? [] : [literal(BigInt(bytes), 64)]), ...terms];
  return parts.length === 1 ? (parts[0] ?? '') : `(bvadd ${parts.join(' ')})`;
}
