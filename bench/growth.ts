/**
 * Measures how the time of jobs grows with the size of their input: each job over doubling sizes, with the exponent
 * between sizes (1 is linear, 2 quadratic). Counts the processor time of the fastest of several runs, without the
 * time of clang. `CULPRIT_GROWTH` selects jobs by a part of their names.
 */

import { formulaJobs } from './growth-formulas.js';
import { growthJobs } from './growth-jobs.js';

const runs = 3;

/** Longer runs are not repeated, since other load matters less. */
const longMs = 500;

export async function growthBench(): Promise<void> {
  const { CULPRIT_GROWTH: wanted = '' } = process.env;
  for (const { name, most, prepare } of [...(await growthJobs()), ...formulaJobs]) {
    if (!name.includes(wanted)) continue;
    let smaller: number | undefined;
    for (const size of [most / 8, most / 4, most / 2, most]) {
      const job = prepare(size);
      let ms = Number.POSITIVE_INFINITY;
      for (let run = 0; run < runs && (run === 0 || ms < longMs); run++) {
        const before = process.cpuUsage();
        await job();
        const { user, system } = process.cpuUsage(before);
        ms = Math.min(ms, (user + system) / 1000);
      }
      const exponent = smaller === undefined ? '' : `, exponent ${Math.log2(ms / smaller).toFixed(2)}`;
      console.log(`growth: ${name}, ${size}: ${ms.toFixed(1)} ms${exponent}`);
      smaller = ms;
    }
  }
}
