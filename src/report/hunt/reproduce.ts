/** Commands that reproduce a finding. */

import { join } from 'node:path';
import { caseName, type Finding, type HuntSettings } from '../../hunt/index.js';
import { shellWord } from '../../page/index.js';

/** The default memory limit of the commands. */
const defaultMemoryBytes = 2 * (1 << 30);

/**
 * Measures a finding again, then with other random seeds, both with the campaign's limits.
 * @param folder of the campaign
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

export function commandOn(command: 'run' | 'confirm', file: string, settings: HuntSettings): string {
  const { timeoutMs, thresholdMs } = settings.slowness;
  const words = ['culprit', command, fileWord(file), '--on', shellWord(settings.versions.join())];
  words.push('--timeout', timeWord(timeoutMs));
  if (thresholdMs !== undefined) words.push('--threshold', timeWord(thresholdMs));
  if (settings.memoryBytes !== defaultMemoryBytes) {
    words.push('--memory', sizeWord(settings.memoryBytes));
  }
  return words.join(' ');
}

/** A leading dash would make the file an option. */
function fileWord(file: string): string {
  return shellWord(file.startsWith('-') ? `./${file}` : file);
}

/** As options take it: `2GB`, `512MB`. */
export function sizeWord(bytes: number): string {
  const size = Math.round(bytes / (1 << 20));
  return size % 1024 === 0 ? `${size / 1024}GB` : `${size}MB`;
}

/** As options take it: `10s`, `250ms`. */
export function timeWord(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
