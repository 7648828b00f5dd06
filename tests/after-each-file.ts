/**
 * After every test file, also where it shares a process with others: what it began has ended, what it put in the place of
 * something else is gone, and so are the folders that it made.
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
