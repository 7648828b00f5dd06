/** The commands that show a finding again. */

import { join } from 'node:path';
import { caseName, type Finding, type HuntSettings } from '../../hunt/index.js';
import { shellWord } from '../../page/index.js';

/** What the commands allow a run when they are not told. */
const ordinaryMemoryBytes = 2 * (1 << 30);

/**
 * Measures a finding again, then tries it under other random seeds; both by the campaign's own rule.
 *
 * @param folder where the campaign is
 * @param id the number of its slowdown
 */
export function findingCommands(
  settings: HuntSettings,
  folder: string,
  id: Finding['id'],
): readonly string[] {
  const file = join(folder, caseName(id));
  return [commandOn('run', file, settings), commandOn('confirm', file, settings)];
}

/** A command on a file, with the campaign's versions and limits. */
export function commandOn(command: 'run' | 'confirm', file: string, settings: HuntSettings): string {
  const { timeoutMs, thresholdMs } = settings.slowness;
  const words = ['culprit', command, fileWord(file), '--on', shellWord(settings.versions.join())];
  words.push('--timeout', timeWord(timeoutMs));
  if (thresholdMs !== undefined) words.push('--threshold', timeWord(thresholdMs));
  if (settings.memoryBytes !== ordinaryMemoryBytes) {
    words.push('--memory', sizeWord(settings.memoryBytes));
  }
  return words.join(' ');
}

/** A file that begins with a dash would be taken for an option. */
function fileWord(file: string): string {
  return shellWord(file.startsWith('-') ? `./${file}` : file);
}

/** As options take it: `2GB`, `512MB`. */
export function sizeWord(bytes: number): string {
  const size = Math.round(bytes / (1 << 20));
  return size % 1024 === 0 ? `${size / 1024}GB` : `${size}MB`;
}

/** The same of times: `10s`, `250ms`. */
export function timeWord(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
