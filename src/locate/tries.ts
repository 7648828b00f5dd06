/** Runs and judges formulas on the failing version and stores results with coverage, so that none runs twice. */

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
  /** A digest of failure, builds and limits; a result is valid for these only. */
  asked: z.string(),
  judgement: z.enum(judgements),
  outcome: z.string(),
  /** Packed coverage; absent for unclear results. */
  executed: z.string().optional(),
});

export type TriedFormula = z.infer<typeof triedSchema>;

export interface TrialsJob {
  readonly coverage: Pick<CoverageRunner, 'runPacked'>;
  readonly judge: Pick<Judge, 'judge'>;
  readonly failure: Failure;
  readonly version: Version;
  readonly references: readonly Version[];
  readonly limits: Limits;
  readonly out: string;
  readonly signal: AbortSignal;
}

const triedFile = 'tried.ndjson';

export class FormulaTrials {
  /** Includes running tries, since workers may generate the same formula. */
  readonly #tried = new Map<string, Promise<TriedFormula | undefined | Fault>>();

  private constructor(
    private readonly job: TrialsJob,
    private readonly journal: Journal,
    private readonly asked: string,
    known: Iterable<TriedFormula>,
  ) {
    for (const tried of known) this.#tried.set(tried.text, Promise.resolve(tried));
  }

  static async open(job: TrialsJob): Promise<FormulaTrials | Fault> {
    const path = join(job.out, triedFile);
    const journal = Journal.open(path);
    if (journal instanceof Fault) return journal;
    const { version, references, failure, limits } = job;
    const asked = shortDigest(
      JSON.stringify([failure.kind, limits, ...[version, ...references].map(versionKey)]),
    );
    const known: TriedFormula[] = [];
    for await (const tried of readJournal(path, (value) => triedSchema.safeParse(value).data)) {
      if (tried instanceof Fault) {
        journal.close();
        return tried;
      }
      if (tried.asked === asked) known.push(tried);
    }
    return new FormulaTrials(job, journal, asked, known);
  }

  /** Undefined if aborted or not parsable. */
  try(text: string): Promise<TriedFormula | undefined | Fault> {
    const known = this.#tried.get(text);
    if (known !== undefined) return known;
    const trying = this.#tryNow(text);
    this.#tried.set(text, trying);
    return trying;
  }

  async #tryNow(text: string): Promise<TriedFormula | undefined | Fault> {
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
