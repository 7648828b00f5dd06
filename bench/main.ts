/** `npm run bench -- NAME…`: measures one thing against its baseline in the same run, and prints the ratio. */

import { compileCost } from './compile-cost.js';
import { countingCostBench } from './counting-cost.js';
import { coverageCostBench } from './coverage-cost.js';
import { coverageMemoryBench } from './coverage-memory.js';
import { embeddedRate } from './embedded-rate.js';
import { gcovCountsBench } from './gcov-counts.js';
import { generateBench } from './generate.js';
import { generatedSubjectsBench } from './generated-subjects.js';
import { growthBench } from './growth.js';
import { huntMemory } from './hunt-memory.js';
import { killedCoverageBench } from './killed-coverage.js';
import { largeBench } from './large.js';
import { nativeCost } from './native-cost.js';
import { parseBench } from './parse.js';
import { programBench } from './program.js';
import { reduceBench } from './reduce.js';
import { startBench } from './start.js';
import { traceBench } from './trace.js';
import { witnessCoverageBench } from './witness-coverage.js';

const benches: Readonly<Record<string, () => Promise<void> | void>> = {
  parse: parseBench,
  generate: generateBench,
  large: largeBench,
  'native-cost': nativeCost,
  'embedded-rate': embeddedRate,
  'hunt-memory': huntMemory,
  reduce: reduceBench,
  'compile-cost': compileCost,
  program: programBench,
  growth: growthBench,
  'coverage-cost': coverageCostBench,
  'coverage-memory': coverageMemoryBench,
  'counting-cost': countingCostBench,
  'killed-coverage': killedCoverageBench,
  start: startBench,
  trace: traceBench,
  'gcov-counts': gcovCountsBench,
  'witness-coverage': witnessCoverageBench,
  'generated-subjects': generatedSubjectsBench,
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in benches));
if (names.length === 0 || unknown !== undefined) {
  if (unknown !== undefined) console.error(`unknown benchmark: ${unknown}`);
  console.error(`benchmarks: ${Object.keys(benches).join(', ')}`);
  process.exitCode = 2;
} else {
  for (const name of names) await benches[name]?.();
}
