/** Text from strangers in Markdown: it stays text. */

import { visible, visibleLine } from '../machine/index.js';

/** A block of code; its fence is longer than any run of backticks in it. */
export function fenced(language: string, text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(runs.reduce((length, run) => Math.max(length, run.length + 1), 3));
  const body = visible(text);
  return `${fence}${language}\n${body}${body.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** A few words of code within a line or a cell. */
export function code(text: string): string {
  const line = visibleLine(text);
  if (/^[^\s`|\\](?:[^`|\\]*[^\s`|\\])?$/.test(line)) return `\`${line}\``;
  // Backticks, bars and backslashes mean something even within code, and trackers differ in what; entities do not.
  return htmlCode(line);
}

/** The same where Markdown is not read, as between tags. */
export function htmlCode(text: string): string {
  return `<code>${visibleLine(text).replaceAll(/[^\w .,:/-]/gu, (letter) => `&#${letter.codePointAt(0)};`)}</code>`;
}

/** A table; its cells are Markdown already. */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}
