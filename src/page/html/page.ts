import { html, type Markup } from '../markup.js';
import { digestOf, script } from './script.js';
import { style } from './style.js';

/** What a page has besides what all have. */
interface PageParts {
  readonly style?: Markup;
  readonly script?: Markup;
}

/** A whole page. It loads nothing and runs nothing but its own scripts, and tells the browser so, in case a stranger's text finds a way in. */
export function page(title: string, generator: string, body: Markup, own: PageParts = {}): string {
  const scripts = [script, ...(own.script === undefined ? [] : [own.script])];
  const digests = scripts.map((one, at) => html`${at === 0 ? '' : ' '}'${digestOf(one)}'`);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src ${digests}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="culprit ${generator}">
<title>${title}</title>
${style}${own.style}
</head>
<body>
<h1>${title}</h1>
${body}
${scripts}
</body>
</html>
`.text;
}
