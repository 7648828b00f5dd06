/** An append-only file of JSON lines: the only truth about a long run. */

import {
  closeSync,
  createReadStream,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { createInterface } from 'node:readline';

const newline = 0x0a;

/** Writes lines so that a kill at any instant loses nothing but a line that was never reported. */
export class Journal {
  readonly #file: number;

  /** Opens a journal to go on with it; a last line that was cut off is taken away. */
  constructor(path: string) {
    this.#file = openSync(path, 'a+');
    const whole = wholeBytes(this.#file);
    if (whole < fstatSync(this.#file).size) ftruncateSync(this.#file, whole);
  }

  /** What has been appended is there whatever happens to this process. */
  append(...events: readonly unknown[]): void {
    const line = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    // A full disk may take a part of a line; what follows must not be glued to it.
    const before = fstatSync(this.#file).size;
    try {
      for (let at = 0; at < line.length; ) at += writeSync(this.#file, line, at);
    } catch (error) {
      ftruncateSync(this.#file, before);
      throw error;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** How many bytes of a file are whole lines. */
function wholeBytes(file: number): number {
  const chunk = Buffer.alloc(1 << 16);
  for (let end = fstatSync(file).size; end > 0; ) {
    const start = Math.max(0, end - chunk.length);
    const read = readSync(file, chunk, 0, end - start, start);
    const last = chunk.subarray(0, read).lastIndexOf(newline);
    if (last >= 0) return start + last + 1;
    end = start;
  }
  return 0;
}

/** A line that is not what it should be. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

/**
 * The events of a journal in order, one at a time: a journal may be larger than the memory.
 * @param parse gives the event, or undefined if the value is none
 */
export async function* readJournal<Event>(
  path: string,
  parse: (value: unknown) => Event | undefined,
): AsyncGenerator<Event> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  // One line late, so that the last one is known to be the last: only that may be cut off.
  let waiting: string | undefined;
  const read = (line: string, isLast: boolean): Event | undefined => {
    number++;
    let event: Event | undefined;
    try {
      event = parse(JSON.parse(line));
    } catch {
      event = undefined;
    }
    if (event === undefined && !isLast) throw new JournalError(`${path}, line ${number}, is damaged`);
    return event;
  };
  for await (const line of lines) {
    const event = waiting === undefined ? undefined : read(waiting, false);
    if (event !== undefined) yield event;
    waiting = line;
  }
  const last = waiting === undefined ? undefined : read(waiting, true);
  if (last !== undefined) yield last;
}
