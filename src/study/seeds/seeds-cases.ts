/** Runs every slowdown of a campaign, as found, under other random seeds: SPRFinder's RQ2 over all cases. */

import { join } from 'node:path';
import { z } from 'zod';
import { Journal, readJournal } from '../../campaign/index.js';
import { amounts, Fault, forEachConcurrent } from '../../machine/index.js';
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
  { folder, texts, versions, seeds, workers, signal, onCase, ...how }: SeededCasesJob,
): Promise<readonly SeededCase[] | Fault> {
  const path = join(folder, fileName);
  const journal = Journal.open(path);
  if (journal instanceof Fault) return journal;
  try {
    const cases = new Map<string, SeededCase>();
    const read = (value: unknown): SeededCase | undefined => {
      const parsed = caseSchema.safeParse(value);
      return parsed.success ? parsed.data : undefined;
    };
    for await (const one of readJournal(path, read)) {
      if (one instanceof Fault) return one;
      if (one.seeds.join() === seeds.join()) cases.set(one.text, one);
    }
    const wanted = [...new Set(texts)];
    const tell = (): void => onCase?.(wanted.filter((text) => cases.has(text)).length, wanted.length);
    tell();
    await forEachConcurrent(
      wanted.filter((text) => !cases.has(text)),
      workers,
      async (text) => {
        const formula = readScript(text);
        // A campaign parses all formulas it finds, so its files were edited.
        if (signal.aborted || formula instanceof Fault) return;
        const verdict = await confirmUnderSeeds(runner, formula, versions, { ...how, seeds, signal }).catch(
          (error: unknown) => {
            if (signal.aborted) return undefined;
            throw error;
          },
        );
        if (verdict === undefined) return;
        const { slower, robustness } = verdict;
        const one = { text, seeds: [...seeds], slower: slower.length, robustness };
        journal.append(one);
        cases.set(text, one);
        tell();
      },
    );
    return wanted.flatMap((text) => cases.get(text) ?? []);
  } finally {
    journal.close();
  }
}
