/** Measures formulas and stores each result in a file; stored results are not measured again. */

import { Fault, forEachConcurrent } from '../machine/index.js';
import { Journal, readJournal } from './journal.js';

export interface MeasurementJob<Result> {
  readonly path: string;
  readonly texts: readonly string[];
  readonly read: (value: unknown) => Result | undefined;
  /** Whether a stored result was measured in the requested way. */
  readonly matches: (result: Result) => boolean;
  readonly measure: (text: string) => Promise<Result | undefined>;
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly onDone?: ((done: number, of: number) => void) | undefined;
}

/** The result for each formula, by its text; partial if aborted. */
export async function measureFormulas<Result extends { readonly text: string }>(
  job: MeasurementJob<Result>,
): Promise<ReadonlyMap<string, Result> | Fault> {
  const journal = Journal.open(job.path);
  if (journal instanceof Fault) return journal;
  try {
    const known = new Map<string, Result>();
    for await (const result of readJournal(job.path, job.read)) {
      if (result instanceof Fault) return result;
      if (job.matches(result)) known.set(result.text, result);
    }
    const wanted = [...new Set(job.texts)];
    const tell = (): void => job.onDone?.(wanted.filter((text) => known.has(text)).length, wanted.length);
    tell();
    const missing = wanted.filter((text) => !known.has(text));
    await forEachConcurrent(missing, job.workers, async (text) => {
      const result = job.signal.aborted ? undefined : await job.measure(text);
      if (result === undefined) return;
      journal.append(result);
      known.set(text, result);
      tell();
    });
    return known;
  } finally {
    journal.close();
  }
}
