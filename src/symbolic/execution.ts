/** The state of a replay: registers, memory, active calls, and all instances so far. */

import { Fault } from '../machine/index.js';
import type { Activation, PastFrame } from './activation.js';
import type { FunctionCode, Step } from './code.js';
import { type DecodeContext, decodeFunction } from './decode.js';
import type { ProgramImage } from './image.js';
import { type Instance, Instances, nowhere } from './instances.js';
import { Memory, type WrittenBytes } from './memory.js';
import type { ShownWord } from './printed-values.js';
import { RecordedValues } from './recorded-values.js';
import { Registers } from './registers.js';
import { events, type Stream } from './stream.js';
import { Integers, unsignedNumber } from './values/integers.js';
import { WideValues } from './values/wide-values.js';

export type ReplayEnd =
  /** The record ends: the program or the thread ended, or was killed. */
  | { readonly kind: 'end' }
  | { readonly kind: 'signal'; readonly signal: number; readonly address: number }
  | { readonly kind: 'full' }
  | { readonly kind: 'limit' }
  | { readonly kind: 'divergence'; readonly fault: Fault };

/** Number of calls of untraced code to search for the possible writer of an address. */
const searchedWriters = 64;
/** Greatest distance of an address from an argument of its writer. */
const nearbyBytes = 1 << 12;

/** The highest operand that stands for several writers: an index into `mixtures`, counted downwards. */
export const firstMixture = -2;

/** Implements an opcode. It advances its activation, unless the step has to be repeated. */
export type Executor = readonly [opcode: number, execute: Execute];

export type Execute = (execution: Execution, activation: Activation, step: Step) => void;

export class Execution {
  readonly instances = new Instances();
  readonly registers = new Registers();
  readonly wides = new WideValues();
  readonly decodeContext: DecodeContext = { registers: this.registers, wides: this.wides, steps: [] };
  readonly frames: PastFrame[] = [];
  /** Instructions that a signal interrupted. They have no value. */
  readonly interrupted = new Set<Instance>();
  readonly outputs: Instance[] = [];
  readonly shown = new Map<Instance, readonly ShownWord[]>();
  /** Writers of the bytes that an instance read, if there are several. */
  readonly mixtures: (readonly WrittenBytes[])[] = [];
  /** For calls and copies, the bytes they read. */
  readonly reads = new Map<Instance, readonly WrittenBytes[]>();
  /** By argument, the bytes that library functions with known constraints read. */
  readonly texts = new Map<Instance, readonly (readonly number[])[]>();
  /** The target addresses of instances that copy memory. */
  readonly copies = new Map<Instance, number>();
  readonly outsideNames = new Map<Instance, string>();
  /** Calls of untraced code that may have written anywhere, with their arguments. */
  readonly possibleWriters: { readonly instance: Instance; readonly given: readonly number[] }[] = [];
  readonly active: Activation[] = [];
  readonly integers = new Integers();
  readonly memory = new Memory({
    outsideWriter: (address, after, isSure) => this.#outsideWriter(address, after, isSure),
    initialBytes: (from, to, onByte) => this.image.initialBytes(from, to, onByte),
  });
  readonly values: RecordedValues;
  /** Number of activations so far that a jump or an exception can return to. */
  returnNumbers = 0;
  end: ReplayEnd | undefined;
  readonly #codes = new Map<number, FunctionCode | undefined>();

  constructor(
    readonly stream: Stream,
    readonly image: ProgramImage,
    stackReference: bigint,
  ) {
    this.values = new RecordedValues(stream, this.wides, stackReference);
  }

  registerOf(activation: Activation, operand: number): number {
    return operand >= 0 ? activation.base + operand : ~operand;
  }

  operandRegister(activation: Activation, step: Step, operand: number): number {
    return this.registerOf(activation, step.operands[operand] ?? 0);
  }

  operandLow(activation: Activation, step: Step, operand: number): number {
    return this.registers.lows[this.operandRegister(activation, step, operand)] ?? 0;
  }

  /** An operand as an unsigned number, such as an address or a length. */
  operandNumber(activation: Activation, step: Step, operand: number): number {
    const place = this.operandRegister(activation, step, operand);
    return unsignedNumber(this.registers.lows[place] ?? 0, this.registers.highs[place] ?? 0);
  }

  begin(activation: Activation, step: Step): Instance {
    const { instances } = this;
    const instance = instances.add(step.number, activation.number);
    const { operands } = step;
    const { definitions } = this.registers;
    for (let at = 0; at < operands.length; at++)
      instances.addOperand(definitions[this.registerOf(activation, operands[at] ?? 0)] ?? nowhere);
    return instance;
  }

  /** Sets the value of an instance, and its register unless that is -1. */
  setResult(activation: Activation, register: number, instance: Instance, low: number, high: number): void {
    this.instances.lows[instance] = low;
    this.instances.highs[instance] = high;
    if (register < 0) return;
    const place = activation.base + register;
    this.registers.lows[place] = low;
    this.registers.highs[place] = high;
    this.registers.definitions[place] = instance;
  }

