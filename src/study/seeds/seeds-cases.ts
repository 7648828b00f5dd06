/** Runs every slowdown of a campaign, as found, under other random seeds: SPRFinder's RQ2 over all cases. */

import { join } from 'node:path';
import { z } from 'zod';
import { measureFormulas } from '../../campaign/index.js';
import { amounts, Fault } from '../../machine/index.js';
import { readScript } from '../../smtlib/index.js';
import { confirmUnderSeeds, type Runner, type Slowness, type Version } from '../../solver/index.js';

const caseSchema = z.object({
  text: z.string(),
  seeds: z.array(amounts.seed),
  slower: amounts.measure,
  robustness: z.string(),
});

export type SeededCase = z.infer<typeof caseSchema>;

export interface SeededCasesJob {
  /** The campaign's folder, which stores the results; stored cases are not measured again. */
  readonly folder: string;
  readonly texts: readonly string[];
  readonly versions: readonly Version[];
  readonly slowness: Slowness;
  readonly seeds: readonly number[];
  readonly memoryBytes: number;
  readonly workers: number;
  readonly signal: AbortSignal;
  /** Called before the first run and after each result, with the numbers of finished and of all cases. */
  readonly onCase?: ((done: number, of: number) => void) | undefined;
}

const fileName = 'seeds.ndjson';

/** If aborted, it returns the finished cases. */
export async function measureSeededCases(
  runner: Runner,
  { folder, texts, versions, seeds, workers, signal, onCase, ...limits }: SeededCasesJob,
): Promise<readonly SeededCase[] | Fault> {
  const cases = await measureFormulas({
    path: join(folder, fileName),
    texts,
    read: (value) => caseSchema.safeParse(value).data,
    matches: (stored) => stored.seeds.join() === seeds.join(),
    measure: async (text): Promise<SeededCase | undefined> => {
      const formula = readScript(text);
      // A campaign parses all formulas it finds, so its files were edited.
      if (formula instanceof Fault) return undefined;
      try {
        const verdict = await confirmUnderSeeds(runner, formula, versions, { ...limits, seeds, signal });
        return { text, seeds: [...seeds], slower: verdict.slower.length, robustness: verdict.robustness };
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
    workers,
    signal,
    onDone: onCase,
  });
  return cases instanceof Fault ? cases : [...new Set(texts)].flatMap((text) => cases.get(text) ?? []);
}
