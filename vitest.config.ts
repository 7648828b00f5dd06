import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/e2e/**'],
    globalSetup: './tests/lacking-tools.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', './tests/closing-count.ts'],
  },
});
