/** Replays a recorded run: the value of each executed instruction, and the values it was computed from. */

import { Fault, YieldTimer } from '../machine/index.js';
import { type BuiltProgram, isComputed } from '../program/compile/index.js';
import { getOrCreate, type SourceLine } from '../program/graph/index.js';
import {
  type Block,
  type DeclaredVariable,
  type Instruction,
  type IrModule,
  sourceFile,
  sourceLine,
  type Type,
  type Value,
} from '../program/ir/index.js';
import { type FunctionCode, Opcode, type Step } from './code.js';
import { Controllers } from './controllers.js';
import { Execution, firstMixture, type ReplayEnd } from './execution.js';
import { Equations } from './formulas/equation.js';
import { loadImage } from './image.js';
import { type Instance, nowhere } from './instances.js';
import type { WrittenBytes } from './memory.js';
import { type Origins, origins } from './origins.js';
import type { ShownWord } from './printed-values.js';
import { type RunRecord, readEvents, readModules } from './record.js';
import { executeSteps } from './steps/executors.js';
import { Stream } from './stream.js';
import { bigOf } from './values/integers.js';
import { declaredVariables, localNames } from './variable-names.js';

export interface ParameterEntry {
  readonly op: 'parameter';
  readonly function: string;
  readonly index: number;
  readonly type: Type;
}

export interface Frame {
  readonly function: string;
  readonly module: IrModule;
  /** The instance of the call, also if untraced code was in between; `nowhere` if no traced code called it. */
  readonly call: Instance;
  readonly caller: number;
  readonly blocks: readonly Block[];
}

export interface ReplayOptions {
  readonly most?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface VariableNames {
  readonly declared: ReadonlyMap<string, DeclaredVariable>;
  readonly locals: Map<string, ReadonlyMap<string, string>>;
}

const usualMaximum = 100_000_000;
const stepsPerSlice = 20_000;

/**
 * Replays a recorded run.
 *
 * Every executed instruction is an instance, numbered from 0 in the order of execution, and so is every parameter of
 * an entered function. The operands of an instance are earlier instances.
 *
 * @param programs the executable, and libraries that were built with `culprit-cc --trace` too
 * @example
 * const [record] = withoutFault(await recordsIn('traces'));
 * const run = await replay(record, [withoutFault(await programOf(record.program))]);
 * if (run instanceof Fault) throw new Error(run.message);
 * // Everything that the last output was computed from.
 * const seen = new Set<Instance>();
 * const left = [run.outputs.at(-1) ?? nowhere];
 * for (let at = left.pop(); at !== undefined; at = left.pop()) {
 *   if (at === nowhere || seen.has(at)) continue;
 *   seen.add(at);
 *   left.push(...run.operandsOf(at), ...run.memoryOf(at).map(({ writer }) => writer), run.controllerOf(at));
 * }
 */
export async function replay(
  record: RunRecord,
  programs: readonly BuiltProgram[],
  { most = usualMaximum, signal }: ReplayOptions = {},
): Promise<Replay | Fault> {
  const [recorded, loaded] = [await readEvents(record), await readModules(record)];
  if (recorded instanceof Fault) return recorded;
  if (loaded instanceof Fault) return loaded;
  const image = await loadImage(loaded, programs, signal);
  if (image instanceof Fault) return image;
  if (image.modules.length === 0)
    return new Fault(
      'usage',
      `no module of ${record.program} matches the record ${record.name}: run the rebuilt program again`,
    );
  const execution = new Execution(new Stream(recorded), image, record.stackReference);
  const yieldTimer = new YieldTimer(signal);
  while (executeSteps(execution, stepsPerSlice)) {
    if (execution.instances.length >= most) {
      execution.end = { kind: 'limit' };
      break;
    }
    if (yieldTimer.isDue) await yieldTimer.yieldNow();
  }
  return new Replay(execution);
}

export class Replay {
  readonly instances: number;
  readonly #controllers: Controllers;
  #equations: Equations | undefined;
  readonly #variableNames = new Map<IrModule, VariableNames>();

  constructor(private readonly execution: Execution) {
    this.instances = execution.instances.length;
    this.#controllers = new Controllers(execution);
  }

  /** The end of the replay. Everything before a divergence is correct. */
  get end(): ReplayEnd {
    return this.execution.end ?? { kind: 'end' };
  }

  /** Calls that print, start a program or end this one, in order: write, execv, exit… */
  get outputs(): readonly Instance[] {
    return this.execution.outputs;
  }

  /** The arguments of an output, or the program that it starts. */
  shownBy(output: Instance): readonly ShownWord[] {
    return this.execution.shown.get(output) ?? [];
  }

  instructionOf(instance: Instance): Instruction | ParameterEntry {
    const step = this.#step(instance);
    if (step.instruction !== undefined) return step.instruction;
    const { fn } = step.code.plan;
    const { type = { kind: 'void' } as const } = fn.parameters[step.parameter] ?? {};
    return { op: 'parameter', function: fn.name, index: step.parameter, type };
  }

