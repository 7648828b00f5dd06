import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Tests that try what is drawn at random less often with every change. */
const inRounds = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .map((path) => `tests/${path}`)
  .filter((path) => path.endsWith('.test.ts') && /\/rounds\.js';$/m.test(readFileSync(path, 'utf8')));

/** Slow checks on real solvers, and random ones in all their rounds: run by hand before a release, never by CI. */
export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.test.ts', ...inRounds],
    env: { CULPRIT_THOROUGH: 'yes', CULPRIT_PROGRESS: 'never' },
    globalSetup: './tests/lacking-tools.ts',
    setupFiles: './tests/after-each-file.ts',
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
