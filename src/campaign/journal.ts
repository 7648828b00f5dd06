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
import { environmentFault, type Fault, usageFault } from '../machine/index.js';

const newline = 0x0a;

/** Writes lines so that a kill at any instant loses nothing but a line that was never reported. */
export class Journal {
  readonly #file: number;

  /** Opens a journal to append to it; a last line that was cut off is taken away. */
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

/**
 * The events of a journal in order, one at a time: a journal may be larger than the memory. A fault is the last thing it
 * gives. What was stopped before it began has no journal yet, and so no events.
 *
 * @param parse gives the event, or undefined if the value is none
 */
export async function* readJournal<Event>(
  path: string,
  parse: (value: unknown) => Event | undefined,
): AsyncGenerator<Event | Fault> {
  let number = 0;
  // Not yet ended by a newline. What stays here was cut off, and is taken away when the journal is resumed.
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        number++;
        const event = parse(parseJson(line));
        if (event === undefined) {
          yield usageFault(`${path}, line ${number}, is damaged`);
          return;
        }
        yield event;
      }
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') yield environmentFault(`${path} cannot be read: ${message}`);
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
