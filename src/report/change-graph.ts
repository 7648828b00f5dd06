/** A change sequence graph as a drawing: lines with their code, and in which orders they can be executed. */

import type { ElkNode } from 'elkjs/lib/elk.bundled.js';
import { type ChangeMeasure, entry, exit, type MeasuredChange } from '../change/index.js';
import { html, type Markup } from './markup.js';

interface Box {
  readonly id: string;
  /** What it is, then the code. */
  readonly title: string;
  readonly code: readonly string[];
}

interface Drawing {
  readonly boxes: readonly Box[];
  readonly arrows: readonly (readonly [from: string, to: string])[];
}

/** Of a block, so many lines of code are shown. */
const mostLines = 3;
const longestLine = 60;

function drawingOf({ graph, flow }: ChangeMeasure, texts: ReadonlyMap<string, string>): Drawing {
  const lines = new Map([...texts].map(([file, text]) => [file, text.split(/\r?\n/)]));
  const boxes = graph.blocks.map(({ function: at, block }, id): Box => {
    const fn = flow[at];
    const places = fn?.blocks[block]?.lines ?? [];
    const [first] = places;
    const code = places.map(({ file, line }) => `${line}: ${(lines.get(file)?.[line - 1] ?? '').trim()}`);
    return {
      id: String(id),
      title: `${fn?.name ?? ''}  ${first === undefined ? '' : `${first.file}:${first.line}`}`,
      code: code
        .slice(0, mostLines)
        .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line)),
    };
  });
  const name = (node: number): string => (node === entry ? 'entry' : node === exit ? 'exit' : String(node));
  return {
    boxes: [{ id: 'entry', title: 'entry', code: [] }, ...boxes, { id: 'exit', title: 'exit', code: [] }],
    arrows: graph.edges.map(([from, to]) => [name(from), name(to)]),
  };
}

/** Drawn as the name of a file asks for: for Graphviz, or as a picture. */
export function changeGraph(file: string, measure: MeasuredChange): Promise<string> | string {
  return file.endsWith('.dot')
    ? changeGraphDot(measure, measure.texts)
    : changeGraphSvg(measure, measure.texts);
}

/** Can a graph be drawn into a file of that name? */
export function isGraphFile(file: string): boolean {
  return /\.(svg|dot)$/.test(file);
}

/** For Graphviz. */
export function changeGraphDot(measure: ChangeMeasure, texts: ReadonlyMap<string, string>): string {
  const { boxes, arrows } = drawingOf(measure, texts);
  const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return [
    'digraph changes {',
    '  node [shape=box, fontname="monospace", fontsize=10];',
    ...boxes.map(({ id, title, code }) => {
      const label = [title, ...code].map((line) => quoted(line).slice(1, -1)).join('\\l');
      return `  ${quoted(id)} [label="${label}${code.length > 0 ? '\\l' : ''}"];`;
    }),
    ...arrows.map(([from, to]) => `  ${quoted(from)} -> ${quoted(to)};`),
    '}',
    '',
  ].join('\n');
}

const lineHeight = 15;
const letterWidth = 6.7;
const margin = 8;

/** By itself: no other file, no script. */
export async function changeGraphSvg(
  measure: ChangeMeasure,
  texts: ReadonlyMap<string, string>,
): Promise<string> {
  const { boxes, arrows } = drawingOf(measure, texts);
  // A large module that only drawing needs.
  const { default: elk } = await import('elkjs/lib/elk.bundled.js');
  const laidOut = await new elk.default().layout({
    id: 'changes',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'DOWN',
      'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
      'elk.layered.spacing.nodeNodeBetweenLayers': '40',
    },
    children: boxes.map(({ id, title, code }) => ({
      id,
      width: Math.max(...[title, ...code].map((line) => line.length)) * letterWidth + 2 * margin,
      height: (1 + code.length) * lineHeight + 2 * margin,
      ...(id === 'entry' || id === 'exit'
        ? { layoutOptions: { 'elk.layered.layering.layerConstraint': id === 'entry' ? 'FIRST' : 'LAST' } }
        : {}),
    })),
    edges: arrows.map(([from, to], at) => ({ id: `e${at}`, sources: [from], targets: [to] })),
  });
  const { width = 0, height = 0, children = [], edges = [] } = laidOut;
  const drawn = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 ${width + 20} ${height + 20}" width="${width + 20}" height="${height + 20}" role="img" aria-label="change sequence graph" font-family="monospace" font-size="11">
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>
<rect x="-10" y="-10" width="${width + 20}" height="${height + 20}" fill="#fff"/>
${edges.flatMap(({ sections = [] }) =>
  sections.map(({ startPoint, bendPoints = [], endPoint }) => {
    const points = [...bendPoints, endPoint].map(({ x, y }) => `L${round(x)} ${round(y)}`).join('');
    return html`<path d="M${round(startPoint.x)} ${round(startPoint.y)}${points}" fill="none" stroke="#555" marker-end="url(#tip)"/>
`;
  }),
)}${children.map((node, at) => drawnBox(node, boxes[at]))}</svg>
`;
  return drawn.text;
}

function drawnBox({ x = 0, y = 0, width = 0, height = 0 }: ElkNode, box: Box | undefined): Markup {
  const isEnd = (box?.code.length ?? 0) === 0;
  return html`<g><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${isEnd ? 12 : 3}" fill="${isEnd ? '#e8e8e8' : '#fff7e0'}" stroke="#555"/>${[
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
