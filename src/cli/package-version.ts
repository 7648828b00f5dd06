import { readFileSync } from 'node:fs';
import { packageFile } from '../machine/index.js';

/** The version of this program. */
export const packageVersion: string = (
  JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
).version;