  /**
   * The unsigned bits of the result; for a store the stored value, for a return the returned one. Undefined if it is
   * no single scalar, or if a signal interrupted the instruction.
   */
  valueOf(instance: Instance): bigint | undefined {
    if (this.execution.interrupted.has(instance)) return undefined;
    const step = this.#step(instance);
    const type = step.instruction === undefined ? undefined : typeOfValue(step.instruction);
    if (type?.kind === 'void') return undefined;
    const { lows, highs } = this.execution.instances;
    if (!this.#isWide(step, type)) return bigOf(lows[instance] ?? 0, highs[instance] ?? 0);
    const parts = this.partsOf(instance);
    return parts.length === 1 ? parts[0] : undefined;
  }

  /** The scalars of an aggregate, in field order. A scalar of more than 64 bits is a single element. */
  partsOf(instance: Instance): readonly bigint[] {
    return this.execution.wides.get(this.execution.instances.lows[instance] ?? 0);
  }

  /**
   * The instances that define its operands, in the order of the instruction; `nowhere` for constants and for values
   * from untraced code. A phi has only the chosen operand. The result of a call of a traced function is defined by
   * the return, not by the call.
   */
  operandsOf(instance: Instance): readonly Instance[] {
    const { starts, operands } = this.execution.instances;
    const from = starts[instance] ?? 0;
    const end = this.execution.instances.operandsEnd(instance) - (this.#isLoad(instance) ? 1 : 0);
    return Array.from(operands.subarray(from, end));
  }

  /**
   * The branch that chose the operand of a phi, as in `c ? 1 : 2` and `a && b`; `nowhere` for other instructions, and
   * if there was no choice.
   */
  gateOf(phi: Instance): Instance {
    if (this.#step(phi).opcode !== Opcode.phi) return nowhere;
    let jump = phi - 1;
    while (jump > nowhere && this.#step(jump).opcode === Opcode.phi) jump--;
    if (jump <= nowhere) return nowhere;
    if (this.#step(jump).targets.length > 1) return jump;
    const branch = this.#controllers.branchFor(jump);
    return branch > nowhere && this.frameOf(branch) === this.frameOf(phi) ? branch : nowhere;
  }

  operandValue(instance: Instance, operand: number): bigint | undefined {
    const definition = this.operandsOf(instance)[operand] ?? nowhere;
    if (definition !== nowhere) return this.valueOf(definition);
    const place = this.#step(instance).operands[operand] ?? 0;
    if (place >= 0) return undefined;
    const { lows, highs } = this.execution.registers;
    return bigOf(lows[~place] ?? 0, highs[~place] ?? 0);
  }

  /**
   * The writers of the bytes it read: for loads, copies of memory, parameters passed by value, and calls of known
   * library functions. A writer is a store, a copy, a call of untraced code, or the allocation if the bytes were not
   * written since.
   */
  memoryOf(instance: Instance): readonly WrittenBytes[] {
    if (!this.#isLoad(instance)) return this.execution.reads.get(instance) ?? [];
    const writer =
      this.execution.instances.operands[this.execution.instances.operandsEnd(instance) - 1] ?? nowhere;
    if (writer < nowhere) return this.execution.mixtures[firstMixture - writer] ?? [];
    const step = this.#step(instance);
    if (step.opcode === Opcode.privateLoad) return [{ offset: 0, length: 1, address: -1, writer }];
    return [{ offset: 0, length: step.bytes, address: Number(this.addressOf(instance)), writer }];
  }

  /** The original writers of the bytes it read, byte by byte through copies of memory, and those copies. */
  originsOf(instance: Instance): Origins {
    return origins(this.memoryOf(instance), this.execution.copies, (at) => this.memoryOf(at));
  }

  /** Does it write the bytes it reads, as a copy of memory or of a text does? */
  isCopy(instance: Instance): boolean {
    return this.execution.copies.has(instance);
  }

  /**
   * The address of a load or store; undefined for other instructions, and for variables that only live in registers.
   */
  addressOf(instance: Instance): bigint | undefined {
    const step = this.#step(instance);
    if (step.opcode === Opcode.load || step.opcode === Opcode.wideLoad) return this.operandValue(instance, 0);
    if (step.opcode === Opcode.store || step.opcode === Opcode.wideStore)
      return this.operandValue(instance, 1);
    return undefined;
  }

  /**
   * Its source line.
   *
   * @param root file names are relative to it
   */
  lineOf(instance: Instance, root = '/'): SourceLine | undefined {
    const { instruction, code } = this.#step(instance);
    return sourceLine(code.image.plan.module.debug, instruction?.location, root);
  }

  /** The first source line of its function, for instances without a line, such as parameters. */
  headOf(instance: Instance, root = '/'): SourceLine | undefined {
    const { code } = this.#step(instance);
    const { debug } = code.image.plan.module;
    const subprogram = debug.subprogram(code.plan.fn.subprogram);
    return subprogram && { file: sourceFile(subprogram, root), line: subprogram.line };
  }

  /** The lines with code of the executed functions, by file, ascending. */
  linesWithCode(root = '/'): ReadonlyMap<string, readonly number[]> {
    const files = new Map<string, Set<number>>();
    for (const code of new Set(this.execution.frames.map((past) => past.code)))
      for (const { instruction } of code.steps) {
        const place = sourceLine(code.image.plan.module.debug, instruction?.location, root);
        if (place === undefined) continue;
        getOrCreate(files, place.file, () => new Set<number>()).add(place.line);
      }
    return new Map([...files].map(([file, lines]) => [file, [...lines].toSorted((a, b) => a - b)]));
  }

  /** The name of the variable that a load or store accesses, if it has one. */
  variableOf(instance: Instance): string | undefined {
    const { instruction, code } = this.#step(instance);
    if (instruction?.op !== 'load' && instruction?.op !== 'store') return undefined;
    const { pointer } = instruction;
    const { module } = code.image.plan;
    if (pointer.kind === 'global')
      return this.#names(module).declared.get(pointer.name)?.name ?? pointer.name;
    return pointer.kind === 'local' ? this.#localNames(code).get(pointer.name) : undefined;
  }

  declarationAt(address: number, root = '/'): SourceLine | undefined {
    const variable = this.execution.image.variableAt(address);
    const declared = variable && this.#names(variable.image.plan.module).declared.get(variable.name);
    return declared && { file: sourceFile(declared, root), line: declared.line };
  }

  #names(module: IrModule): VariableNames {
    return getOrCreate(this.#variableNames, module, () => ({
      declared: declaredVariables(module),
      locals: new Map(),
    }));
  }

  #localNames({ image, plan }: FunctionCode): ReadonlyMap<string, string> {
    const { locals } = this.#names(image.plan.module);
    return getOrCreate(locals, plan.fn.name, () => localNames(image.plan.module, plan.blocks));
  }

  blockOf(instance: Instance): number {
    return this.#step(instance).block;
  }

  frameOf(instance: Instance): number {
    return this.execution.instances.frames[instance] ?? 0;
  }

  frame(number: number): Frame | undefined {
    const past = this.execution.frames[number];
    if (past === undefined) return undefined;
    const { code, call, caller } = past;
    const { fn, blocks } = code.plan;
    return { function: fn.name, module: code.image.plan.module, call, caller, blocks };
  }

  /**
   * The branch that decided that it was executed: the last one in its activation that it is control dependent on,
   * else the call of its function; `nowhere` if it is executed in any case.
   */
  controllerOf(instance: Instance): Instance {
    return this.#controllers.branchFor(instance);
  }

  /** The name of the untraced function that it called, if the program has it. */
  calledOutside(instance: Instance): string | undefined {
    return this.execution.outsideNames.get(instance);
  }

  /** The names of all untraced functions that were called. */
  get namesOutside(): ReadonlySet<string> {
    return new Set(this.execution.outsideNames.values());
  }

  argumentsOf(instance: Instance): readonly (bigint | undefined)[] {
    const { operands } = this.#step(instance);
    return Array.from({ length: Math.max(0, operands.length - 1) }, (_, at) =>
      this.operandValue(instance, at + 1),
    );
  }

  get equations(): Equations {
    this.#equations ??= new Equations({
      stepOf: (instance) => this.#step(instance),
      bitsIn: (instance) =>
        bigOf(this.execution.instances.lows[instance] ?? 0, this.execution.instances.highs[instance] ?? 0),
      operandsOf: (instance) => this.operandsOf(instance),
      gateOf: (instance) => this.gateOf(instance),
      operandValue: (instance, operand) => this.operandValue(instance, operand),
      originsOf: (instance) => this.originsOf(instance),
      addressOf: (instance) => this.addressOf(instance),
      calledOutside: (instance) => this.calledOutside(instance),
      textsOf: (instance) => this.execution.texts.get(instance),
    });
    return this.#equations;
  }

  #step(instance: Instance): Step {
    return this.execution.decodeContext.steps[this.execution.instances.steps[instance] ?? 0] as Step;
  }

  #isLoad(instance: Instance): boolean {
    const { opcode } = this.#step(instance);
    return opcode === Opcode.load || opcode === Opcode.privateLoad || opcode === Opcode.wideLoad;
  }

  #isWide(step: Step, type: Type | undefined): boolean {
    const whole = type ?? step.code.plan.fn.parameters[step.parameter]?.type;
    if (whole === undefined) return false;
    return !isComputed(step.code.image.plan.layout.resolved(whole));
  }
}

const nothing: Type = { kind: 'void' };

function typeOfValue(instruction: Instruction): Type {
  if (instruction.op === 'store') return instruction.value.type;
  if (instruction.op === 'ret') return (instruction.value as Value | undefined)?.type ?? nothing;
  return instruction.type;
}
