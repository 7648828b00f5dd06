import type { Run, Runner, RunRequest } from '../run/run.js';
import { type RunRecord, recordSchema, requestKey } from '../run/run-record.js';

/** Writes down every run before it is handed on, so that a search can be replayed from the record. */
export class RecordingRunner implements Runner {
  constructor(
    private readonly inner: Runner,
    private readonly write: (record: RunRecord) => void | Promise<void>,
  ) {}

  async run(request: RunRequest): Promise<Run> {
    const run = await this.inner.run(request);
    await this.write({
      key: requestKey(request),
      wallLimitMs: request.limits.wallMs,
      run: { ...run, answers: [...run.answers] },
    });
    return run;
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

/** Gives recorded runs back, those of one request in the order they were made; asks `beyond` for anything else. */
export class ReplayingRunner implements Runner {
  private readonly waiting = new Map<string, Run[]>();

  constructor(
    records: Iterable<RunRecord>,
    private readonly beyond?: Runner,
  ) {
    for (const record of records) {
      const place = placeOf(record.key, record.wallLimitMs);
      const runs = this.waiting.get(place);
      if (runs === undefined) this.waiting.set(place, [record.run]);
      else runs.push(record.run);
    }
  }

  async run(request: RunRequest): Promise<Run> {
    const recorded = this.waiting.get(placeOf(requestKey(request), request.limits.wallMs))?.shift();
    if (recorded !== undefined) return recorded;
    if (this.beyond === undefined)
      throw new Error(`the record holds no further run of ${request.version.name}`);
    return this.beyond.run(request);
  }

  async close(): Promise<void> {
    await this.beyond?.close();
  }
}

function placeOf(key: string, wallLimitMs: number): string {
  return `${key} ${wallLimitMs}`;
}

/** Reads a record line by line; a last line cut off by a crash is left out. */
export function readRecords(text: string): RunRecord[] {
  return text.split('\n').flatMap((line) => {
    try {
      const parsed = recordSchema.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}