  /** Like `setResult`, and advances to the next step. */
  finish(activation: Activation, step: Step, instance: Instance, low: number, high: number): void {
    this.setResult(activation, step.result, instance, low, high);
    activation.at++;
  }

  mixture(address: number, length: number): number {
    return firstMixture - (this.mixtures.push(this.memory.writersOf(address, length)) - 1);
  }

  copyMemory(to: number, from: number, length: number, instance: Instance): void {
    this.reads.set(instance, this.memory.writersOf(from, length));
    this.copies.set(instance, to);
    this.memory.copy(to, from, length, instance);
  }

  /**
   * The latest call of untraced code with an argument close to the address. If there is none but one must exist, the
   * latest call.
   */
  #outsideWriter(address: number, after: Instance, isSure: boolean): Instance {
    const calls = this.possibleWriters;
    for (let at = calls.length - 1; at >= Math.max(0, calls.length - searchedWriters); at--) {
      const call = calls[at];
      if (call === undefined || call.instance < after) break;
      if (call.given.some((pointer) => pointer <= address && address < pointer + nearbyBytes))
        return call.instance;
    }
    const last = calls.at(-1);
    if (!isSure) return after;
    return last !== undefined && last.instance > after ? last.instance : nowhere;
  }

  enterBlock(activation: Activation, block: number): void {
    const { phis, start } = activation.code.blocks[block] as FunctionCode['blocks'][number];
    if (phis.length > 0) this.#choosePhis(activation, phis);
    activation.block = block;
    activation.at = start;
  }

  /** Simultaneous, because a phi may be the operand of another one. */
  #choosePhis(activation: Activation, phis: FunctionCode['blocks'][number]['phis']): void {
    const { lows, highs, definitions } = this.registers;
    const chosen = phis.map(({ operands }) => {
      const place = this.registerOf(activation, operands.get(activation.block) ?? 0);
      return { low: lows[place] ?? 0, high: highs[place] ?? 0, definition: definitions[place] ?? nowhere };
    });
    for (const [at, { step }] of phis.entries()) {
      const { low = 0, high = 0, definition = nowhere } = chosen[at] ?? {};
      const instance = this.instances.add(step.number, activation.number);
      this.instances.addOperand(definition);
      this.setResult(activation, step.result, instance, low, high);
    }
  }

  continueAfter(activation: Activation, step: Step): void {
    if (step.instruction?.op === 'invoke') this.enterBlock(activation, step.targets[0] ?? 0);
    else activation.at++;
  }

  functionAt(address: number): FunctionCode | undefined {
    if (this.#codes.has(address)) return this.#codes.get(address);
    const found = this.image.functionAt(address);
    const plan = found?.image.plan.functions.get(found.name);
    const code = found && plan && decodeFunction(found.image, plan, this.decodeContext);
    this.#codes.set(address, code);
    return code;
  }

  /** Enters a function. The caller sets its parameters. */
  enterFunction(code: FunctionCode, call: Instance, isFromOutside: boolean): Activation {
    const caller = this.active.at(-1);
    const base = caller === undefined ? this.registers.bottom : caller.base + caller.code.registers;
    this.registers.reserve(base + code.registers);
    const number = this.frames.push({ code, call, caller: caller?.number ?? -1 }) - 1;
    const start = { at: 0, block: 0, pending: -1, returnNumber: 0, frameLow: 0, frameHigh: 0 };
    const activation: Activation = { code, base, number, isFromOutside, ...start };
    this.active.push(activation);
    return activation;
  }

  /** Makes an instance that is no call the caller of an activation. */
  setCaller({ number, code }: Activation, call: Instance): void {
    const { caller = -1 } = this.frames[number] ?? {};
    this.frames[number] = { code, call, caller };
  }

  reachesEnd(): boolean {
    const { stream } = this;
    if (stream.event === events.end) this.end = { kind: 'end' };
    else if (stream.event === events.stopped) this.end = { kind: 'full' };
    else if (stream.event === events.signaled) {
      stream.skipEvent();
      this.end = { kind: 'signal', signal: stream.takeSmall() ?? 0, address: stream.takeSmall() ?? 0 };
    }
    return this.end !== undefined;
  }

  /** Does the program die of an access to these bytes? Needed for writes, which are not recorded. */
  diesAt(address: number, length: number): boolean {
    const { stream } = this;
    if (stream.event !== events.signaled) return false;
    const { position } = stream;
    stream.skipEvent();
    stream.takeNumber();
    const where = stream.takeSmall() ?? -1;
    stream.position = position;
    return where >= address && where < address + Math.max(1, length) && this.reachesEnd();
  }

  diverge(activation: Activation | undefined, reason: string): void {
    const name = activation?.code.plan.fn.name ?? 'untraced code';
    const where = `in ${name}, after ${this.instances.length} instructions and ${this.stream.position} bytes`;
    const fault = new Fault('text', `the replay deviates from the record: ${reason} (${where})`);
    this.end = { kind: 'divergence', fault };
  }
}
