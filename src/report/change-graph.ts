/** A change sequence graph as a drawing: lines with their code, and in which orders they can be executed. */

import type { ElkNode } from 'elkjs/lib/elk.bundled.js';
import {
  entry,
  exit,
  type NamedChange,
  type StatementKind,
  type StatementSequences,
} from '../change/index.js';
import type { SourceLine } from '../program/graph/index.js';
import { short } from '../repository/index.js';
import { html, type Markup } from './markup.js';
import { stacked } from './stacked-layout.js';

/** A beginning or end, a changed block or statement, where changes can interact, something that is put out. */
type BoxKind = 'end' | StatementKind;

interface Box {
  readonly id: string;
  readonly kind: BoxKind;
  /** What it is, then the code. */
  readonly title: string;
  readonly code: readonly string[];
}

interface Drawing {
  readonly title: string;
  readonly boxes: readonly Box[];
  readonly arrows: readonly (readonly [from: string, to: string])[];
}

/** Of a block, so many lines of code are shown. */
const mostLines = 3;
const longestLine = 60;

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
    const title = `${fn?.name ?? ''}  ${first === undefined ? '' : `${first.file}:${first.line}`}`;
    return { id: String(id), kind: 'change', title, code: code.shown(places) };
  });
  const name = (node: number): string => (node === entry ? 'entry' : node === exit ? 'exit' : String(node));
  const end = (id: 'entry' | 'exit'): Box => ({ id, kind: 'end', title: id, code: [] });
  return {
    title: `change sequence graph of ${nameOf(of)}`,
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
    boxes: statements.map(({ kind, file, line, function: name }, id) => ({
      id: String(id),
      kind,
      title: `${said[kind]}${name}  ${file}:${line}`,
      code: code.shown([{ file, line }]),
    })),
    arrows: edges.map(([from, to]) => [String(from), String(to)]),
  };
}

function nameOf(of: NamedChange['of']): string {
  return typeof of === 'string' ? of : short(of.id);
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
  const drawing = sequences === undefined ? drawingOf(change) : statementDrawing(change, sequences);
  return file.endsWith('.dot') ? dotOf(drawing) : svgOf(drawing);
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

const lineHeight = 15;
const letterWidth = 6.7;
const margin = 8;

/** Light, and dark where the reader's screen is. */
const style = html`text{fill:#111}.page{fill:#fff}.arrow{fill:none;stroke:#555}.tip{fill:#555}g>rect{stroke:#555}
.end>rect,.output>rect{fill:#e8e8e8}.output>rect{stroke-dasharray:4 3}.change>rect{fill:#fff7e0}.interaction>rect{fill:#fde2e2;stroke:#b00020;stroke-width:2}
@media (prefers-color-scheme:dark){text{fill:#eee}.page{fill:#16181c}.arrow{stroke:#aaa}.tip{fill:#aaa}g>rect{stroke:#999}
.end>rect,.output>rect{fill:#2a2d33}.change>rect{fill:#3d3520}.interaction>rect{fill:#4a2328;stroke:#ff8a80}}`;

/** Boxes and arrows; more of them take longer than anybody waits, and make a picture that nobody can take in. */
const mostLayered = 400;

async function layered(graph: ElkNode): Promise<ElkNode> {
  // A large module that only drawing needs.
  const { default: elk } = await import('elkjs/lib/elk.bundled.js');
  return new elk.default().layout(graph);
}

/** By itself: no other file, no script. */
async function svgOf({ title, boxes, arrows }: Drawing): Promise<string> {
  const graph: ElkNode = {
    id: 'changes',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'DOWN',
      'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
      'elk.layered.spacing.nodeNodeBetweenLayers': '40',
    },
    children: boxes.map(({ id, title: first, code }) => ({
      id,
      width: Math.max(...[first, ...code].map((line) => line.length)) * letterWidth + 2 * margin,
      height: (1 + code.length) * lineHeight + 2 * margin,
      ...(id === 'entry' || id === 'exit'
        ? { layoutOptions: { 'elk.layered.layering.layerConstraint': id === 'entry' ? 'FIRST' : 'LAST' } }
        : {}),
    })),
    edges: arrows.map(([from, to], at) => ({ id: `e${at}`, sources: [from], targets: [to] })),
  };
  const laidOut = boxes.length + arrows.length > mostLayered ? stacked(graph) : await layered(graph);
  const { width = 0, height = 0, children = [], edges = [] } = laidOut;
  const drawn = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 ${width + 20} ${height + 20}" width="${width + 20}" height="${height + 20}" role="img" aria-label="${title}" font-family="monospace" font-size="11">
<title>${title}</title>
<style>${style}</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="page" x="-10" y="-10" width="${width + 20}" height="${height + 20}"/>
${edges.flatMap(({ sections = [] }) =>
  sections.map(({ startPoint, bendPoints = [], endPoint }) => {
    const points = [...bendPoints, endPoint].map(({ x, y }) => `L${round(x)} ${round(y)}`).join('');
    return html`<path d="M${round(startPoint.x)} ${round(startPoint.y)}${points}" class="arrow" marker-end="url(#tip)"/>
`;
  }),
)}${children.map((node, at) => drawnBox(node, boxes[at]))}</svg>
`;
  return drawn.text;
}

function drawnBox({ x = 0, y = 0, width = 0, height = 0 }: ElkNode, box: Box | undefined): Markup {
  const kind = box?.kind ?? 'end';
  const isRound = kind === 'end' || kind === 'output';
  return html`<g class="${kind}"><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${isRound ? 12 : 3}"/>${[
    box?.title ?? '',
    ...(box?.code ?? []),
  ].map(
    (line, at) =>
      html`<text xml:space="preserve" x="${round(x + margin)}" y="${round(y + margin + 11 + at * lineHeight)}"${at === 0 ? html` font-weight="bold"` : undefined}>${line}</text>`,
  )}</g>
`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
