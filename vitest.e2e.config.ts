import { defineConfig } from 'vitest/config';
import { inRounds } from './tests/test-files.js';

/** Slow checks on real solvers, and random tests in all their rounds: run by hand before a release, never by CI. */
export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.test.ts', ...inRounds],
    env: { CULPRIT_THOROUGH: 'yes' },
    globalSetup: './tests/lacking-tools.ts',
    setupFiles: ['./tests/same-environment.ts', './tests/after-each-file.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
