/**
 * Marks tests that need more than npm installs. `npm run test:unit` leaves out every test file that imports this module,
 * directly or through other files of tests/ (see test-files.ts). It hides all tools from the other files, so a test that
 * calls one without this mark fails there.
 */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { thisMachine } from '../src/machine/index.js';
import { hasCompilers, missingSolvers } from './tools.js';

const isBuilt = () => existsSync(fileURLToPath(new URL('../dist/bin/program.compiled', import.meta.url)));

const needs = {
  build: () => (isBuilt() ? undefined : 'a build: run npm run build'),
  solvers: () => (missingSolvers(thisMachine()).length === 0 ? undefined : 'native solvers: run npm test'),
  compilers: () => (hasCompilers(thisMachine()) ? undefined : 'compilers: run npm test'),
  browser: () => (inject('browser') === undefined ? 'a browser: run npm test' : undefined),
};

/** Throws if something is missing that the test file needs. */
export function needsTools(...names: readonly (keyof typeof needs)[]): void {
  for (const name of names) {
    const missing = needs[name]();
    if (missing !== undefined) throw new Error(`these tests need ${missing}`);
  }
}
