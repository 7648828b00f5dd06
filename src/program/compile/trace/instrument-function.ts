/** Inserts calls of the runtime into a function's IR, line by line: compilers write one instruction per line. */

import { calledName, type Instruction, type Type, typeText } from '../../ir/index.js';
import type { FunctionPlan } from './function-plan.js';
import { IrWriter, nameText, type TypedText } from './ir-writer.js';
import type { TracePlan } from './plan.js';
import { recordingOf } from './recording.js';
import { isLifetime } from './stack-memory.js';
import { symbolType } from './symbol-type.js';

type Alloca = Extract<Instruction, { readonly op: 'alloca' }>;
type Call = Extract<Instruction, { readonly op: 'call' | 'invoke' }>;

const label = /^(?:"[^"]*"|[-a-zA-Z$._\d]+):/;
/** A continued line is indented further, or closes brackets. */
const instructionStart = /^ {2}(?:[^ \]]| {2}#dbg_)/;

const outsideFlag: TypedText = { type: 'i1 zeroext', value: '%culprit.outside' };
const activationCount: TypedText = { type: 'i64', value: '%culprit.count' };

export class FunctionInstrumenter {
  readonly #lines: string[] = [];
  /** Lines to insert after the current instruction. */
  #after: string[] = [];
  /** Lines to insert after a call that ends a block, by the label of the next block. */
  readonly #arrivals = new Map<string, readonly string[]>();
  readonly #writer: IrWriter;
  #jumps = 0;
  #pads = 0;

  constructor(
    private readonly plan: TracePlan,
    private readonly own: FunctionPlan,
    isOpaque: boolean,
  ) {
    this.#writer = new IrWriter(plan.layout, isOpaque);
  }

  /** @param body the lines between the braces */
  instrumented(body: readonly string[]): readonly string[] {
    // The calling block can be after the block where the call returns.
    this.#noteArrivals();
    let at = 0;
    let block = -1;
    let isOpen = false;
    let isKept = true;
    for (const line of body) {
      const isLabel = label.test(line);
      const isInstruction = instructionStart.test(line);
      if (isLabel || (isInstruction && block === -1)) {
        block++;
        at = 0;
        isOpen = false;
      }
      if (!isInstruction) {
        if (isKept || isLabel) this.#lines.push(line);
        continue;
      }
      const { instructions = [], terminator } = this.own.blocks[block] ?? {};
      const instruction = instructions[at++] ?? terminator;
      if (instruction === undefined) throw new Error(`${this.own.fn.name} has more lines than instructions`);
      this.#lines.push(...this.#after);
      this.#after = [];
      if (!isOpen && instruction.op !== 'phi' && instruction.op !== 'landingpad') {
        isOpen = true;
        this.#open(block);
      }
      isKept = !isLifetime(instruction);
      if (isKept) this.#instruction(instruction, line);
    }
    return this.#lines;
  }

