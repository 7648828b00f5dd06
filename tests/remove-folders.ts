/** After every test file, also where it shares a process with others: the folders that it made are gone. */

import { afterAll } from 'vitest';
import { removeFolders } from './temporary-folder.js';

afterAll(removeFolders);
