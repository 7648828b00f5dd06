import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { alone, sizeOf, toolless } from './tests/test-files.js';

class SmallFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => sizeOf(a.moduleId) - sizeOf(b.moduleId));
  }
}

const forAll = {
  setupFiles: ['./tests/same-environment.ts', './tests/after-each-file.ts'],
  testTimeout: 60_000,
};
const shared = toolless.filter((path) => !alone.includes(path));

/** Tests that need no tool, no build and no network. They run without any of these, so that none is used unnoticed. */
export default defineConfig({
  test: {
    globalSetup: './tests/hidden-tools.ts',
    maxWorkers: availableParallelism(),
    reporters: ['default', './tests/closing-count.ts'],
    sequence: { sequencer: SmallFirst },
    projects: [
      { test: { ...forAll, name: 'shared', isolate: false, include: shared } },
      {
        test: { ...forAll, name: 'alone', include: alone.filter((path) => toolless.includes(path)) },
      },
    ],
  },
});
