import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/e2e/**'],
    globalSetup: './tests/lacking-tools.ts',
    // Every core: the default leaves one idle, and most tests wait for programs they have started.
    maxWorkers: availableParallelism(),
    // How far a command is, is told by the clock: on a busy machine at any time.
    env: { CULPRIT_PROGRESS: 'never' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', './tests/closing-count.ts'],
  },
});
