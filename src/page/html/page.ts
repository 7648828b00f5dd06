import { html, type Markup } from '../markup.js';
import { digestOf, script } from './script.js';
import { style } from './style.js';

/** Additions to the common style and script. */
interface PageParts {
  readonly style?: Markup;
  readonly script?: Markup;
}

/**
 * A whole page. Its Content-Security-Policy lets the browser load nothing and run only these scripts, so that
 * injected text cannot run.
 */
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
