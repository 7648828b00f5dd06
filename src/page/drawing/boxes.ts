/** Boxes with lines of code in them and arrows between them, as a picture. */

import type { ElkNode } from 'elkjs/lib/elk.bundled.js';
import { visibleLine } from '../../machine/index.js';
import { html, type Markup } from '../markup.js';
import { width as lettersIn } from '../text-width.js';
import { stacked } from './stacked-layout.js';

/** A beginning or end, a changed block or statement, where changes can interact, something that is put out. */
export type BoxKind = 'end' | 'change' | 'interaction' | 'output';

export interface Box {
  readonly id: string;
  readonly kind: BoxKind;
  /** What it is, then the code. */
  readonly title: string;
  readonly code: readonly string[];
}

export interface Drawing {
  readonly title: string;
  /** What it comes to, in a line. */
  readonly about: string;
  readonly boxes: readonly Box[];
  readonly arrows: readonly (readonly [from: string, to: string])[];
}

const lineHeight = 15;
/** At 11 pixels, where fonts whose letters are all as wide as one another differ little; some are set to whole pixels. */
const letterWidth = 7.1;
const margin = 8;
/** Around all of it. */
const border = 10;

/** Light, and dark where the reader's screen is. */
const style = html`text{fill:#111;font:11px ui-monospace,monospace}.head{font-weight:bold}.about{fill:#555}.page{fill:#fff}.arrow{fill:none;stroke:#555}.tip{fill:#555}g>rect{stroke:#555}
.end>rect,.output>rect{fill:#e8e8e8}.output>rect{stroke-dasharray:4 3}.change>rect{fill:#fff7e0}.interaction>rect{fill:#fde2e2;stroke:#b00020;stroke-width:2}
@media screen and (prefers-color-scheme:dark){text{fill:#eee}.about{fill:#aaa}.page{fill:#16181c}.arrow{stroke:#aaa}.tip{fill:#aaa}g>rect{stroke:#999}
.end>rect,.output>rect{fill:#2a2d33}.change>rect{fill:#3d3520}.interaction>rect{fill:#4a2328;stroke:#ff8a80}}`;

/** Boxes and arrows; more of them take longer than anybody waits, and make a picture that nobody can take in. */
const mostLayered = 400;

/** A file by itself: it needs no other, runs nothing, and says what it shows. */
export async function pictureOf(drawing: Drawing): Promise<string> {
  const { title, about } = drawing;
  const { width, height, drawn } = await drawnBoxes(drawing, 'tip');
  const heading = 3 * lineHeight;
  const full = {
    width: Math.max(width, textWidth(title), textWidth(about)) + 2 * border,
    height: height + heading + 2 * border,
  };
  const [x, y] = [-border, -border - heading];
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${round(full.width)} ${round(full.height)}" width="${round(full.width)}" height="${round(full.height)}" role="img" aria-label="${title}">
<title>${title}</title>
<style>${style}</style>
<rect class="page" x="${x}" y="${y}" width="${round(full.width)}" height="${round(full.height)}"/>
<text class="head" x="0" y="${lineHeight - heading}">${title}</text>
<text class="about" x="0" y="${2 * lineHeight - heading}">${about}</text>
${drawn}</svg>
`.text;
}

/**
 * The same as a part of a page, in its colours and without a heading.
 *
 * @param id no other picture on the page has it
 */
export async function pictureOnPage(drawing: Drawing, id: string): Promise<Markup> {
  const { width, height, drawn } = await drawnBoxes(drawing, `tip-${id}`);
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

/** @param tip what the tips of arrows are called in the document */
async function drawnBoxes({ boxes, arrows }: Drawing, tip: string): Promise<Drawn> {
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
  const laidOut = boxes.length + arrows.length > mostLayered ? stacked(graph) : await layered(graph);
  const { width = 0, height = 0, children = [], edges = [] } = laidOut;
  const drawn = html`<defs><marker id="${tip}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>
${edges.flatMap(({ sections = [] }) =>
  sections.map(({ startPoint, bendPoints = [], endPoint }) => {
    const points = [...bendPoints, endPoint].map(({ x, y }) => `L${round(x)} ${round(y)}`).join('');
    return html`<path d="M${round(startPoint.x)} ${round(startPoint.y)}${points}" class="arrow" marker-end="url(#${tip})"/>
`;
  }),
)}${children.map((node, at) => drawnBox(node, boxes[at]))}`;
  return { width, height, drawn };
}

async function layered(graph: ElkNode): Promise<ElkNode> {
  // A large module that only drawing needs.
  const { default: elk } = await import('elkjs/lib/elk.bundled.js');
  return new elk.default().layout(graph);
}

function drawnBox({ x = 0, y = 0, width = 0, height = 0 }: ElkNode, box: Box | undefined): Markup {
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

/** As it is shown: what could move a cursor is written out. */
function textWidth(text: string): number {
  return lettersIn(visibleLine(text)) * letterWidth;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
