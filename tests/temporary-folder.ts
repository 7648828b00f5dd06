/** Creates temporary folders for tests. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();

/** Removes the folder early; `after-each-file.ts` removes all others. */
export function removeFolder(folder: string): void {
  made.delete(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Creates an empty folder with a canonical path. */
export function temporaryFolder(purpose = 'test'): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `culprit-${purpose}-`)));
  made.add(folder);
  return folder;
}

/** Removes all remaining folders. */
export function removeFolders(): void {
  for (const folder of made) removeFolder(folder);
}
