import { readFileSync } from 'node:fs';
import { packageFile } from '../machine/index.js';

/** This culprit's own version. */
export const packageVersion: string = (
  JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
).version;
