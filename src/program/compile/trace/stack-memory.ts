/** Classifies a function's stack memory by whether its addresses are visible. */

import {
  type Block,
  calledName,
  type Instruction,
  type Layout,
  operandsOf,
  type Type,
  typeText,
} from '../../ir/index.js';
import type { StackMemory } from './recording.js';

export type Blocks = readonly Block[];

type Alloca = Extract<Instruction, { readonly op: 'alloca' }>;

/** @param isJumpedTo whether setjmp may return here; registers can be lost then, so no alloca counts as private */
export function stackMemory(blocks: Blocks, layout: Layout, isJumpedTo: boolean): StackMemory {
  const [entry] = blocks;
  const allocas =
    entry?.instructions.filter((instruction): instruction is Alloca => instruction.op === 'alloca') ?? [];
  const privates = isJumpedTo ? new Set<string>() : privateAllocas(allocas, blocks);
  const offsets = new Map<string, number>();
  let [frameBytes, frameAlignment] = [0, 1];
  for (const { result = '', allocated, count, alignment } of allocas) {
    // Size known at compile time.
    if (privates.has(result) || (count !== undefined && count.kind !== 'integer')) continue;
    const multiple = Math.max(alignment ?? 1, layout.alignment(allocated));
    const at = Math.ceil(frameBytes / multiple) * multiple;
    offsets.set(result, at);
    frameBytes = at + layout.strideBytes(allocated) * Number(count?.value ?? 1n);
    frameAlignment = Math.max(frameAlignment, multiple);
  }
  return { privates, offsets, frameBytes, frameAlignment };
}

/** Allocas that are only loaded from and stored to as a whole. */
function privateAllocas(allocas: readonly Alloca[], blocks: Blocks): Set<string> {
  const types = new Map<string, Type>();
  for (const { result, allocated, count } of allocas)
    if (result !== undefined && count === undefined) types.set(result, allocated);
  const marks = lifetimePointers(blocks);
  const isWhole = (name: string, type: Type): boolean => {
    const allocated = types.get(name);
    return allocated !== undefined && (allocated === type || typeText(allocated) === typeText(type));
  };
  for (const { instructions, terminator } of blocks)
    for (const instruction of [...instructions, terminator]) {
      if (instruction.op === 'debug') continue;
      if (instruction.op === 'cast' && marks.has(instruction.result ?? '')) continue;
      if (isLifetime(instruction)) continue;
      for (const operand of operandsOf(instruction)) {
        if (operand.kind !== 'local' || !types.has(operand.name)) continue;
        const isLoad = instruction.op === 'load' && isWhole(operand.name, instruction.type);
        const isStore =
          instruction.op === 'store' &&
          operand === instruction.pointer &&
          isWhole(operand.name, instruction.value.type);
        if (!isLoad && !isStore) types.delete(operand.name);
      }
    }
  return new Set(types.keys());
}

export function isLifetime(instruction: Instruction): boolean {
  return instruction.op === 'call' && /^llvm\.lifetime\./.test(calledName(instruction.callee) ?? '');
}

/** Casts that are used only in lifetime markers. */
function lifetimePointers(blocks: Blocks): ReadonlySet<string> {
  const casts = new Set<string>();
  for (const { instructions } of blocks)
    for (const { op, result } of instructions) if (op === 'cast' && result !== undefined) casts.add(result);
  for (const { instructions, terminator } of blocks)
    for (const instruction of [...instructions, terminator])
      if (instruction.op !== 'debug' && !isLifetime(instruction))
        for (const operand of operandsOf(instruction))
          if (operand.kind === 'local') casts.delete(operand.name);
  return casts;
}
