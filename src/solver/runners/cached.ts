import type { Run, Runner, RunRequest } from '../run/run.js';
import { requestKey } from '../run/run-record.js';

interface Known {
  readonly run: Run;
  readonly wallLimitMs: number;
}

/** How many runs a cache remembers before it forgets the oldest. */
const defaultCapacity = 50_000;

/**
 * Answers from memory what was run before. Meant for searches that meet the same candidate again; a measurement that
 * is to be repeated must not go through it.
 */
export class CachedRunner implements Runner {
  private readonly known = new Map<string, Known>();
  hits = 0;

  constructor(
    private readonly inner: Runner,
    private readonly capacity: number = defaultCapacity,
  ) {}

  async run(request: RunRequest): Promise<Run> {
    const key = requestKey(request);
    const known = this.known.get(key);
    if (known !== undefined && stillTells(known, request.limits.wallMs)) {
      this.hits++;
      return known.run;
    }
    const run = await this.inner.run(request);
    this.remember(key, { run, wallLimitMs: request.limits.wallMs });
    return run;
  }

  /** Puts a run known from elsewhere, such as a journal, into the cache. */
  remember(key: string, known: Known): void {
    this.known.delete(key);
    this.known.set(key, known);
    if (this.known.size > this.capacity) {
      const [oldest] = this.known.keys();
      if (oldest !== undefined) this.known.delete(oldest);
    }
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

/** A finished run tells about every limit it would have met, a timeout about every shorter one. */
function stillTells(known: Known, wallMs: number): boolean {
  return known.run.outcome === 'timeout' ? wallMs <= known.wallLimitMs : known.run.wallMs <= wallMs;
}
