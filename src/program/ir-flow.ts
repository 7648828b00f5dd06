import { isAbsolute, normalize, relative, resolve } from 'node:path';
import type { FlowBlock, FlowFunction, SourceLine } from './flow.js';
import type { DebugInfo, Place } from './ir/debug-info.js';
import { type Instruction, targetsOf } from './ir/instruction.js';
import type { Block, IrFunction, IrModule } from './ir/module.js';
import { readBody } from './ir/read-body.js';
import { calledName } from './program.js';

/** A function as the compiler sees it, by lines. @param root what files are named relative to */
export function flowOf(module: IrModule, fn: IrFunction, root: string): FlowFunction {
  const { blocks } = readBody(module, fn);
  const number = new Map(blocks.map(({ label }, at) => [label, at]));
  const flow = blocks.map(
    (block): FlowBlock => ({
      lines: linesOf(block, module.debug, root),
      next: targetsOf(block.terminator).flatMap((label) => number.get(label) ?? []),
      ...(block.terminator.op === 'unreachable' ? { isLast: true } : {}),
      calls: callsOf(block),
    }),
  );
  const written = module.debug.subprogram(fn.subprogram);
  const file = written === undefined ? module.sourceName : fileName(written, root);
  const lines = flow.flatMap((block) =>
    block.lines.filter((one) => one.file === file).map(({ line }) => line),
  );
  const firstLine = written?.line ?? Math.min(...lines);
  return { name: fn.name, file, firstLine, lastLine: Math.max(firstLine, ...lines), blocks: flow };
}

function callsOf({ instructions, terminator }: Block): readonly string[] {
  const names = new Set<string>();
  for (const one of [...instructions, terminator]) {
    if (one.op !== 'call' && one.op !== 'invoke' && one.op !== 'callbr') continue;
    const name = calledName(one.callee);
    if (name !== undefined && !name.startsWith('llvm.')) names.add(name);
  }
  return [...names];
}

function linesOf({ instructions, terminator }: Block, debug: DebugInfo, root: string): readonly SourceLine[] {
  const found = new Map<string, SourceLine>();
  for (const instruction of [...instructions, terminator]) {
    if (!isExecuted(instruction)) continue;
    const place = outermost(debug.place(instruction.location));
    if (place === undefined) continue;
    const one = { file: fileName(place, root), line: place.line };
    found.set(`${one.line} ${one.file}`, one);
  }
  return [...found.values()];
}

/** Jumps only follow from what is written elsewhere; room and debug information are nothing a line does. */
function isExecuted({ op }: Instruction): boolean {
  return op !== 'br' && op !== 'alloca' && op !== 'debug' && op !== 'unreachable';
}

/** Where the code was inlined to in the end. */
function outermost(place: Place | undefined): Place | undefined {
  let at = place;
  while (at?.inlinedAt !== undefined) at = at.inlinedAt;
  return at;
}

/** Relative to the root where it lies inside. */
function fileName({ file, directory }: { file: string; directory: string }, root: string): string {
  const whole = isAbsolute(file) ? normalize(file) : resolve(directory, file);
  const inside = relative(root, whole);
  return inside.startsWith('..') || isAbsolute(inside) ? whole : inside;
}
