/** Pages of `locate`. */

import { packedPlaces, placeOf } from '../../src/coverage/packed.js';
import {
  type Evidence,
  type RankOptions,
  rankFiles,
  rankFunctions,
  rankLines,
} from '../../src/locate/index.js';
import { CoverageSpectrum } from '../../src/locate/spectra.js';
import { locationHtml } from '../../src/report/index.js';

const files = ['src/smt/a_file_with_a_long_name/theory_seq.cpp', 'src/ast/rewriter.cpp', 'src/util/<b>.h'];

const source = Array.from(
  { length: 60 },
  (_, at) => `    if (m_limit[${at}].inc("a < b && 'c'")) return;`,
).join('\n');

function evidence(counts: 'lines' | 'calls'): Evidence {
  const spectrum = new CoverageSpectrum();
  const lines = (file: number, from: number, to: number) =>
    Array.from({ length: to - from }, (_, at): readonly [number, number] => [placeOf(file, from + at), 1]);
  spectrum.addFailing(packedPlaces([...lines(0, 1, 50), ...lines(1, 1, 20), ...lines(2, 1, 9)]));
  spectrum.addPassing(packedPlaces([...lines(0, 1, 30), ...lines(1, 1, 20)]));
  spectrum.addPassing(packedPlaces([...lines(0, 1, 40), ...lines(1, 1, 20), ...lines(2, 1, 5)]));
  spectrum.addOrdinary(packedPlaces(lines(1, 1, 20)));
  const names = ['smt::theory_seq', 'rewriter', 'util'];
  return {
    spectrum,
    names: {
      files: counts === 'lines' ? files : names,
      counts,
      functionAt: (file, line) => `_ZN3smt10theory_seq${file}f${line % 7}Ev`,
    },
    failure: { kind: 'crash', message: 'crashes with SIGSEGV' },
    stack:
      counts === 'calls'
        ? []
        : files.map((file, at) => ({ name: `_ZN3smt4call${at}Ev`, file, lines: [1, 40] as const })),
    witnesses: [0.93, 0.72].map((similarity, at) => ({
      text: `(declare-const x Int)\n(assert (> x ${at}))\n(check-sat)\n`,
      change: `(str.++ a "</script><b>" (str.substr (str.++ b c) 0 ${at})) to ""`,
      similarity,
      lacks: 20,
      beyond: 3,
      lacksIn: files.map((file) => ({ file, places: 7 })),
    })),
    ordinary: 52,
    tried: 30,
    failing: 4,
  };
}

function madePage(counts: 'lines' | 'calls'): string {
  const own = evidence(counts);
  const how: RankOptions = { score: 'culprit', by: 'ochiai', weight: 0.5 };
  const view = {
    formula: 'wrong.smt2',
    version: 'git:../z3@z3-4.8.7?coverage',
    evidence: own,
    files: rankFiles(own, undefined, how),
    functions: rankFunctions(own, how),
    lines: rankLines(own, how),
  };
  return locationHtml(view, new Map([[files[0] ?? '', source]]), '1');
}

/** A version with line counts. */
export const locationOfLines = (): string => madePage('lines');

/** An embedded version with call counts. */
export const locationOfCalls = (): string => madePage('calls');
