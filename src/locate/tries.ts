/** Formulas run on the version in question, judged, with what they execute; kept, so that none is run twice. */

import { join } from 'node:path';
import { z } from 'zod';
import { Journal, readJournal } from '../campaign/index.js';
import { type CoverageRunner, packedText } from '../coverage/index.js';
import { Fault, type Limits, shortDigest } from '../machine/index.js';
import { readScript } from '../smtlib/index.js';
import { type Version, versionKey } from '../solver/index.js';
import { type Failure, type Judge, judgements } from './failure.js';

const triedSchema = z.object({
  text: z.string(),
  /** What it was tried for, and how: another failure, another build or another limit says something else. */
  asked: z.string(),
  judgement: z.enum(judgements),
  outcome: z.string(),
  /** What it executes, packed; of those that tell something. */
  executed: z.string().optional(),
});

/** What came of a formula. */
export type Tried = z.infer<typeof triedSchema>;

export interface TriesJob {
  readonly coverage: Pick<CoverageRunner, 'runPacked'>;
  readonly judge: Pick<Judge, 'judge'>;
  readonly failure: Failure;
  readonly version: Version;
  readonly references: readonly Version[];
  readonly limits: Limits;
  /** The folder where what was tried is kept. */
  readonly out: string;
  readonly signal: AbortSignal;
}

const triedFile = 'tried.ndjson';

export class Tries {
  /** Those under way, too: workers may come to the same formula. */
  readonly #tried = new Map<string, Promise<Tried | undefined | Fault>>();

  private constructor(
    private readonly job: TriesJob,
    private readonly journal: Journal,
    private readonly asked: string,
    known: Iterable<Tried>,
  ) {
    for (const tried of known) this.#tried.set(tried.text, Promise.resolve(tried));
  }

  static async open(job: TriesJob): Promise<Tries | Fault> {
    const path = join(job.out, triedFile);
    const journal = Journal.open(path);
    if (journal instanceof Fault) return journal;
    const { version, references, failure, limits } = job;
    const asked = shortDigest(
      JSON.stringify([failure.kind, limits, ...[version, ...references].map(versionKey)]),
    );
    const known: Tried[] = [];
    for await (const tried of readJournal(path, (value) => triedSchema.safeParse(value).data)) {
      if (tried instanceof Fault) {
        journal.close();
        return tried;
      }
      if (tried.asked === asked) known.push(tried);
    }
    return new Tries(job, journal, asked, known);
  }

  /** Undefined if it was ended from outside, or is no formula. */
  try(text: string): Promise<Tried | undefined | Fault> {
    const known = this.#tried.get(text);
    if (known !== undefined) return known;
    const trying = this.#tryNow(text);
    this.#tried.set(text, trying);
    return trying;
  }

  async #tryNow(text: string): Promise<Tried | undefined | Fault> {
    const { version, failure, coverage, judge, limits, signal } = this.job;
    const formula = readScript(text);
    if (formula instanceof Fault || signal.aborted) return undefined;
    try {
      const counted = await coverage.runPacked({ formula, version, limits, checks: true }, signal);
      if (counted instanceof Fault) return counted;
      const { run, executed } = counted;
      const judgement = await judge.judge(failure, formula, run, signal);
      const plain = { text, asked: this.asked, judgement, outcome: run.outcome };
      const tried = judgement === 'unclear' ? plain : { ...plain, executed: packedText(executed) };
      this.journal.append(tried);
      return tried;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  close(): void {
    this.journal.close();
  }
}
