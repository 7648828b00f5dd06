/** What came of every set of changes that was taken back: nothing is built twice, also after an interruption. */

import { z } from 'zod';
import { Journal, readJournal } from '../../campaign/index.js';
import { Fault, ThrownFault } from '../../machine/index.js';
import { complaintsIn } from './complaints.js';
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

type Tried = z.infer<typeof triedSchema>;

/** Of what a test or a linker says, its end is what matters. */
const keptCharacters = 4000;

export interface Effort {
  /** Sets that were asked about, each once: all of them were built, some could be tested. */
  readonly builds: number;
  readonly tests: number;
}

/** What was asked about so far, and how many sets more there are at least, where the search knows. */
export interface Tries extends Effort {
  readonly leastLeft?: number | undefined;
}

export class Trials {
  #leastExpected: number | undefined;
  readonly #known: Map<string, Tried>;
  readonly #asked = new Set<string>();

  private constructor(
    private readonly journal: Journal,
    known: Map<string, Tried>,
    private readonly tree: Pick<WorkTree, 'try'>,
    private readonly signal: AbortSignal,
    private readonly onTried: (tries: Tries) => void,
  ) {
    this.#known = known;
  }

  static async open(
    path: string,
    tree: Pick<WorkTree, 'try'>,
    signal: AbortSignal,
    onTried: (tries: Tries) => void = () => {},
  ): Promise<Trials | Fault> {
    const known = new Map<string, Tried>();
    for await (const event of readJournal(path, (value) => triedSchema.safeParse(value).data)) {
      if (event instanceof Fault) return event;
      known.set(keyOf(event.reverted), event);
    }
    const journal = Journal.open(path);
    return journal instanceof Fault ? journal : new Trials(journal, known, tree, signal, onTried);
  }

  /** Since the last `forgetEffort`, whether or not it was known before. */
  get effort(): Effort {
    const asked = [...this.#asked].map((key) => this.#known.get(key)?.verdict);
    return {
      builds: asked.length,
      tests: asked.filter((verdict) => verdict !== 'does not build').length,
    };
  }

  /** Another search begins, which is charged for all it asks. */
  forgetEffort(): void {
    this.#asked.clear();
    this.#leastExpected = undefined;
  }

  /** From now on so many sets are asked about at least, one after the other; undefined where nobody knows. */
  expectAtLeast(sets: number | undefined): void {
    this.#leastExpected = sets;
  }

  /** Throws a `ThrownFault` where the machine is to blame. */
  async of(reverted: Iterable<number>): Promise<Trial> {
    const ids = [...reverted].toSorted((a, b) => a - b);
    const key = keyOf(ids);
    const tried = this.#known.get(key) ?? (await this.#try(ids));
    this.#known.set(key, tried);
    this.#asked.add(key);
    const leastLeft = this.#leastExpected === undefined ? undefined : Math.max(0, this.#leastExpected - 1);
    this.onTried({ ...this.effort, leastLeft });
    return tried;
  }

  async #try(ids: readonly number[]): Promise<Tried> {
    const startedAt = performance.now();
    const trial = await this.tree.try(new Set(ids), this.signal);
    if (trial instanceof Fault) throw new ThrownFault(trial);
    const { verdict, measure, isUnsure } = trial;
    const said = verdict === 'does not build' ? complaintsIn(trial.said).join('\n') : trial.said;
    const tried: Tried = {
      kind: 'tried',
      reverted: [...ids],
      verdict,
      said: said.length > keptCharacters && verdict !== 'does not build' ? said.slice(-keptCharacters) : said,
      ms: Math.round(performance.now() - startedAt),
      measure,
    };
    // What the machine had no time for is not held against the changes when it is resumed.
    if (!isUnsure) this.journal.append(tried);
    return tried;
  }

  /** The same set once more, whatever is known of it. */
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
