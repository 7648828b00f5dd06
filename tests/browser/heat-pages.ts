/** Heat map pages. */

import { heatHtml } from '../../src/report/index.js';
import { callView, lineView } from '../report/made-coverage.js';

const source = Array.from({ length: 60 }, (_, at) =>
  at % 5 === 4
    ? ''
    : `    if (m_limit[${at}].inc("a < b && 'c'")) return propagate_length_constraints(${at});`,
).join('\n');

const counts = (factor: number, from: number) =>
  Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [at + 1, at < from ? 0 : Math.floor(factor ** (at % 12))]).filter(
      ([line = 0]) => line % 5 !== 0,
    ),
  );

export const fileOfHeat = 'src/smt/a_file_with_a_long_name/theory_seq.cpp';

const old = {
  [fileOfHeat]: counts(2, 0),
  'src/ast/rewriter.cpp': { 3: 1, 4: 2 },
  'build/generated.h': { 7: 12 },
};
const newer = {
  [fileOfHeat]: counts(3, 15),
  'src/ast/rewriter.cpp': { 3: 1, 4: 2 },
  'src/new.cpp': { 1: 1e9 },
};

/** One run with line counts. */
export function heatOfLines(): string {
  return heatHtml(
    [{ view: lineView('git:../z3@z3-4.8.10?coverage', old), texts: new Map([[fileOfHeat, source]]) }],
    '1',
  );
}

/** Two versions; the second has an extra first line. */
export function heatOfTwo(): string {
  const before = { view: lineView('z3@z3-4.8.10', old), texts: new Map([[fileOfHeat, source]]) };
  const after = {
    view: lineView('z3@z3-4.8.11', newer),
    texts: new Map([[fileOfHeat, `// new\n${source}`]]),
  };
  return heatHtml([before, after], '1');
}

/** Embedded solvers, which count calls. */
export function heatOfCalls(): string {
  const calls = (factor: number) =>
    Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `smt::theory_${at % 7}::propagate_${at}(std::pair<unsigned int, expr*> const&, bool)`,
        factor ** (at % 9) - 1,
      ]),
    );
  const [before, after] = [callView('z3@4.8.17', calls(2)), callView('z3@5.2.0', calls(3))];
  return heatHtml(
    [
      { view: before, texts: new Map() },
      { view: after, texts: new Map() },
    ],
    '1',
  );
}
