/** The results of all tested sets of reverted changes; no set is built twice, even after an interruption. */

import { z } from 'zod';
import { Journal, readJournal } from '../../campaign/index.js';
import { Fault, ThrownFault } from '../../machine/index.js';
import { diagnosticsIn } from './diagnostics.js';
import { type Trial, verdictSchema } from './verdict.js';
import type { WorkTree } from './work-tree.js';

const triedSchema = z.object({
  kind: z.literal('tried'),
  reverted: z.array(z.number()),
  verdict: verdictSchema,
  said: z.string(),
  ms: z.number(),
  measure: z.number().optional(),
});

/** The end of a test's output is stored. */
const maxCharacters = 4000;

export interface Effort {
  /** Number of distinct sets asked about. All are built; those that build are tested. */
  readonly builds: number;
  readonly tests: number;
}

/** The effort so far, and the minimum number of remaining sets if the search knows it. */
export interface Tries extends Effort {
  readonly leastLeft?: number | undefined;
}

export class Trials {
  #leastExpected: number | undefined;
  readonly #results: Map<string, Trial>;
  readonly #asked = new Set<string>();

  private constructor(
    private readonly journal: Journal,
    results: Map<string, Trial>,
    private readonly tree: Pick<WorkTree, 'try'>,
    private readonly signal: AbortSignal,
    private readonly onTried: (tries: Tries) => void,
  ) {
    this.#results = results;
  }

  static async open(
    path: string,
    tree: Pick<WorkTree, 'try'>,
    signal: AbortSignal,
    onTried: (tries: Tries) => void = () => {},
  ): Promise<Trials | Fault> {
    const results = new Map<string, Trial>();
    for await (const event of readJournal(path, (value) => triedSchema.safeParse(value).data)) {
      if (event instanceof Fault) return event;
      const { reverted, verdict, said, measure } = event;
      results.set(keyOf(reverted), { verdict, output: said, measure });
    }
    const journal = Journal.open(path);
    return journal instanceof Fault ? journal : new Trials(journal, results, tree, signal, onTried);
  }

  /** Counted since the last `forgetEffort`, including stored results. */
  get effort(): Effort {
    const asked = [...this.#asked].map((key) => this.#results.get(key)?.verdict);
    return {
      builds: asked.length,
      tests: asked.filter((verdict) => verdict !== 'does not build').length,
    };
  }

  /** Starts a new count for the next search. */
  forgetEffort(): void {
    this.#asked.clear();
    this.#leastExpected = undefined;
  }

  /** Sets the minimum number of sets still to come, for progress reports; undefined if unknown. */
  expectAtLeast(sets: number | undefined): void {
    this.#leastExpected = sets;
  }

  /** Returns the stored result if there is one. Throws a `ThrownFault` if the trial could not be run. */
  async of(reverted: Iterable<number>): Promise<Trial> {
    const ids = [...reverted].toSorted((a, b) => a - b);
    const key = keyOf(ids);
    const trial = this.#results.get(key) ?? (await this.#try(ids));
    this.#results.set(key, trial);
    this.#asked.add(key);
    const leastLeft = this.#leastExpected === undefined ? undefined : Math.max(0, this.#leastExpected - 1);
    this.onTried({ ...this.effort, leastLeft });
    return trial;
  }

  async #try(ids: readonly number[]): Promise<Trial> {
    const startedAt = performance.now();
    const trial = await this.tree.try(new Set(ids), this.signal);
    if (trial instanceof Fault) throw new ThrownFault(trial);
    const { verdict, measure, hitWallLimit } = trial;
    const output =
      verdict === 'does not build'
        ? diagnosticsIn(trial.output).join('\n')
        : trial.output.slice(-maxCharacters);
    const ms = Math.round(performance.now() - startedAt);
    // A result that may be due to a busy machine is tested again after resuming.
    if (!hitWallLimit)
      this.journal.append({ kind: 'tried', reverted: ids, verdict, said: output, ms, measure });
    return { verdict, output, measure };
  }

  /** Repeats a trial, ignoring the stored result. */
  async again(reverted: Iterable<number>): Promise<Trial> {
    return this.#try([...reverted].toSorted((a, b) => a - b));
  }

  close(): void {
    this.journal.close();
  }
}

function keyOf(ids: readonly number[]): string {
  return ids.join();
}
