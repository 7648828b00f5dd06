import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Random } from '../src/machine/index.js';
import { generate, printScript } from '../src/smtlib/index.js';

const megabytes = 100;

/** Measures `culprit formula check` on one file of 100 MB: peak memory of the process relative to the file size. */
export async function largeBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-bench-'));
  const file = join(folder, 'large.smt2');
  try {
    writeFileSync(file, largeFormula());
    const main = fileURLToPath(new URL('../dist/bin/main.cjs', import.meta.url));
    const measured = join(folder, 'measured.mjs');
    writeFileSync(
      measured,
      `process.on('exit', () => console.log(process.resourceUsage().maxRSS / 1024));
       await import(${JSON.stringify(main)});`,
    );
    const started = performance.now();
    const run = spawnSync(process.execPath, [measured, 'formula', 'check', file], { encoding: 'utf8' });
    const seconds = (performance.now() - started) / 1000;
    const peak = Number(run.stdout.trim().split('\n').at(-1));
    console.log(run.stdout.split('\n')[0]?.replace(file, `${megabytes} MB`));
    console.log(`read and checked in ${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(1)} MB/s`);
    console.log(
      `peak ${Math.round(peak)} MB, ${(peak / megabytes).toFixed(1)} times the file (goal: at most 25)`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One set of declarations with many different assertions. */
function largeFormula(): string {
  const random = Random.fromSeed(1);
  const parts = [
    printScript(generate(random))
      .split('\n')
      .filter((line) => line.startsWith('(declare'))
      .join('\n'),
  ];
  let size = 0;
  while (size < megabytes * (1 << 20)) {
    const lines = printScript(generate(random, { assertions: 200, depth: 4 })).split('\n');
    const text = lines.filter((line) => line.startsWith('(assert')).join('\n');
    parts.push(text);
    size += text.length;
  }
  return `${parts.join('\n')}\n(check-sat)\n`;
}
