/** A change sequence graph as a drawing: lines with their code, and in which orders they can be executed. */

import {
  entry,
  exit,
  type NamedChange,
  type StatementKind,
  type StatementSequences,
} from '../../change/index.js';
import type { Markup } from '../../page/index.js';
import { type Box, type BoxKind, counted, type Drawing, pictureOf, pictureOnPage } from '../../page/index.js';
import type { SourceLine } from '../../program/graph/index.js';
import { shortId } from '../../repository/index.js';
import { shortSubject } from './complexity.js';

/** Of a block, so many lines of code are shown. */
const mostLines = 3;
const longestLine = 60;
const longestName = 32;

/** Lines of code by file and number. */
class CodeLines {
  readonly #lines: ReadonlyMap<string, readonly string[]>;

  constructor(texts: ReadonlyMap<string, string>) {
    this.#lines = new Map([...texts].map(([file, text]) => [file, text.split(/\r?\n/)]));
  }

  /** Nothing of files that are not at hand. */
  shown(places: readonly SourceLine[]): readonly string[] {
    const code = places.slice(0, mostLines).flatMap(({ file, line }) => {
      const text = this.#lines.get(file)?.[line - 1];
      return text === undefined ? [] : [`${line}: ${text.trim()}`];
    });
    return code.map((line) => (line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line));
  }
}

/** Definition 14: changed blocks between entry and exit. */
function drawingOf({ of, measure }: NamedChange): Drawing {
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
    title: `change sequence graph of ${nameOf(of)}`,
    about: aboutOf(of, [
      `complexity ${measure.complexity}`,
      counted(graph.blocks.length, 'changed block'),
      counted(graph.edgeCount, 'edge'),
    ]),
    boxes: [end('entry'), ...boxes, end('exit')],
    arrows: graph.edges.map(([from, to]) => [name(from), name(to)]),
  };
}

/** Algorithm 5: changed statements, where they can interact, and what is put out. */
function statementDrawing({ of, measure }: NamedChange, { statements, edges }: StatementSequences): Drawing {
  const code = new CodeLines(measure.texts);
  const said: Readonly<Record<StatementKind, string>> = {
    change: '',
    interaction: 'can interact: ',
    output: 'output: ',
  };
  return {
    title: `change sequence graph of ${nameOf(of)} with potential interaction locations`,
    about: aboutOf(of, [
      counted(statements.filter(({ kind }) => kind === 'change').length, 'changed statement'),
      `${counted(statements.filter(({ kind }) => kind === 'interaction').length, 'place')} where they can interact`,
    ]),
    boxes: statements.map(({ kind, file, line, function: name }, id) => ({
      id: String(id),
      kind,
      title: `${said[kind]}${titleOf(name, { file, line })}`,
      code: code.shown([{ file, line }]),
    })),
    arrows: edges.map(([from, to]) => [String(from), String(to)]),
  };
}

/** A function and a line; of what is too long for a box the part that tells most. */
function titleOf(name: string, place: SourceLine | undefined): string {
  const shown = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
  if (place === undefined) return shown;
  const path = `${place.file}:${place.line}`;
  return `${shown}  ${path.length > longestName ? `…${path.slice(1 - longestName)}` : path}`;
}

function nameOf(of: NamedChange['of']): string {
  return typeof of === 'string' ? of : shortId(of.id);
}

function aboutOf(of: NamedChange['of'], facts: readonly string[]): string {
  return typeof of === 'string' ? facts.join(', ') : `${shortSubject(of.subject)} (${facts.join(', ')})`;
}

/**
 * Drawn as the name of a file asks for: for Graphviz, or as a picture.
 *
 * @param sequences where the whole program was at hand, Algorithm 5's graph, which is drawn in place of the other
 */
export function changeGraph(
  file: string,
  change: NamedChange,
  sequences?: StatementSequences,
): Promise<string> | string {
  const drawing = drawingFor(change, sequences);
  return file.endsWith('.dot') ? dotOf(drawing) : pictureOf(drawing);
}

function drawingFor(change: NamedChange, sequences: StatementSequences | undefined): Drawing {
  return sequences === undefined ? drawingOf(change) : statementDrawing(change, sequences);
}

/** Boxes and arrows that a page shows; a larger picture is one to look at by itself. */
const mostOnPage = 120;

/**
 * As a part of a page; undefined where there is nothing to draw.
 *
 * @param id no other picture on the page has it
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
  return pictureOnPage(drawingFor(change, sequences), id);
}

/** Can a graph be drawn into a file of that name? */
export function isGraphFile(file: string): boolean {
  return /\.(svg|dot)$/.test(file);
}

/** How Graphviz shows what a box is. */
const dotStyles: Readonly<Record<BoxKind, string>> = {
  end: 'style=rounded',
  change: 'style=filled, fillcolor="#fff7e0"',
  interaction: 'style="filled,bold", fillcolor="#fde2e2", color="#b00020"',
  output: 'style="rounded,dashed"',
};

/** For Graphviz. */
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
