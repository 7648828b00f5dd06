import type { Reporter, TestModule } from 'vitest/node';

/** Closes a test run with the plain line that CI systems read. */
export default class ClosingCount implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state]++;
      // A file that cannot be loaded has no tests to fail.
      if (module.state() === 'failed' && module.errors().length > 0) counts.failed++;
    }
    const skipped = counts.skipped + counts.pending;
    console.log(
      `${counts.passed} passed, ${counts.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    );
  }
}
