/** Draws a change sequence graph: changed code, and the orders in which it can be executed. */

import {
  entry,
  exit,
  type NamedChange,
  type StatementKind,
  type StatementSequences,
} from '../../change/index.js';
import type { Markup } from '../../page/index.js';
import { type Box, type BoxKind, counted, type Drawing, inlineSvg, svgFile } from '../../page/index.js';
import type { SourceLine } from '../../program/graph/index.js';
import { changeName, shortSubject } from './complexity.js';

/** Maximum number of code lines in a box. */
const mostLines = 3;
const longestLine = 60;
const longestName = 32;

class CodeLines {
  readonly #lines: ReadonlyMap<string, readonly string[]>;

  constructor(texts: ReadonlyMap<string, string>) {
    this.#lines = new Map([...texts].map(([file, text]) => [file, text.split(/\r?\n/)]));
  }

  /** Leaves out lines of files without text. */
  shown(places: readonly SourceLine[]): readonly string[] {
    const code = places.slice(0, mostLines).flatMap(({ file, line }) => {
      const text = this.#lines.get(file)?.[line - 1];
      return text === undefined ? [] : [`${line}: ${text.trim()}`];
    });
    return code.map((line) => (line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line));
  }
}

/** Definition 14: changed blocks between entry and exit. */
function blockDrawing(change: NamedChange): Drawing {
  const { of, measure } = change;
  const { graph, flow, texts } = measure;
  const code = new CodeLines(texts);
  const boxes = graph.blocks.map(({ function: at, block }, id): Box => {
    const fn = flow[at];
    const places = fn?.blocks[block]?.lines ?? [];
    const [first] = places;
    return {
      id: String(id),
      kind: 'change',
      title: titleOf(fn?.name ?? '', first),
      code: code.shown(places),
    };
  });
  const name = (node: number): string => (node === entry ? 'entry' : node === exit ? 'exit' : String(node));
  const end = (id: 'entry' | 'exit'): Box => ({ id, kind: 'end', title: id, code: [] });
  return {
    title: `change sequence graph of ${changeName(change)}`,
    summary: summaryOf(of, [
      `complexity ${measure.complexity}`,
      counted(graph.blocks.length, 'changed block'),
      counted(graph.edgeCount, 'edge'),
    ]),
    boxes: [end('entry'), ...boxes, end('exit')],
    arrows: graph.edges.map(([from, to]) => [name(from), name(to)]),
  };
}

/** Algorithm 5: changed statements, potential interaction locations and outputs. */
function statementDrawing(change: NamedChange, { statements, edges }: StatementSequences): Drawing {
  const { of, measure } = change;
  const code = new CodeLines(measure.texts);
  const kindLabels: Readonly<Record<StatementKind, string>> = {
    change: '',
    interaction: 'can interact: ',
    output: 'output: ',
  };
  return {
    title: `change sequence graph of ${changeName(change)} with potential interaction locations`,
    summary: summaryOf(of, [
      counted(statements.filter(({ kind }) => kind === 'change').length, 'changed statement'),
      `${counted(statements.filter(({ kind }) => kind === 'interaction').length, 'place')} where they can interact`,
    ]),
    boxes: statements.map(({ kind, file, line, function: name }, id) => ({
      id: String(id),
      kind,
      title: `${kindLabels[kind]}${titleOf(name, { file, line })}`,
      code: code.shown([{ file, line }]),
    })),
    arrows: edges.map(([from, to]) => [String(from), String(to)]),
  };
}

/** Function and line, shortened to fit a box. */
function titleOf(name: string, place: SourceLine | undefined): string {
  const shown = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
  if (place === undefined) return shown;
  const path = `${place.file}:${place.line}`;
  return `${shown}  ${path.length > longestName ? `…${path.slice(1 - longestName)}` : path}`;
}

function summaryOf(of: NamedChange['of'], facts: readonly string[]): string {
  return typeof of === 'string' ? facts.join(', ') : `${shortSubject(of.subject)} (${facts.join(', ')})`;
}

/**
 * A graph for Graphviz if the file ends in `.dot`, otherwise an SVG.
 * @param sequences Algorithm 5's graph, which needs the whole program; it replaces the graph of blocks
 */
export function changeGraph(
  file: string,
  change: NamedChange,
  sequences?: StatementSequences,
): Promise<string> | string {
  const drawing = drawingFor(change, sequences);
  return file.endsWith('.dot') ? dotOf(drawing) : svgFile(drawing);
}

function drawingFor(change: NamedChange, sequences: StatementSequences | undefined): Drawing {
  return sequences === undefined ? blockDrawing(change) : statementDrawing(change, sequences);
}

/** Maximum number of boxes and arrows of a graph within a page. */
const mostOnPage = 120;

/**
 * A graph within a page; undefined if it is empty.
 * @param id unique on the page
 */
export async function graphOnPage(
  change: NamedChange,
  id: string,
  sequences?: StatementSequences,
): Promise<Markup | 'too large' | undefined> {
  const { blocks, edgeCount } = change.measure.graph;
  const [boxes, arrows] =
    sequences === undefined
      ? [blocks.length, edgeCount]
      : [sequences.statements.length, sequences.edges.length];
  if (arrows === 0) return undefined;
  if (boxes + arrows > mostOnPage) return 'too large';
  return inlineSvg(drawingFor(change, sequences), id);
}

export function isGraphFile(file: string): boolean {
  return /\.(svg|dot)$/.test(file);
}

const dotStyles: Readonly<Record<BoxKind, string>> = {
  end: 'style=rounded',
  change: 'style=filled, fillcolor="#fff7e0"',
  interaction: 'style="filled,bold", fillcolor="#fde2e2", color="#b00020"',
  output: 'style="rounded,dashed"',
};

function dotOf({ title, boxes, arrows }: Drawing): string {
  const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return [
    'digraph changes {',
    `  label=${quoted(title)};`,
    '  node [shape=box, fontname="monospace", fontsize=10];',
    ...boxes.map(({ id, kind, title: first, code }) => {
      const label = [first, ...code].map((line) => quoted(line).slice(1, -1)).join('\\l');
      return `  ${quoted(id)} [label="${label}${code.length > 0 ? '\\l' : ''}", ${dotStyles[kind]}];`;
    }),
    ...arrows.map(([from, to]) => `  ${quoted(from)} -> ${quoted(to)};`),
    '}',
    '',
  ].join('\n');
}
