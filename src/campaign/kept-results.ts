/** What was measured of formulas, kept in a file as it comes: what is there is not measured again. */

import { Fault, inTurns } from '../machine/index.js';
import { Journal, readJournal } from './journal.js';

export interface KeptJob<Result> {
  readonly path: string;
  readonly texts: readonly string[];
  /** Undefined for a line of the file that is none. */
  readonly read: (value: unknown) => Result | undefined;
  /** One that was measured in another way is none of these. */
  readonly isAsked: (result: Result) => boolean;
  /** Undefined where nothing came of it. */
  readonly make: (text: string) => Promise<Result | undefined>;
  /** Formulas at once. */
  readonly workers: number;
  readonly signal: AbortSignal;
  /** Told before the first is measured, and when one has ended, how many are known and how many there are. */
  readonly onDone?: ((done: number, of: number) => void) | undefined;
}

/** The result for each formula, by its text. Ended early, it gives what it has. */
export async function keptResults<Result extends { readonly text: string }>(
  job: KeptJob<Result>,
): Promise<ReadonlyMap<string, Result> | Fault> {
  const journal = Journal.open(job.path);
  if (journal instanceof Fault) return journal;
  try {
    const known = new Map<string, Result>();
    for await (const result of readJournal(job.path, job.read)) {
      if (result instanceof Fault) return result;
      if (job.isAsked(result)) known.set(result.text, result);
    }
    const wanted = [...new Set(job.texts)];
    const tell = (): void => job.onDone?.(wanted.filter((text) => known.has(text)).length, wanted.length);
    tell();
    const missing = wanted.filter((text) => !known.has(text));
    await inTurns(missing, job.workers, async (text) => {
      const result = job.signal.aborted ? undefined : await job.make(text);
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
