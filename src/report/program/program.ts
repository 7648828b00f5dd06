/** Graphs of a program, for the terminal and `--json`. */

import { visible } from '../../machine/index.js';
import { table } from '../../page/index.js';
import type {
  FunctionPlace,
  ProgramBlock,
  ProgramFlow,
  ProgramSize,
} from '../../program/dependence/index.js';
import type { SourceLine } from '../../program/graph/index.js';

/** The size of a program in one sentence. */
export function programSizeText(name: string, modules: number, size: ProgramSize): string {
  const { functions, blocks, edges, calls, indirectCalls } = size;
  const parts = [
    groupedCount(modules, 'module'),
    groupedCount(functions, 'function'),
    groupedCount(blocks, 'block'),
    groupedCount(edges, 'edge'),
    `${groupedCount(calls, 'call')} (${indirectCalls.toLocaleString('en')} through pointers)`,
  ];
  return visible(`${name}: ${parts.join(', ')}`);
}

/** A function with its calls and blocks. */
export interface FunctionView extends FunctionPlace {
  readonly callers: readonly string[];
  readonly callees: readonly string[];
  readonly blocks: readonly ProgramBlock[];
}

export function functionViews(program: ProgramFlow, name: string): readonly FunctionView[] {
  const nameOf = (id: number): readonly string[] => {
    const place = program.functions[id];
    return place === undefined ? [] : [place.name];
  };
  return program.find(name).flatMap((id) => {
    const place = program.functions[id];
    if (place === undefined) return [];
    return {
      ...place,
      callers: program.calls.callers(id).flatMap(nameOf).toSorted(),
      callees: program.calls.callees(id).flatMap(nameOf).toSorted(),
      blocks: program.blocks(id),
    };
  });
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

/** Lines of a slice with their code. @param codeOf a line's text, undefined if it cannot be read */
export function sliceText(
  lines: readonly SourceLine[],
  codeOf: (line: SourceLine) => string | undefined,
): string {
  const width = lines.reduce((widest, { line }) => Math.max(widest, String(line).length), 0);
  const shown: string[] = [];
  let file: string | undefined;
  for (const place of lines) {
    if (place.file !== file) shown.push(...(file === undefined ? [] : ['']), place.file);
    file = place.file;
    shown.push(`  ${String(place.line).padStart(width)}  ${codeOf(place) ?? ''}`.trimEnd());
  }
  return visible(shown.join('\n'));
}

/** Ranges of line numbers; lines of other files have their file's name. */
function linesText(lines: readonly SourceLine[], file: string): string {
  const own = [...new Set(lines.filter((place) => place.file === file).map(({ line }) => line))];
  const others = lines.filter((place) => place.file !== file).map((place) => `${place.file}:${place.line}`);
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
  if (names.length === 0) return 'none known';
  const more = names.length - mostListed;
  return names.slice(0, mostListed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Such as `12,034 functions`. */
function groupedCount(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
}