  /** Inserts the code for entering a block. */
  #open(block: number): void {
    const { blocks, landings } = this.own;
    const name = blocks[block]?.label ?? '';
    if (block === 0) this.#enter();
    this.#lines.push(...(this.#arrivals.get(name) ?? []));
    if (landings.has(name)) this.#lines.push(this.#writer.call('value', number(block)));
  }

  #enter(): void {
    const { fn, isDirect, isCounted, frameBytes, frameAlignment, threadLocals } = this.own;
    const lines = this.#lines;
    const writer = this.#writer;
    const parameters = fn.parameters.map(({ name = '', type, byValue }) => ({
      value: nameText('%', name),
      type,
      byValue,
    }));
    if (frameBytes > 0) lines.push(`  %culprit.frame = alloca [${frameBytes} x i8], align ${frameAlignment}`);
    if (!isDirect) {
      const self = this.#symbol(fn.name);
      lines.push('  %culprit.target = call i64 @culprit_trace_target()');
      lines.push(`  %culprit.outside = call zeroext i1 @culprit_trace_entered(i64 ${self.value})`);
      for (const { value, type, byValue } of parameters)
        if (byValue === undefined) this.#recordIfOutside(outsideFlag, type, value, lines);
    }
    for (const { value, type, byValue } of parameters)
      if (byValue !== undefined) this.#recordStack({ type: typeText(type), value }, lines);
    if (frameBytes > 0)
      this.#recordStack(
        { type: writer.isOpaque ? 'ptr' : `[${frameBytes} x i8]*`, value: '%culprit.frame' },
        lines,
      );
    for (const name of threadLocals) lines.push(writer.call('value', this.#symbol(name)));
    if (isCounted) lines.push('  %culprit.count = call i64 @culprit_trace_frame()');
  }

  #instruction(instruction: Instruction, line: string): void {
    const lines = this.#lines;
    const result = nameText('%', instruction.result ?? '');
    const isRecorded = recordingOf(instruction, this.own) !== 'nothing';
    switch (instruction.op) {
      case 'alloca':
        this.#alloca(instruction, line, isRecorded);
        return;
      case 'call':
      case 'invoke':
        this.#call(instruction, line);
        return;
      case 'load':
        if (!isRecorded) break;
        this.#load(instruction.type, result, line);
        return;
      case 'landingpad':
        this.#after.push(this.#writer.call('caught', activationCount, number(this.#pads++)));
        break;
      case 'ret':
        if (!this.own.isDirect)
          lines.push(this.#writer.call('left', outsideFlag, { type: 'i64', value: '%culprit.target' }));
        break;
      case 'resume':
        // Into the unwinder, which is not traced.
        lines.push(this.#writer.call('calling', number(1)));
        break;
    }
    lines.push(line);
    if (isRecorded) this.#record(instruction.type, result, this.#after);
  }

  #alloca({ result = '', allocated }: Alloca, line: string, isRecorded: boolean): void {
    const lines = this.#lines;
    const pointer = { type: this.#writer.pointerTo(allocated), value: nameText('%', result) };
    const offset = this.own.offsets.get(result);
    if (offset !== undefined) {
      lines.push(...this.#frameMember(pointer, offset));
      return;
    }
    lines.push(line);
    if (isRecorded) this.#recordStack(pointer, lines);
    // Makes uninitialized memory equal in the program and in the replay.
    else lines.push(`  store ${typeText(allocated)} zeroinitializer, ${pointer.type} ${pointer.value}`);
  }

  #frameMember({ type, value }: TypedText, offset: number): readonly string[] {
    if (this.#writer.isOpaque) return [`  ${value} = getelementptr i8, ptr %culprit.frame, i64 ${offset}`];
    const { frameBytes } = this.own;
    const member = this.#writer.temporary();
    const frame = `[${frameBytes} x i8]`;
    return [
      `  ${member} = getelementptr ${frame}, ${frame}* %culprit.frame, i64 0, i64 ${offset}`,
      `  ${value} = bitcast i8* ${member} to ${type}`,
    ];
  }

  /** Freezes the value, because undefined memory may differ at each use. */
  #load(type: Type, result: string, line: string): void {
    const raw = this.#writer.temporary();
    this.#lines.push(line.replace(`${result} =`, `${raw} =`));
    this.#lines.push(`  ${result} = freeze ${typeText(type)} ${raw}`);
    this.#record(type, result, this.#lines);
  }

  #call(call: Call, line: string): void {
    const lines = this.#lines;
    const recording = recordingOf(call, this.own);
    const callee = this.#calleeOf(call);
    if ((recording === 'call' || recording === 'jump') && callee !== undefined)
      lines.push(this.#writer.call('calling', callee));
    lines.push(line);
    if (call.op === 'call') this.#after.push(...this.#afterCall(call));
  }

  /** Undefined for a traced function of this module. */
  #calleeOf(call: Call): TypedText | undefined {
    const { callee } = call;
    const name = calledName(callee);
    if (name !== undefined && this.plan.inlinedCopies.has(name)) return number(1);
    if (name !== undefined) return this.plan.functions.get(name)?.isDirect ? undefined : this.#symbol(name);
    const type = this.#writer.pointerTo(call.functionType);
    if (callee.kind !== 'local') return number(1);
    return this.#writer.asAddress({ type, value: nameText('%', callee.name) }, this.#lines);
  }

  #noteArrivals(): void {
    for (const { terminator } of this.own.blocks)
      if (terminator.op === 'invoke') this.#arrivals.set(terminator.normal, this.#afterCall(terminator));
  }

  #afterCall(call: Call): readonly string[] {
    const lines: string[] = [];
    const result = nameText('%', call.result ?? '');
    const recording = recordingOf(call, this.own);
    if (recording === 'result') this.#record(call.type, result, lines);
    if (recording === 'jump') {
      const [value = number(0)] = this.#writer.numbersOf(call.type, result, lines);
      lines.push(this.#writer.call('jumped', activationCount, number(this.#jumps++), value));
    }
    const name = calledName(call.callee);
    const isDirect = name !== undefined && this.plan.functions.get(name)?.isDirect;
    if (recording !== 'call' || isDirect) return lines;
    if (call.type.kind === 'void') return [this.#writer.call('returned_void')];
    const hasReturned = this.#writer.temporary();
    lines.push(`  ${hasReturned} = call zeroext i1 @culprit_trace_returned()`);
    this.#recordIfOutside({ type: 'i1 zeroext', value: hasReturned }, call.type, result, lines);
    return lines;
  }

  #record(type: Type, value: string, lines: string[]): void {
    for (const each of this.#writer.numbersOf(type, value, lines))
      lines.push(this.#writer.call('value', each));
  }

  #recordIfOutside(condition: TypedText, type: Type, value: string, lines: string[]): void {
    for (const each of this.#writer.numbersOf(type, value, lines))
      lines.push(this.#writer.call('value_if', condition, each));
  }

  #recordStack(pointer: TypedText, lines: string[]): void {
    lines.push(this.#writer.call('stack', this.#writer.asAddress(pointer, lines)));
  }

  #symbol(name: string): TypedText {
    return this.#writer.addressOf(name, symbolType(this.plan.module, name));
  }
}

function number(value: number): TypedText {
  return { type: 'i64', value: String(value) };
}
