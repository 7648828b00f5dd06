/** Draws a graph of boxes with code. */

import type { ElkNode } from 'elkjs/lib/elk.bundled.js';
import { visibleLine } from '../../machine/index.js';
import { html, type Markup } from '../markup.js';
import { width as lettersIn } from '../text-width.js';
import { stackedLayout } from './stacked-layout.js';

/** `end`: entry or exit. `change`: a changed block or statement. `interaction`: changes can interact here. */
export type BoxKind = 'end' | 'change' | 'interaction' | 'output';

export interface Box {
  readonly id: string;
  readonly kind: BoxKind;
  readonly title: string;
  readonly code: readonly string[];
}

export interface Drawing {
  readonly title: string;
  /** A summary in one line. */
  readonly summary: string;
  readonly boxes: readonly Box[];
  readonly arrows: readonly (readonly [from: string, to: string])[];
}

const lineHeight = 15;
/** In pixels at a font size of 11. Monospace fonts differ little, but some round to whole pixels. */
const letterWidth = 7.1;
const margin = 8;
const border = 10;

/** Light colours, or dark ones if the reader's screen is dark. */
const style = html`text{fill:#111;font:11px ui-monospace,monospace}.head{font-weight:bold}.about{fill:#555}.page{fill:#fff}.arrow{fill:none;stroke:#555}.tip{fill:#555}g>rect{stroke:#555}
.end>rect,.output>rect{fill:#e8e8e8}.output>rect{stroke-dasharray:4 3}.change>rect{fill:#fff7e0}.interaction>rect{fill:#fde2e2;stroke:#b00020;stroke-width:2}
@media screen and (prefers-color-scheme:dark){text{fill:#eee}.about{fill:#aaa}.page{fill:#16181c}.arrow{stroke:#aaa}.tip{fill:#aaa}g>rect{stroke:#999}
.end>rect,.output>rect{fill:#2a2d33}.change>rect{fill:#3d3520}.interaction>rect{fill:#4a2328;stroke:#ff8a80}}`;

/** Graphs with more boxes and arrows get the stacked layout: a layered one takes too long and is unreadable. */
const mostLayered = 400;

/** A standalone SVG file without scripts. */
export async function svgFile(drawing: Drawing): Promise<string> {
  const { title, summary } = drawing;
  const { width, height, drawn } = await drawBoxes(drawing, 'tip');
  const heading = 3 * lineHeight;
  const full = {
    width: Math.max(width, textWidth(title), textWidth(summary)) + 2 * border,
    height: height + heading + 2 * border,
  };
  const [x, y] = [-border, -border - heading];
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${round(full.width)} ${round(full.height)}" width="${round(full.width)}" height="${round(full.height)}" role="img" aria-label="${title}">
<title>${title}</title>
<style>${style}</style>
<rect class="page" x="${x}" y="${y}" width="${round(full.width)}" height="${round(full.height)}"/>
<text class="head" x="0" y="${lineHeight - heading}">${title}</text>
<text class="about" x="0" y="${2 * lineHeight - heading}">${summary}</text>
${drawn}</svg>
`.text;
}

/**
 * An SVG for a page: it takes the page's colours and has no heading.
 * @param id unique on the page
 */
export async function inlineSvg(drawing: Drawing, id: string): Promise<Markup> {
  const { width, height, drawn } = await drawBoxes(drawing, `tip-${id}`);
  const full = { width: round(width + 2), height: round(height + 2) };
  return html`<svg class="sequence" viewBox="-1 -1 ${full.width} ${full.height}" style="width:${full.width}px" role="img" aria-label="${drawing.title}">
<title>${drawing.title}</title>
${drawn}</svg>`;
}

interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly drawn: Markup;
}

/** @param tip the id of the arrow marker */
async function drawBoxes({ boxes, arrows }: Drawing, tip: string): Promise<Drawn> {
  const graph: ElkNode = {
    id: 'changes',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'DOWN',
      'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
      'elk.layered.spacing.nodeNodeBetweenLayers': '40',
    },
    children: boxes.map(({ id, title, code }) => ({
      id,
      width: Math.max(...[title, ...code].map(textWidth)) + 2 * margin,
      height: (1 + code.length) * lineHeight + 2 * margin,
      ...(id === 'entry' || id === 'exit'
        ? {
            layoutOptions: {
              'elk.layered.layering.layerConstraint': id === 'entry' ? 'FIRST_SEPARATE' : 'LAST_SEPARATE',
            },
          }
        : {}),
    })),
    edges: arrows.map(([from, to], at) => ({ id: `e${at}`, sources: [from], targets: [to] })),
  };
  const laidOut = boxes.length + arrows.length > mostLayered ? stackedLayout(graph) : await layered(graph);
  const { width = 0, height = 0, children = [], edges = [] } = laidOut;
  const drawn = html`<defs><marker id="${tip}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>
${edges.flatMap(({ sections = [] }) =>
  sections.map(({ startPoint, bendPoints = [], endPoint }) => {
    const points = [...bendPoints, endPoint].map(({ x, y }) => `L${round(x)} ${round(y)}`).join('');
    return html`<path d="M${round(startPoint.x)} ${round(startPoint.y)}${points}" class="arrow" marker-end="url(#${tip})"/>
`;
  }),
)}${children.map((node, at) => drawBox(node, boxes[at]))}`;
  return { width, height, drawn };
}

async function layered(graph: ElkNode): Promise<ElkNode> {
  // Loaded on first use, since the module is large.
  const { default: elk } = await import('elkjs/lib/elk.bundled.js');
  return new elk.default().layout(graph);
}

function drawBox({ x = 0, y = 0, width = 0, height = 0 }: ElkNode, box: Box | undefined): Markup {
  const kind = box?.kind ?? 'end';
  const isRound = kind === 'end' || kind === 'output';
  return html`<g class="${kind}"><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${isRound ? 12 : 3}"/>${[
    box?.title ?? '',
    ...(box?.code ?? []),
  ].map(
    (line, at) =>
      html`<text xml:space="preserve"${at === 0 ? html` class="head"` : undefined} x="${round(x + margin)}" y="${round(y + margin + 11 + at * lineHeight)}">${line}</text>`,
  )}</g>
`;
}

/** Measures the text as `visibleLine` shows it. */
function textWidth(text: string): number {
  return lettersIn(visibleLine(text)) * letterWidth;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
