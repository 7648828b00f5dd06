/**
 * The colours of a heat map. They are translucent, so that they fit light and dark mode, under text in the normal
 * colour.
 */

import { html } from '../../page/index.js';

export const heatStyle = html`<style>
:root { --first: 37, 99, 184; --second: 196, 84, 10; }
@media screen and (prefers-color-scheme: dark) { :root { --first: 106, 165, 242; --second: 240, 145, 79; } }
body { max-width: 64rem; }
@media (scripting: enabled) { #lines:not(:has(> :not(noscript))) { display: none; } }
.heat { margin: .5rem 0; border: 1px solid var(--line); border-radius: 4px; background: none; font: .82rem/1.5 ui-monospace, monospace; tab-size: 8; }
.heat .inner { width: max-content; min-width: 100%; }
.heat .line { height: 1.5em; padding-right: .8rem; white-space: pre; print-color-adjust: exact; }
.heat .line > a, .heat .line > span { display: inline-block; width: 6ch; padding-right: 1ch; text-align: right; color: inherit; text-decoration: none; }
.heat .line > span { width: 7ch; }
.heat .line > span:last-of-type { margin-right: 1ch; border-right: 1px solid var(--line); }
.heat .line > a:hover { text-decoration: underline; }
.heat .here { outline: 2px solid var(--ink); outline-offset: -2px; }
:is(td, li).tint { padding-left: .4rem; } .tint a { color: inherit; }
.h1 { background: rgba(var(--second), .05); } .h2 { background: rgba(var(--second), .1); } .h3 { background: rgba(var(--second), .15); }
.h4 { background: rgba(var(--second), .2); } .h5 { background: rgba(var(--second), .26); } .h6 { background: rgba(var(--second), .32); }
.h7 { background: rgba(var(--second), .38); } .h8 { background: rgba(var(--second), .44); } .h9 { background: rgba(var(--second), .5); }
.a1 { background: rgba(var(--first), .1); } .a2 { background: rgba(var(--first), .18); } .a3 { background: rgba(var(--first), .28); }
.a4 { background: rgba(var(--first), .4); box-shadow: inset 4px 0 rgb(var(--first)); }
.b1 { background: rgba(var(--second), .1); } .b2 { background: rgba(var(--second), .18); } .b3 { background: rgba(var(--second), .28); }
.b4 { background: rgba(var(--second), .4); box-shadow: inset 4px 0 rgb(var(--second)); }
.heat-legend { margin: .8rem 0; } .heat-legend li { padding: 0 .6rem; print-color-adjust: exact; } .heat-legend li::before { content: none; }
td.tint { print-color-adjust: exact; }
button.step { padding: .1rem .6rem; margin-right: .5rem; font-size: .85rem; border: 1px solid var(--line); border-radius: 4px; cursor: pointer; }
@media (max-width: 40rem) {
  .heat { tab-size: 4; }
  .heat .line > a { width: 5ch; } .heat .line > span { width: 6ch; }
}
@media print {
  .heat .inner { width: auto; }
  .heat .line { height: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
}
</style>`;
