import { describe, expect, it } from 'vitest';
import { ProgramProgress, programLine } from '../../src/cli/screen/program-progress.js';

describe("the progress of a program's analysis", () => {
  it('has the step, the completed and the remaining work', () => {
    expect(programLine('modules', { done: 0, all: 0, ms: 0 })).toBe('step 1 of 7: reading the program');
    expect(programLine('modules', { done: 2, all: 30, ms: 0 })).toBe(
      'step 1 of 7: reading the program, 2 of 30 modules',
    );
    expect(programLine('pointers', { done: 0, all: 1, ms: 0 })).toBe(
      'step 2 of 7: what pointers may point to',
    );
    expect(programLine('dependences', { done: 200, all: 800, ms: 2000 })).toBe(
      'step 4 of 7: what depends on what, 200 of 800 functions, about 6.00 s',
    );
    expect(programLine('slices', { done: 0.25, all: 1, ms: 2000 })).toBe(
      'step 6 of 7: what depends on the changes, 25 %, about 6.00 s',
    );
  });

  it('is shown as soon as a step begins, and then at intervals', () => {
    const told: string[] = [];
    const progress = { clear: () => told.push('anew'), show: (line: unknown) => told.push(String(line)) };
    const steps = new ProgramProgress(progress);
    steps.show('slices', 0, 1);
    steps.show('slices', 0.01, 1);
    steps.show('interactions', 0, 1);
    expect(told).toEqual([
      ...['anew', 'step 6 of 7: what depends on the changes, 0 %'],
      ...['anew', 'step 7 of 7: where changes can interact'],
    ]);
  });

  it('has no estimate before the first result', () => {
    expect(programLine('calls', { done: 3, all: 800, ms: 20 })).toBe(
      'step 5 of 7: what flows through calls, 3 of 800 functions',
    );
    expect(programLine('calls', { done: 0, all: 800, ms: 5000 })).not.toContain('about');
  });
});
