import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { alone, careful } from './tests/test-files.js';

/** These start first, so that the others fill the time that is left. */
const long = [
  'tests/browser/pages.test.ts',
  'tests/package/readme.test.ts',
  'tests/hunt/run-campaign.test.ts',
  'tests/solver/wasm/hosts.test.ts',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => long.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const forAll = {
  setupFiles: ['./tests/same-environment.ts', './tests/after-each-file.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    globalSetup: './tests/lacking-tools.ts',
    // The default leaves one core idle, and most tests wait for programs they have started. One more gains nothing.
    maxWorkers: availableParallelism(),
    reporters: ['default', './tests/closing-count.ts'],
    sequence: { sequencer: LongFirst },
    projects: [
      {
        // Starting a process and loading the sources into it takes longer than most of these tests.
        test: {
          ...forAll,
          name: 'shared',
          isolate: false,
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/e2e/**', ...careful, ...alone],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: { ...forAll, name: 'careful', isolate: false, include: careful, sequence: { groupOrder: 1 } },
      },
      { test: { ...forAll, name: 'alone', include: alone, sequence: { groupOrder: 2 } } },
    ],
  },
});
