/** A program as graphs, on a terminal and for other tools. */

import { visible } from '../../machine/index.js';
import { table } from '../../page/index.js';
import type {
  FunctionPlace,
  ProgramBlock,
  ProgramFlow,
  ProgramSize,
} from '../../program/dependence/index.js';
import type { SourceLine } from '../../program/graph/index.js';

/** How large it is, in one sentence. */
export function programSizeText(name: string, modules: number, size: ProgramSize): string {
  const { functions, blocks, edges, calls, indirectCalls } = size;
  const parts = [
    grouped(modules, 'module'),
    grouped(functions, 'function'),
    grouped(blocks, 'block'),
    grouped(edges, 'edge'),
    `${grouped(calls, 'call')} (${indirectCalls.toLocaleString('en')} through pointers)`,
  ];
  return visible(`${name}: ${parts.join(', ')}`);
}

/** A function with all that the graphs say of it. */
export interface FunctionView extends FunctionPlace {
  readonly callers: readonly string[];
  readonly callees: readonly string[];
  readonly blocks: readonly ProgramBlock[];
}

/** Every function of that name. */
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

/** The lines of a slice with their code, where it can be read. @param codeOf a line's text */
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

/** As ranges; those of other files with the files' names. */
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
  if (names.length === 0) return 'nothing known';
  const more = names.length - mostListed;
  return names.slice(0, mostListed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Such as `12,034 functions`. */
function grouped(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
}
