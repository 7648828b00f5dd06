/** Formulas run on the version in question, judged, with what they execute; kept, so that none is run twice. */

import { join } from 'node:path';
import { z } from 'zod';
import { Journal, readJournal } from '../campaign/index.js';
import { type CoverageRunner, packedText } from '../coverage/index.js';
import { Fault, type Limits } from '../machine/index.js';
import { readScript } from '../smtlib/index.js';
import type { Version } from '../solver/index.js';
import { type Failure, type Judge, judgements } from './failure.js';

const triedSchema = z.object({
  text: z.string(),
  version: z.string(),
  kind: z.string(),
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
  readonly limits: Limits;
  /** The folder where what was tried is kept. */
  readonly out: string;
  readonly signal: AbortSignal;
}

const triedFile = 'tried.ndjson';

export class Tries {
  private constructor(
    private readonly job: TriesJob,
    private readonly journal: Journal,
    private readonly known: Map<string, Tried>,
  ) {}

  static async open(job: TriesJob): Promise<Tries | Fault> {
    const path = join(job.out, triedFile);
    const journal = Journal.open(path);
    if (journal instanceof Fault) return journal;
    const known = new Map<string, Tried>();
    for await (const tried of readJournal(path, (value) => triedSchema.safeParse(value).data)) {
      if (tried instanceof Fault) {
        journal.close();
        return tried;
      }
      // One that was tried for another failure says nothing about this one.
      if (tried.version === job.version.name && tried.kind === job.failure.kind) known.set(tried.text, tried);
    }
    return new Tries(job, journal, known);
  }

  /** Undefined if it was ended from outside, or is no formula. */
  async try(text: string): Promise<Tried | undefined> {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const { version, failure, coverage, judge, limits, signal } = this.job;
    const formula = readScript(text);
    if (formula instanceof Fault || signal.aborted) return undefined;
    try {
      const counted = await coverage.runPacked({ formula, version, limits }, signal);
      if (counted instanceof Fault) throw counted;
      const { run } = counted;
      const judgement = await judge.judge(failure, formula, run, signal);
      const plain = { text, version: version.name, kind: failure.kind, judgement, outcome: run.outcome };
      const tried = judgement === 'unclear' ? plain : { ...plain, executed: packedText(counted.executed) };
      this.journal.append(tried);
      this.known.set(text, tried);
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
