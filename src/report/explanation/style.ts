/** The style of an explanation page: causes on the left, source on the right. */

import { html } from '../../page/index.js';

export const explanationStyle = html`<style>
body { max-width: 80rem; }
body > p, section > p { max-width: 52rem; }
.difference { max-width: 60rem; }
.failure { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1rem; margin: .8rem 0; max-width: 60rem; }
.failure dt { margin: 0; font-weight: normal; color: var(--quiet); } .failure dd { margin: 0; }
.failure code { white-space: pre-wrap; }
.cause { margin: .4rem 0 .4rem .1rem; padding-left: .7rem; border-left: 2px solid var(--line); }
.cause > summary { margin-left: -.2rem; color: var(--ink); }
.steps { margin: .2rem 0 .4rem; padding: 0; list-style: none; }
.step { display: block; padding: .1rem .4rem; border-left: 3px solid transparent; border-radius: 3px; color: inherit; text-decoration: none;
  font-size: .85rem; print-color-adjust: exact; }
a.step:hover { background: var(--box); }
.step .place { color: var(--series-0); font-size: .8rem; margin-right: .5rem; }
span.step .place { color: var(--quiet); }
.step code { white-space: pre-wrap; } .step .values { color: var(--quiet); margin-left: .5rem; }
.step.changed { background: var(--changed); border-left-color: var(--series-1); }
.step[aria-current] { outline: 2px solid var(--series-0); outline-offset: -2px; }
.sources > .file > h3 { margin: 0; padding: .3rem 0; }
.source .gap { display: block; height: 1.5em; background: var(--box); border-block: 1px dashed var(--line); }
.source .seen { margin-left: 2ch; color: var(--quiet); font-style: italic; }
.source .in-cause { background: var(--used); border-left-color: var(--series-0); }
.source .in-cause.changed { background: var(--changed); border-left-color: var(--series-1); }
.source .here, .source .line:target { outline: 2px solid var(--series-0); outline-offset: -2px; }
pre.patch { white-space: pre; }
@media screen {
  .unshown { display: none; }
  .beside { display: flex; flex-direction: column; gap: 1rem; }
  /* The source stays visible at the bottom of the window while the causes scroll. */
  .sources { position: sticky; bottom: 0; max-height: 45vh; overflow: auto; padding: .6rem 0; background: var(--paper);
    border-top: 2px solid var(--line); }
  .sources .source { margin: 0; }
  .sources > .file > h3 { position: sticky; top: -.6rem; left: 0; z-index: 1; background: var(--paper); }
}
@media screen and (min-width: 60rem) {
  .beside { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); align-items: start; gap: 1.5rem; }
  .sources { top: 0; bottom: auto; max-height: 100vh; border-top: 0; }
}
@media print {
  pre.patch { white-space: pre-wrap; }
}
</style>`;
