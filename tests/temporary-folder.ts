/** The one way a test gets a folder of its own. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();

/** Removes it; folders that nobody removed go when the tests of the file are over (`after-each-file.ts`). */
export function removeFolder(folder: string): void {
  made.delete(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** An empty folder, named after what it is for, without links on the way to it. */
export function temporaryFolder(purpose = 'test'): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `culprit-${purpose}-`)));
  made.add(folder);
  return folder;
}

/** Removes all that nobody removed. */
export function removeFolders(): void {
  for (const folder of made) removeFolder(folder);
}
