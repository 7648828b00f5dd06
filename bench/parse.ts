import { median } from 'simple-statistics';
import { Random } from '../src/machine/index.js';
import { dialects, generate, parseScript, printScript } from '../src/smtlib/index.js';
import { runPython, stringFuzzFolder } from './stringfuzz.js';

/** Formulas that StringFuzz cannot parse are left out on both sides. */
const program = `
import sys, json, time
from stringfuzz.parser import parse
texts = json.load(sys.stdin)
kept = []
for i, text in enumerate(texts):
    try:
        parse(text, 'smt25')
        kept.append(i)
    except Exception:
        pass
best = None
started = time.perf_counter()
for i in kept:
    parse(texts[i], 'smt25')
print(json.dumps({'kept': kept, 'seconds': time.perf_counter() - started}))
`;

/** Compares parsing with StringFuzz's parser, alternately on the same formulas. */
export async function parseBench(): Promise<void> {
  const random = Random.fromSeed(1);
  const all = Array.from({ length: 400 }, () =>
    printScript(generate(random), { dialect: dialects['2.5'] }),
  ).filter((text) => typeof text === 'string');
  const folder = stringFuzzFolder();
  let texts = all;
  const theirs: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 5; round++) {
    if (folder !== undefined) {
      const result = runPython(folder, program, JSON.stringify(texts)) as { kept: number[]; seconds: number };
      texts = result.kept.map((i) => texts[i] as string);
      theirs.push(bytes(texts) / result.seconds / 1e6);
    }
    const repeats = 60;
    const started = performance.now();
    for (let i = 0; i < repeats; i++) for (const text of texts) parseScript(text);
    ours.push((bytes(texts) * repeats) / (performance.now() - started) / 1000);
  }
  console.log(
    `formulas  ${texts.length} of ${all.length}, ${Math.round(bytes(texts) / texts.length)} bytes each`,
  );
  console.log(`culprit   ${median(ours).toFixed(1)} MB/s`);
  if (theirs.length > 0) {
    console.log(`StringFuzz ${median(theirs).toFixed(3)} MB/s`);
    console.log(`ratio     ${(median(ours) / median(theirs)).toFixed(0)} (goal: at least 50)`);
  }
}

function bytes(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
