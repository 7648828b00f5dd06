/** Escapes untrusted text for Markdown. */

import { visible, visibleLine } from '../machine/index.js';

/** A code block. Its fence is longer than any run of backticks in it. */
export function fenced(language: string, text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(runs.reduce((length, run) => Math.max(length, run.length + 1), 3));
  const body = visible(text);
  return `${fence}${language}\n${body}${body.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Inline code, for a line or a table cell. */
export function code(text: string): string {
  const line = visibleLine(text);
  if (/^[^\s`|\\](?:[^`|\\]*[^\s`|\\])?$/.test(line)) return `\`${line}\``;
  // Backticks, bars and backslashes are special even in inline code, and trackers differ. HTML entities are safe.
  return htmlCode(line);
}

/** Inline code as HTML, for places without Markdown such as `<summary>`. */
export function htmlCode(text: string): string {
  return `<code>${visibleLine(text).replaceAll(/[^\w .,:/-]/gu, (letter) => `&#${letter.codePointAt(0)};`)}</code>`;
}

/** @param rows cells in Markdown */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}
