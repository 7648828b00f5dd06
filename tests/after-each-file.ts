/**
 * Runs after every test file, because files can share a process: ends shared processes, restores stubs and removes
 * folders.
 */

import { afterAll, vi } from 'vitest';
import { endAll } from './ends-with-file.js';
import { removeFolders } from './temporary-folder.js';

afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await endAll();
  removeFolders();
});
