/** A program as graphs, on a terminal and for other tools. */

import type { FunctionPlace, ProgramBlock, ProgramFlow, ProgramSize } from '../program/dependence/index.js';
import type { FunctionId, SourceLine } from '../program/graph/index.js';
import { table } from './table.js';
import { visible } from './visible.js';

/** How large it is, in one sentence. */
export function programSizeText(name: string, modules: number, size: ProgramSize): string {
  const { functions, blocks, edges, calls, indirectCalls } = size;
  const parts = [
    count(modules, 'module'),
    count(functions, 'function'),
    count(blocks, 'block'),
    count(edges, 'edge'),
    `${count(calls, 'call')} (${indirectCalls.toLocaleString('en')} through pointers)`,
  ];
  return visible(`${name}: ${parts.join(', ')}`);
}

/** A function with all that the graphs say of it. */
export interface FunctionView extends FunctionPlace {
  readonly callers: readonly string[];
  readonly callees: readonly string[];
  readonly blocks: readonly ProgramBlock[];
}

export function functionView(program: ProgramFlow, id: FunctionId): FunctionView {
  const names = (ids: readonly number[]): readonly string[] =>
    ids.map((one) => (program.functions[one] as FunctionPlace).name).toSorted();
  return {
    ...(program.functions[id] as FunctionPlace),
    callers: names(program.calls.callers(id)),
    callees: names(program.calls.callees(id)),
    blocks: program.blocks(id),
  };
}

export function functionText(view: FunctionView): string {
  const { name, file, firstLine, lastLine, callers, callees, blocks } = view;
  const rows = blocks.map(({ lines, next, isLast }, at) => [
    String(at),
    linesText(lines, file),
    isLast ? 'the program ends' : next.length === 0 ? 'back to the caller' : next.join(', '),
  ]);
  const right = { align: 'right' as const };
  return visible(
    [
      `${name}  ${file}:${firstLine}-${lastLine}`,
      `  called by  ${listed(callers)}`,
      `  calls      ${listed(callees)}`,
      '',
      table([{ title: 'block', ...right }, { title: 'lines' }, { title: 'goes to' }], rows),
    ].join('\n'),
  );
}

/** The lines of a slice with their code, where it can be read. @param codeOf a line's text */
export function sliceText(
  lines: readonly SourceLine[],
  codeOf: (line: SourceLine) => string | undefined,
): string {
  const width = lines.reduce((widest, { line }) => Math.max(widest, String(line).length), 0);
  const shown: string[] = [];
  let file: string | undefined;
  for (const one of lines) {
    if (one.file !== file) shown.push(...(file === undefined ? [] : ['']), one.file);
    file = one.file;
    shown.push(`  ${String(one.line).padStart(width)}  ${codeOf(one) ?? ''}`.trimEnd());
  }
  return visible(shown.join('\n'));
}

/** As ranges; those of other files with the files' names. */
function linesText(lines: readonly SourceLine[], file: string): string {
  const own = [...new Set(lines.filter((one) => one.file === file).map(({ line }) => line))];
  const others = lines.filter((one) => one.file !== file).map((one) => `${one.file}:${one.line}`);
  const ranges: [number, number][] = [];
  for (const line of own.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return [...ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)), ...others].join(
    ', ',
  );
}

const mostListed = 12;

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'nothing known';
  const more = names.length - mostListed;
  return names.slice(0, mostListed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
}
