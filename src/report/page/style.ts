/** How the page looks: plain, for a screen or paper, by day and by night. */

import { html } from '../markup.js';

export const style = html`<style>
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c1e21; --quiet: #5f6670; --line: #d9dde2; --box: #f5f6f8; --wrong: #b3261e;
  --series-0: #2563b8; --series-1: #c4540a; --series-2: #1c8056; --series-3: #8a3fb0;
  --series-4: #b8860b; --series-5: #c2326e; --series-6: #0f7f8f; --series-7: #6b6f76;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --ink: #e4e6e9; --quiet: #9aa2ac; --line: #363b42; --box: #1e2125; --wrong: #ff8a80;
    --series-0: #6aa5f2; --series-1: #f0914f; --series-2: #58bf90; --series-3: #c48be4;
    --series-4: #dcb13f; --series-5: #f27ba8; --series-6: #4fc0d0; --series-7: #a7adb5;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 52rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.2rem; margin: 0 0 .5rem; }
h2 small, .quiet { color: var(--quiet); font-weight: normal; font-size: .9rem; }
h3, figcaption { font-size: 1rem; font-weight: 600; margin: 1.25rem 0 .4rem; }
section { margin-top: 2.25rem; padding-top: 1rem; border-top: 1px solid var(--line); }
article { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); }
.wrong { border-top: 3px solid var(--wrong); }
.wrong h2, .wrong b { color: var(--wrong); }
.wrong article { border-left-color: var(--wrong); }
pre { margin: .5rem 0; padding: .6rem .8rem; max-height: 28rem; overflow: auto; background: var(--box);
  border-radius: 4px; font: .85rem/1.45 ui-monospace, monospace; white-space: pre-wrap; tab-size: 2; }
pre.command { border-left: 3px solid var(--series-0); }
table { border-collapse: collapse; margin: .5rem 0; font-size: .9rem; }
th, td { padding: .2rem .9rem .2rem 0; text-align: left; vertical-align: top; }
thead th { color: var(--quiet); font-weight: 600; border-bottom: 1px solid var(--line); }
.settings th { color: var(--quiet); font-weight: normal; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.wide { overflow-x: auto; }
.bad { color: var(--wrong); } .alarm { color: var(--wrong); font-weight: 700; } .good { color: var(--series-2); }
.copyable { position: relative; }
.copyable > pre { padding-right: 4.5rem; }
button, input { font: inherit; color: inherit; background: none; }
button.copy { position: absolute; top: .35rem; right: .35rem; padding: .05rem .5rem; font-size: .8rem; color: var(--quiet);
  background: var(--paper); border: 1px solid var(--line); border-radius: 4px; cursor: pointer; }
th > button { padding: 0; border: 0; font-weight: inherit; cursor: pointer; text-decoration: underline dotted; }
th[aria-sort=ascending] > button::after { content: " ▲"; } th[aria-sort=descending] > button::after { content: " ▼"; }
.filter input { width: min(100%, 20rem); padding: .3rem .5rem; border: 1px solid var(--line); border-radius: 4px; }
tr:target { background: var(--box); outline: 2px solid var(--series-1); }
summary { cursor: pointer; color: var(--quiet); }
a { color: var(--series-0); }
figure { margin: 1.5rem 0; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--quiet); font: 11px system-ui, sans-serif; }
.grid { stroke: var(--line); stroke-width: .6; }
.tick, .base { stroke: var(--quiet); stroke-width: .8; }
.diagonal { stroke: var(--quiet); stroke-dasharray: 4 4; }
svg [class^=series] path { fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linejoin: round; }
svg [class^=series] circle, .slowdowns circle { fill: currentColor; }
.dots { stroke: var(--quiet); stroke-opacity: .55; stroke-width: 3; stroke-linecap: round; fill: none; }
.slowdowns, .slow { color: var(--series-1); }
.other { color: var(--quiet); }
.series-0 { color: var(--series-0); } .series-1 { color: var(--series-1); }
.series-2 { color: var(--series-2); } .series-3 { color: var(--series-3); }
.series-4 { color: var(--series-4); } .series-5 { color: var(--series-5); }
.series-6 { color: var(--series-6); } .series-7 { color: var(--series-7); }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; margin: .4rem 0 0; padding: 0; list-style: none; font-size: .85rem; }
.legend li::before { content: "●  "; }
.small-charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 0 1.5rem; }
.small-charts figure { margin: .5rem 0; }
.small-charts figcaption { font-weight: normal; margin: 0 0 .2rem; }
@media print { button.copy, .filter { display: none; } pre { max-height: none; } section { break-inside: avoid; } }
</style>`;
