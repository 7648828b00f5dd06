import { readFileSync } from 'node:fs';
import { ownFile } from '../machine/index.js';

/** This culprit's own version. */
export const packageVersion: string = (
  JSON.parse(readFileSync(ownFile('package.json'), 'utf8')) as { version: string }
).version;
