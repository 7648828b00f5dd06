/**
 * A run while it is executed once more: registers, memory and activations as the program has them at a point, and all
 * instances up to there. What steps do is in files of their own.
 */

import { Fault } from '../machine/index.js';
import type { Activation, PastFrame } from './activation.js';
import type { Code, Step } from './code.js';
import { decoded, type Workshop } from './decode.js';
import type { Image } from './image.js';
import { type Instance, Instances, nowhere } from './instances.js';
import { Integers, unsignedNumber } from './integers.js';
import { Memory, type WrittenBytes } from './memory.js';
import { RecordedValues } from './recorded-values.js';
import { Registers } from './registers.js';
import type { ShownWord } from './shown.js';
import { events, type Stream } from './stream.js';
import { WideValues } from './wide-values.js';

/** How a replay came to its end. */
export type ReplayEnd =
  /** The record ends: the program did, or the thread, or it was killed. */
  | { readonly kind: 'end' }
  /** The program died of a signal. */
  | { readonly kind: 'signal'; readonly signal: number; readonly address: number }
  /** There was no room to record more. */
  | { readonly kind: 'full' }
  /** As many instances as were asked for. */
  | { readonly kind: 'limit' }
  /** The record says something else than the program does. */
  | { readonly kind: 'divergence'; readonly fault: Fault };

/** How many calls of code outside are looked through for one that may have written somewhere, and how far it reaches. */
const mostSuspects = 64;
const reach = 1 << 12;

/** In operands, in place of one writer: the number of several, from here downwards. */
export const firstMixture = -2;

export class Execution {
  readonly instances = new Instances();
  readonly registers = new Registers();
  readonly wides = new WideValues();
  readonly workshop: Workshop = { registers: this.registers, wides: this.wides, steps: [] };
  readonly frames: PastFrame[] = [];
  /** What a signal came in the middle of: it has no value. */
  readonly interrupted = new Set<Instance>();
  /** Calls of functions that show something to the world. */
  readonly outputs: Instance[] = [];
  /** What each of them was given, as far as it tells anything. */
  readonly shown = new Map<Instance, readonly ShownWord[]>();
  /** Who has written the bytes that an instance read, where that is not one. */
  readonly mixtures: (readonly WrittenBytes[])[] = [];
  /** For calls and copies: the bytes they read. */
  readonly reads = new Map<Instance, readonly WrittenBytes[]>();
  /** The bytes that library functions read which are known by what they compute, by argument. */
  readonly texts = new Map<Instance, readonly (readonly number[])[]>();
  /** Where those that are copies have written, byte by byte what they read. */
  readonly copies = new Map<Instance, number>();
  /** Of calls of code outside, the names of what was called. */
  readonly outsideNames = new Map<Instance, string>();
  /** Calls of code outside that may have written anything, with what they were given. */
  readonly suspects: { readonly instance: Instance; readonly given: readonly number[] }[] = [];
  /** From the first that was called to the last. */
  readonly active: Activation[] = [];
  readonly integers = new Integers();
  readonly memory = new Memory({
    outsideWriter: (address, after, isSure) => this.#outsideWriter(address, after, isSure),
    initialBytes: (from, to, onByte) => this.image.initialBytes(from, to, onByte),
  });
  readonly values: RecordedValues;
  /** How many activations there were that are jumped back to. */
  counted = 0;
  end: ReplayEnd | undefined;
  readonly #codes = new Map<number, Code | undefined>();

  constructor(
    readonly stream: Stream,
    readonly image: Image,
    stackReference: bigint,
  ) {
    this.values = new RecordedValues(stream, this.wides, stackReference);
  }

  /** Where an operand is among all registers. */
  place(activation: Activation, operand: number): number {
    return operand >= 0 ? activation.base + operand : ~operand;
  }

  placeOf(activation: Activation, step: Step, operand: number): number {
    return this.place(activation, step.operands[operand] ?? 0);
  }

  lowOf(activation: Activation, step: Step, operand: number): number {
    return this.registers.lows[this.placeOf(activation, step, operand)] ?? 0;
  }

  /** An operand as an unsigned number: an address, a length. */
  addressOf(activation: Activation, step: Step, operand: number): number {
    const place = this.placeOf(activation, step, operand);
    return unsignedNumber(this.registers.lows[place] ?? 0, this.registers.highs[place] ?? 0);
  }

  /** An instance with the operands of its step. */
  begin(activation: Activation, step: Step): Instance {
    const { instances } = this;
    const instance = instances.add(step.number, activation.frame);
    const { operands } = step;
    const { definitions } = this.registers;
    for (let at = 0; at < operands.length; at++)
      instances.addOperand(definitions[this.place(activation, operands[at] ?? 0)] ?? nowhere);
    return instance;
  }

  /** What an instance has computed, and the register that holds it, if any. */
  set(activation: Activation, register: number, instance: Instance, low: number, high: number): void {
    this.instances.lows[instance] = low;
    this.instances.highs[instance] = high;
    if (register < 0) return;
    const place = activation.base + register;
    this.registers.lows[place] = low;
    this.registers.highs[place] = high;
    this.registers.definitions[place] = instance;
  }

