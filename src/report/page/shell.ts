import { html, type Markup } from '../markup.js';
import { script, scriptDigest } from './script.js';
import { style } from './style.js';

/** A whole page. It loads nothing and runs nothing but its own script, and tells the browser so, in case a stranger's text finds a way in. */
export function page(title: string, generator: string, body: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '${scriptDigest}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="culprit ${generator}">
<title>${title}</title>
${style}
</head>
<body>
<h1>${title}</h1>
${body}
${script}
</body>
</html>
`.text;
}
