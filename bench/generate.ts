import { median } from 'simple-statistics';
import { Random } from '../src/machine/index.js';
import { dialects, generate, printScript } from '../src/smtlib/index.js';
import { runPython, stringFuzzFolder } from './stringfuzz.js';

const parameters = { variables: 3, assertions: 4, depth: 3, literalLength: 10, literalProbability: 0.1 };

/** StringFuzz's random generator of well-sorted formulas with printing, as its command line runs it. */
const program = `
import json, random, sys, time
from stringfuzz.generators import random_ast
from stringfuzz.generator import generate
p = json.load(sys.stdin)
random.seed(p['seed'])
def formula():
    ast = random_ast(p['variables'], p['assertions'], p['depth'], 5, p['literalLength'], 10, p['literalProbability'], True)
    return generate(ast, 'smt25')
for i in range(100):
    formula()
size = 0
started = time.perf_counter()
for i in range(p['count']):
    size += len(formula())
print(json.dumps({'seconds': time.perf_counter() - started, 'bytes': size}))
`;

interface Sample {
  readonly formulas: number;
  readonly bytes: number;
}

function theirSample(folder: string, seed: number): Sample {
  const count = 3000;
  const input = JSON.stringify({ ...parameters, seed, count });
  const found = runPython(folder, program, input) as { seconds: number; bytes: number };
  return { formulas: count / found.seconds, bytes: found.bytes / found.seconds };
}

function ourSample(seed: number): Sample {
  const random = Random.fromSeed(seed);
  const options = { dialect: dialects['2.5'] };
  const count = 50_000;
  let bytes = 0;
  const started = performance.now();
  for (let i = 0; i < count; i++) {
    const text = printScript(generate(random, parameters), options);
    if (typeof text === 'string') bytes += text.length;
  }
  const seconds = (performance.now() - started) / 1000;
  return { formulas: count / seconds, bytes: bytes / seconds };
}

function shown(name: string, samples: readonly Sample[]): string {
  const formulas = median(samples.map((one) => one.formulas));
  const bytes = median(samples.map((one) => one.bytes));
  const size = Math.round(bytes / formulas);
  return `${name.padEnd(10)} ${Math.round(formulas)} formulas/s, ${(bytes / 1e6).toFixed(1)} MB/s, ${size} bytes each`;
}

/**
 * Compares generating and printing formulas with StringFuzz's generator, alternately and with the same parameters.
 */
export async function generateBench(): Promise<void> {
  const folder = stringFuzzFolder();
  const theirs: Sample[] = [];
  const ours: Sample[] = [];
  ourSample(0);
  for (let round = 1; round <= 5; round++) {
    if (folder !== undefined) theirs.push(theirSample(folder, round));
    ours.push(ourSample(round));
  }
  console.log(shown('culprit', ours));
  if (theirs.length === 0) return;
  console.log(shown('StringFuzz', theirs));
  const ratio = (pick: (one: Sample) => number): string =>
    (median(ours.map(pick)) / median(theirs.map(pick))).toFixed(1);
  console.log(
    `ratio      ${ratio((one) => one.formulas)} in formulas (goal: at least 10), ${ratio((one) => one.bytes)} in bytes`,
  );
}
