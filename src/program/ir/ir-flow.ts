import {
  type FlowBlock,
  type FlowCall,
  type FlowFunction,
  LineSet,
  type SourceLine,
} from '../graph/index.js';
import { calledName } from './called-name.js';
import type { DebugInfo } from './debug-info.js';
import { type Instruction, isCall, targetsOf } from './instruction.js';
import type { Block, IrFunction, IrModule } from './module.js';
import { readBody } from './reading/read-body.js';
import { sourceFile, sourceLine } from './source-lines.js';

/**
 * The control flow of a compiled function by source lines.
 *
 * @param root folder that file names are relative to
 * @param blocks the body, if it was read already
 */
export function flowOf(
  module: IrModule,
  fn: IrFunction,
  root: string,
  blocks: readonly Block[] = readBody(module, fn).blocks,
): FlowFunction {
  const number = new Map(blocks.map(({ label }, at) => [label, at]));
  const flow = blocks.map(
    (block): FlowBlock => ({
      lines: linesOf(block, module.debug, root),
      next: targetsOf(block.terminator).flatMap((label) => number.get(label) ?? []),
      isLast: endsProgram(block) ? true : undefined,
      calls: callsOf(block),
      jump: jumpOf(block, module.debug, root),
    }),
  );
  const written = module.debug.subprogram(fn.subprogram);
  const file = written === undefined ? module.sourceName : sourceFile(written, root);
  // Without debug information, starts at the first known line, or 0.
  let firstLine = written?.line ?? 0;
  let lastLine = firstLine;
  for (const { lines } of flow)
    for (const { file: of, line } of lines) {
      if (of !== file) continue;
      if (written === undefined && (firstLine === 0 || line < firstLine)) firstLine = line;
      lastLine = Math.max(lastLine, line);
    }
  const { length } = fn.parameters;
  // A function without a prototype accepts any arguments.
  const takes = fn.isVariadic
    ? { least: length, most: Number.POSITIVE_INFINITY }
    : { least: length, most: length };
  return { name: fn.name, file, firstLine, lastLine, takes, blocks: flow };
}

/** Functions that unwind to a caller, which may be part of the program. */
const unwindingFunctions = /^(?:__cxa_(?:re)?throw|_Unwind_\w+|(?:_|sig|__)?longjmp(?:_chk)?)$/;

function endsProgram(block: Block): boolean {
  if (block.terminator.op !== 'unreachable') return false;
  const last = callsOf(block).at(-1);
  return typeof last !== 'string' || !unwindingFunctions.test(last);
}

function jumpOf({ terminator }: Block, debug: DebugInfo, root: string): SourceLine | undefined {
  return terminator.op === 'br' ? sourceLine(debug, terminator.location, root) : undefined;
}

function callsOf({ instructions, terminator }: Block): readonly FlowCall[] {
  const calls: FlowCall[] = [];
  for (const instruction of [...instructions, terminator]) {
    if (!isCall(instruction) || instruction.callee.kind === 'asm') continue;
    const name = calledName(instruction.callee);
    if (name === undefined) calls.push({ values: instruction.arguments.length });
    else if (!name.startsWith('llvm.')) calls.push(name);
  }
  return calls;
}

function linesOf({ instructions, terminator }: Block, debug: DebugInfo, root: string): readonly SourceLine[] {
  const lines = new LineSet();
  for (const instruction of [...instructions, terminator]) {
    if (!isExecuted(instruction)) continue;
    const line = sourceLine(debug, instruction.location, root);
    if (line !== undefined) lines.add(line);
  }
  return [...lines];
}

/** Jumps, allocas and debug records execute no source line. */
function isExecuted({ op }: Instruction): boolean {
  return op !== 'br' && op !== 'alloca' && op !== 'debug' && op !== 'unreachable';
}
