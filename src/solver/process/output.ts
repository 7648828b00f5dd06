import type { Readable } from 'node:stream';

/** What the pipes of one process brought, up to a limit over all of them. */
export class Output {
  readonly #limit: number;
  readonly #full: () => void;
  readonly #streams: Readable[] = [];
  #bytes = 0;

  constructor(limit: number, full: () => void) {
    this.#limit = limit;
    this.#full = full;
  }

  /** Returns how to ask for the text collected so far. */
  collect(stream: Readable | null): () => string {
    const chunks: Buffer[] = [];
    if (stream === null) return () => '';
    this.#streams.push(stream);
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes <= this.#limit) chunks.push(chunk);
      else this.#full();
    });
    return () => Buffer.concat(chunks).toString('utf8');
  }

  close(): void {
    for (const stream of this.#streams) stream.destroy();
  }
}
