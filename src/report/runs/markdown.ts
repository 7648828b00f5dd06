/** A comparison as Markdown. */

import { code, markdownTable } from '../../page/index.js';
import { fieldText, markText, ratioText } from './cells.js';
import { runNotes, runTotals } from './notes.js';
import type { RunResult } from './run-result.js';

export function runsMarkdown(results: readonly RunResult[]): string {
  const versions = results[0]?.versions.map(({ version }) => version) ?? [];
  const isCompared = versions.length > 1;
  const titles = ['formula', ...versions.map(code), ...(isCompared ? ['ratio', ''] : [])];
  const rows = results.map((result) => [
    code(result.formula),
    ...result.versions.map((version) => `${version.outcome}, ${fieldText.time(version)}`),
    ...(isCompared ? [ratioText(result), bold(markText(result))] : []),
  ]);
  const notes = runNotes(results).map((note) => `- ${code(note)}`);
  const parts = [...runTotals(results).map(sentence), markdownTable(titles, rows), notes.join('\n')];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function bold(mark: string): string {
  return mark === '' ? '' : `**${mark}**`;
}

/** Escapes names of versions. */
function sentence(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|#&]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
