/**
 * How the time of a job grows with the size of what it is given: each job over doubling sizes, with the exponent from
 * one size to the next (1 is linear, 2 quadratic). Processor time counts, of the fastest of a few runs, so that a busy
 * machine hurts less; what clang takes is not in it.
 * `CULPRIT_GROWTH` names a part of the names of the jobs that are run; all when it is not set.
 */

import { formulaJobs } from './growth-formulas.js';
import { growthJobs } from './growth-jobs.js';

const runs = 3;

/** What takes so long is run once: a busy machine hurts it less. */
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
