import { readFileSync } from 'node:fs';

const packageFile = new URL('../../package.json', import.meta.url);

/** This culprit's own version. */
export const packageVersion: string = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string })
  .version;
