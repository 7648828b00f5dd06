import { defineConfig } from 'vitest/config';

/** Slow checks on real solvers: run by hand before a release, never by CI. */
export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.test.ts'],
    globalSetup: './tests/lacking-tools.ts',
    setupFiles: './tests/remove-folders.ts',
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
