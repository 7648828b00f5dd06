import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Watch their own process: what it has started, what it holds, what it leaves behind. One after the other they may share it. */
const watching = [
  'tests/browser/',
  'tests/hostile/',
  'tests/machine/',
  'tests/package/',
  'tests/solver/wasm/',
];

/** Look for whatever their process has left anywhere. */
const looking = ['tests/hostile/solvers.test.ts', 'tests/reduce/properties.test.ts', 'tests/solver/process/'];

/** Begin before others, which fill what is left of the time. */
const long = [
  'tests/browser/pages.test.ts',
  'tests/package/readme.test.ts',
  'tests/hunt/run-campaign.test.ts',
  'tests/solver/wasm/hosts.test.ts',
];

/** Replaces modules, for everybody in the process. What is done to the clock or the environment is undone after each file. */
const replacing = /^vi\.mock\(/m;

const tests = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .map((path) => `tests/${path}`)
  .filter((path) => path.endsWith('.test.ts') && !path.startsWith('tests/e2e/'));
const isIn = (folders: readonly string[], path: string) => folders.some((start) => path.startsWith(start));
const alone = tests.filter((path) => isIn(looking, path) || replacing.test(readFileSync(path, 'utf8')));
const careful = tests.filter((path) => isIn(watching, path) && !alone.includes(path));

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => long.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const forAll = {
  // How far a command is, is told by the clock: on a busy machine at any time.
  env: { CULPRIT_PROGRESS: 'never' },
  setupFiles: './tests/after-each-file.ts',
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    globalSetup: './tests/lacking-tools.ts',
    // Every core: the default leaves one idle, and most tests wait for programs they have started. One more gains nothing.
    maxWorkers: availableParallelism(),
    reporters: ['default', './tests/closing-count.ts'],
    sequence: { sequencer: LongFirst },
    projects: [
      {
        // To start a process and load the sources into it takes longer than most of these tests do.
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
