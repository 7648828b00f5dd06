/** The style of every page, for screen, print and dark mode. */

import { html } from '../markup.js';

export const style = html`<style>
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c1e21; --quiet: #5f6670; --line: #d9dde2; --box: #f5f6f8; --wrong: #b3261e; --good: #17694a;
  --added: #e0f3e5; --changed: #fff1cf; --removed: #fbe4e2; --used: #e4edfa; --word: #ffdc8a; --gone-word: #f5bcb8;
  --series-0: #2563b8; --series-1: #c4540a; --series-2: #1c8056; --series-3: #8a3fb0;
  --series-4: #b8860b; --series-5: #c2326e; --series-6: #0f7f8f; --series-7: #6b6f76;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --ink: #e4e6e9; --quiet: #9aa2ac; --line: #363b42; --box: #1e2125; --wrong: #ff8a80; --good: #58bf90;
    --added: #1a3424; --changed: #3a3015; --removed: #3c2021; --used: #1b2b42; --word: #6b5510; --gone-word: #6e2e2c;
    --series-0: #6aa5f2; --series-1: #f0914f; --series-2: #58bf90; --series-3: #c48be4;
    --series-4: #dcb13f; --series-5: #f27ba8; --series-6: #4fc0d0; --series-7: #a7adb5;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 52rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .5rem; }
section > h2 { margin-top: 0; }
h2 small, .quiet { color: var(--quiet); font-weight: normal; font-size: .9rem; }
h3, figcaption { font-size: 1rem; font-weight: 600; margin: 1.25rem 0 .4rem; }
figcaption { margin-top: 0; }
section { margin-top: 2.25rem; padding-top: 1rem; border-top: 1px solid var(--line); }
article { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); }
.wrong { border-top: 3px solid var(--wrong); }
.wrong h2, .wrong b { color: var(--wrong); }
.wrong article { border-left-color: var(--wrong); }
pre { margin: .5rem 0; padding: .6rem .8rem; max-height: 28rem; overflow: auto; background: var(--box);
  border-radius: 4px; font: .85rem/1.45 ui-monospace, monospace; white-space: pre-wrap; tab-size: 2; }
pre.figures { max-height: none; white-space: pre; }
pre.command { border-left: 3px solid var(--series-0); }
pre.command > span { display: inline-block; max-width: 100%; vertical-align: top; }
table { border-collapse: collapse; margin: .5rem 0; font-size: .9rem; }
th, td { padding: .2rem .9rem .2rem 0; max-width: min(22rem, 55vw); text-align: left; vertical-align: top; overflow-wrap: break-word; }
.words { min-width: 12rem; }
thead th { color: var(--quiet); font-weight: 600; border-bottom: 1px solid var(--line); }
.settings th { color: var(--quiet); font-weight: normal; white-space: nowrap; }
.settings td { max-width: none; overflow-wrap: anywhere; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bad { color: var(--wrong); } .alarm { color: var(--wrong); font-weight: 700; } .good { color: var(--good); }
.badge { padding: .05rem .5rem; border: 1px solid var(--line); border-radius: 1rem; white-space: nowrap; }
.badge.strong { background: var(--wrong); border-color: var(--wrong); color: var(--paper); font-weight: 600; }
.badge.weak { border-color: var(--wrong); } .badge.none { color: var(--quiet); }
.copyable { position: relative; }
.copyable > pre { padding-right: 4.5rem; }
.copyable > pre.figures { padding-top: 2.2rem; }
button, input { font: inherit; color: inherit; background: none; }
button.copy { position: absolute; top: .35rem; right: .35rem; padding: .05rem .5rem; font-size: .8rem; color: var(--quiet);
  background: var(--paper); border: 1px solid var(--line); border-radius: 4px; cursor: pointer; }
th > button { padding: 0; border: 0; font-weight: inherit; cursor: pointer; text-decoration: underline dotted; }
th[aria-sort=ascending] > button::after { content: " ▲"; } th[aria-sort=descending] > button::after { content: " ▼"; }
.filter input { width: min(100%, 20rem); padding: .3rem .5rem; border: 1px solid var(--line); border-radius: 4px; }
tr:target { background: var(--box); outline: 2px solid var(--series-1); }
.formula .command { color: var(--series-3); } .formula .operator { color: var(--series-0); }
.formula .string { color: var(--good); } .formula .number { color: var(--wrong); } .formula .comment { color: var(--quiet); }
.note:not(:empty) { min-width: 14rem; }
#formulas td:first-child { min-width: 8rem; }
.below { max-width: none; overflow-wrap: anywhere; padding-bottom: .8rem; }
/* Wide content scrolls in its own box. A shadow marks the side with hidden content. */
.wide, figure { overflow-x: auto;
  background: linear-gradient(to right, var(--paper) 40%, transparent) left / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--paper) 40%, transparent) right / 2.5rem 100% no-repeat local,
    linear-gradient(to right, var(--line), transparent) left / .8rem 100% no-repeat scroll,
    linear-gradient(to left, var(--line), transparent) right / .8rem 100% no-repeat scroll; }
/* A table may be wider than the text if the window is. */
@media screen and (min-width: 60rem) {
  .wide:has(> table.sortable) { position: relative; left: 50%; transform: translateX(-50%);
    width: max-content; min-width: 100%; max-width: min(100vw - 4rem, 84rem); }
}
summary { cursor: pointer; color: var(--quiet); }
summary > h2 { display: inline; color: var(--ink); }
a { color: var(--series-0); }
figure { margin: 1.5rem 0; }
figcaption, .legend { position: sticky; left: 0; }
svg { display: block; width: 100%; min-width: 32rem; height: auto; }
svg text { fill: var(--quiet); font: 11px system-ui, sans-serif; }
.grid { stroke: var(--line); stroke-width: .6; }
.tick, .base { stroke: var(--quiet); stroke-width: .8; }
.diagonal { stroke: var(--quiet); stroke-dasharray: 4 4; }
svg [class^=series] path { fill: none; stroke: var(--series); stroke-width: 1.8; stroke-linejoin: round; }
svg [class^=series] :is(circle, rect), .slowdowns circle { fill: var(--series); }
.dots { stroke: var(--quiet); stroke-opacity: .55; stroke-width: 3; stroke-linecap: round; fill: none; }
.slowdowns, .slow { --series: var(--series-1); }
.other { --series: var(--quiet); }
.series-0 { --series: var(--series-0); } .series-1 { --series: var(--series-1); }
.series-2 { --series: var(--series-2); } .series-3 { --series: var(--series-3); }
.series-4 { --series: var(--series-4); } .series-5 { --series: var(--series-5); }
.series-6 { --series: var(--series-6); } .series-7 { --series: var(--series-7); }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; margin: .4rem 0 0; padding: 0; list-style: none; font-size: .85rem; }
.legend li::before { content: "●  "; color: var(--series); }
.small-charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 0 1.5rem; }
.small-charts figure { margin: .5rem 0; }
.small-charts svg { min-width: 0; }
.small-charts figcaption { font-weight: normal; margin: 0 0 .2rem; }
.cube .stem { stroke: var(--quiet); stroke-opacity: .4; stroke-width: .8; }
.cube .behind { fill: var(--paper); fill-opacity: .6; stroke: var(--quiet); }
.cube text { fill: var(--ink); paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
/* A vertical swipe scrolls the page, a horizontal one turns the cube. */
.turnable { cursor: grab; touch-action: pan-y; user-select: none; }
.turnable:active { cursor: grabbing; }
.source { margin: .5rem 0; border: 1px solid var(--line); border-radius: 4px; font: .82rem/1.5 ui-monospace, monospace; tab-size: 8; }
.source code { display: block; width: max-content; min-width: 100%; font: inherit; }
.source .line { display: block; position: relative; padding: 0 .8rem 0 4.6rem; border-left: 3px solid transparent; white-space: pre;
  text-decoration: none; print-color-adjust: exact; }
.source .line::before { content: attr(data-line); position: absolute; top: 0; left: 0; width: 2.9rem; text-align: right; color: var(--quiet); }
.source .line::after { position: absolute; top: 0; left: 3.4rem; color: var(--quiet); }
.source ins.line::after { content: "+"; } .source del.line::after { content: "-"; }
.source .added { background: var(--added); } .source .changed { background: var(--changed); }
.source .removed { background: var(--removed); } .source .used { background: var(--used); }
.source del.line { text-decoration: line-through; text-decoration-color: var(--quiet); }
.source .counted { border-left-color: var(--series-1); }
.source mark { background: var(--word); color: inherit; } .source del mark { background: var(--gone-word); }
.source summary { padding: .1rem .8rem .1rem 4.6rem; background: var(--box); font-family: system-ui, sans-serif; }
.source-legend { margin: .8rem 0; }
.source-legend li { padding: 0 .5rem; border-left: 3px solid transparent; }
.source-legend li::before { content: none; }
.source-legend .added { background: var(--added); } .source-legend .changed { background: var(--changed); }
.source-legend .removed { background: var(--removed); text-decoration: line-through; } .source-legend .used { background: var(--used); }
.source-legend .counted { border-left-color: var(--series-1); }
@media (max-width: 40rem) {
  .source { tab-size: 4; }
  .source .line, .source summary { padding-left: 3.5rem; }
  .source .line::before { width: 2.2rem; } .source .line::after { left: 2.6rem; }
}
svg.sequence { min-width: 0; }
.sequence text { fill: var(--ink); font: 11px ui-monospace, monospace; } .sequence .head { font-weight: bold; }
.sequence .arrow { fill: none; stroke: var(--quiet); } .sequence .tip { fill: var(--quiet); }
.sequence g > rect { fill: var(--box); stroke: var(--quiet); } .sequence .change > rect { fill: var(--changed); }
.sequence .interaction > rect { fill: var(--removed); stroke: var(--wrong); stroke-width: 2; }
.sequence .output > rect { stroke-dasharray: 4 3; }
dt { font-weight: 600; margin-top: .6rem; } dd { margin: 0 0 0 1.2rem; }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; }
  button.copy, .filter, .turn-hint { display: none; }
  .copyable > pre, .copyable > pre.figures { padding: .6rem .8rem; }
  pre, pre.figures { max-height: none; overflow: visible; white-space: pre-wrap; }
  figure, .wide { overflow: visible; background: none; }
  svg { min-width: 0; }
  svg.sequence { max-width: 100%; }
  .source code { width: auto; }
  .source .line { white-space: pre-wrap; overflow-wrap: anywhere; }
  pre.figures { font-size: .7rem; }
  table { font-size: .8rem; }
  th, td { max-width: none; padding-right: .5rem; overflow-wrap: anywhere; }
  :is(th, td):not(.number) { min-width: 6rem; }
  table.numbers { font-size: .65rem; }
  table.numbers :is(th, td) { overflow-wrap: break-word; }
  table.numbers th.number { white-space: normal; }
  table.sortable { font-size: .65rem; }
  table.sortable :is(th, td) { min-width: 0; padding-right: .45rem; }
  table.sortable :is(th, td):first-child { min-width: 6rem; }
  details::details-content { content-visibility: visible; }
  figure, tr { break-inside: avoid; }
  h2, h3, figcaption { break-after: avoid; }
}
</style>`;