  /** The same for a step after which the next one comes. */
  finish(activation: Activation, step: Step, instance: Instance, low: number, high: number): void {
    this.set(activation, step.result, instance, low, high);
    activation.at++;
  }

  /** As an operand, who has written some bytes. */
  mixture(address: number, length: number): number {
    return firstMixture - (this.mixtures.push(this.memory.written(address, length)) - 1);
  }

  copyMemory(to: number, from: number, length: number, instance: Instance): void {
    this.reads.set(instance, this.memory.written(from, length));
    this.copies.set(instance, to);
    this.memory.copy(to, from, length, instance);
  }

  /** The latest call of code outside that was given an address close by; else, if it must be one, the latest of all. */
  #outsideWriter(address: number, after: Instance, isSure: boolean): Instance {
    const calls = this.suspects;
    for (let at = calls.length - 1; at >= Math.max(0, calls.length - mostSuspects); at--) {
      const call = calls[at];
      if (call === undefined || call.instance < after) break;
      if (call.given.some((pointer) => pointer <= address && address < pointer + reach)) return call.instance;
    }
    const last = calls.at(-1);
    if (!isSure) return after;
    return last !== undefined && last.instance > after ? last.instance : nowhere;
  }

  /** To the beginning of a block. */
  goTo(activation: Activation, block: number): void {
    const { phis, start } = activation.code.blocks[block] as Code['blocks'][number];
    if (phis.length > 0) this.#choosePhis(activation, phis);
    activation.block = block;
    activation.at = start;
  }

  /** All at once: one may be another one's operand. */
  #choosePhis(activation: Activation, phis: Code['blocks'][number]['phis']): void {
    const { lows, highs, definitions } = this.registers;
    const chosen = phis.map(({ operands }) => {
      const place = this.place(activation, operands.get(activation.block) ?? 0);
      return { low: lows[place] ?? 0, high: highs[place] ?? 0, definition: definitions[place] ?? nowhere };
    });
    for (const [at, { step }] of phis.entries()) {
      const { low = 0, high = 0, definition = nowhere } = chosen[at] ?? {};
      const instance = this.instances.add(step.number, activation.frame);
      this.instances.addOperand(definition);
      this.set(activation, step.result, instance, low, high);
    }
  }

  /** After a call, which may end its block. */
  goOn(activation: Activation, step: Step): void {
    if (step.instruction?.op === 'invoke') this.goTo(activation, step.targets[0] ?? 0);
    else activation.at++;
  }

  /** The traced function at an address. */
  codeAt(address: number): Code | undefined {
    if (this.#codes.has(address)) return this.#codes.get(address);
    const found = this.image.functionAt(address);
    const plan = found?.image.plan.functions.get(found.name);
    const code =
      found === undefined || plan === undefined ? undefined : decoded(found.image, plan, this.workshop);
    this.#codes.set(address, code);
    return code;
  }

  /** A function is called; its parameters are still to be set. */
  push(code: Code, call: Instance, isOutside: boolean): Activation {
    const caller = this.active.at(-1);
    const base = caller === undefined ? this.registers.bottom : caller.base + caller.code.registers;
    this.registers.reserve(base + code.registers);
    const frame = this.frames.push({ code, call, caller: caller?.frame ?? -1 }) - 1;
    const activation: Activation = {
      code,
      base,
      frame,
      isOutside,
      at: 0,
      block: 0,
      pending: -1,
      count: 0,
      frameLow: 0,
      frameHigh: 0,
    };
    this.active.push(activation);
    return activation;
  }

  /** A function was called by an instance that is no call. */
  callFrom({ frame, code }: Activation, call: Instance): void {
    const { caller = -1 } = this.frames[frame] ?? {};
    this.frames[frame] = { code, call, caller };
  }

  /** Is this the end of the record? */
  ends(): boolean {
    const { stream } = this;
    if (stream.event === events.end) this.end = { kind: 'end' };
    else if (stream.event === events.stopped) this.end = { kind: 'full' };
    else if (stream.event === events.signaled) {
      stream.skipEvent();
      this.end = { kind: 'signal', signal: stream.takeSmall() ?? 0, address: stream.takeSmall() ?? 0 };
    }
    return this.end !== undefined;
  }

  /** Does the program die of an access to some bytes? Only what it reads is recorded, so a write has to be recognized. */
  diesAt(address: number, length: number): boolean {
    const { stream } = this;
    if (stream.event !== events.signaled) return false;
    const { position } = stream;
    stream.skipEvent();
    stream.takeNumber();
    const where = stream.takeSmall() ?? -1;
    stream.position = position;
    return where >= address && where < address + Math.max(1, length) && this.ends();
  }

  /** The record and the program disagree: here it ends. */
  diverge(activation: Activation | undefined, what: string): void {
    const name = activation?.code.plan.fn.name ?? 'code outside';
    const where = `in ${name}, after ${this.instances.length} instructions and ${this.stream.position} bytes`;
    this.end = {
      kind: 'divergence',
      fault: new Fault('text', `the record cannot be followed: ${what} (${where})`),
    };
  }
}
