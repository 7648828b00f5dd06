/** Synthetic coverage of runs. */

import type { CoverageView } from '../../src/report/coverage/coverage.js';

type Counts = Readonly<Record<number, number>>;

/** A run with line counts; 0 for an executable line that was not executed. */
export function lineView(version: string, files: Readonly<Record<string, Counts>>): CoverageView {
  const entries = Object.entries(files).map(([file, counts]) => {
    const lines = Object.entries(counts).map(([line, times]) => [Number(line), times] as const);
    return [file, lines] as const;
  });
  const executed = entries.flatMap(([file, lines]) => {
    const own = lines.filter(([, times]) => times > 0);
    return own.length === 0 ? [] : [[file, new Map(own)] as const];
  });
  return {
    of: { formula: 'slow.smt2', version, outcome: 'sat' },
    executed: { functions: new Map([['_ZN3smt7context9propagateEv', 7]]), files: new Map(executed) },
    executable: {
      functions: new Set(['_ZN3smt7context9propagateEv']),
      files: new Map(entries.map(([file, lines]) => [file, lines.map(([line]) => line)])),
    },
  };
}

/** A run with call counts; 0 for a function that was not called. */
export function callView(version: string, calls: Readonly<Record<string, number>>): CoverageView {
  return {
    of: { formula: 'slow.smt2', version, outcome: 'sat' },
    executed: {
      functions: new Map(Object.entries(calls).filter(([, times]) => times > 0)),
      files: new Map(),
    },
    executable: { functions: new Set(Object.keys(calls)), files: undefined },
  };
}

/** Files as in a large program. A third of the lines are executed; two runs differ in every tenth. */
export function largeProgram(files: number, lines: number) {
  const names = Array.from({ length: files }, (_, at) => `src/part-${at % 30}/file-${at}.cpp`);
  const countsOf = (run: number): Readonly<Record<string, Counts>> =>
    Object.fromEntries(
      names.map((name, file) => [
        name,
        Object.fromEntries(
          Array.from({ length: lines }, (_, at) => [
            at + 1,
            at % 3 === 0 ? 1 + ((file * 31 + at * (at % 10 === 0 ? run : 1)) % 997) : 0,
          ]),
        ),
      ]),
    );
  const texts = new Map(
    names.map((name, file) => [
      name,
      Array.from(
        { length: lines },
        (_, at) =>
          `    if (m_value_${(at * 7919 + file) % 1009} == lookup(t${at % 13})) propagate(${at}, level);\n`,
      ).join(''),
    ]),
  );
  return {
    first: { view: lineView('z3@1', countsOf(1)), texts },
    second: { view: lineView('z3@2', countsOf(2)), texts },
  };
}
