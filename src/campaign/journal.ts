/** An append-only file of JSON lines, the only source of truth about a long job. */

import {
  closeSync,
  createReadStream,
  fstatSync,
  ftruncateSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import {
  cannotRead,
  cannotWrite,
  type Fault,
  type OnStep,
  openToAppend,
  parsedJson,
  ThrownFault,
  usageFault,
} from '../machine/index.js';

const newline = 0x0a;

/** Maximum length of a line; no solver answers a formula of this size. */
const mostLineBytes = 64 << 20;

/** Writes lines so that a kill at any time loses at most a line that was never reported. */
export class Journal {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  static open(path: string): Journal | Fault {
    let file: number | undefined;
    try {
      file = openToAppend(path);
      const { size } = fstatSync(file);
      const whole = wholeBytes(file, size);
      // A longer rest was never a line of a journal, so culprit does not remove it.
      if (size - whole > mostLineBytes) {
        closeSync(file);
        return usageFault(`${path} is damaged: it does not end with a line of a journal`);
      }
      if (whole < size) ftruncateSync(file, whole);
      return new Journal(file);
    } catch (error) {
      if (file !== undefined) closeSync(file);
      return cannotWrite(path, error);
    }
  }

  /** Appended events survive the end of this process. Throws if a line would be too long to be read again. */
  append(...events: readonly unknown[]): void {
    const lines = events.map((event) => Buffer.from(`${JSON.stringify(event)}\n`));
    if (lines.some(({ length }) => length > mostLineBytes))
      throw new ThrownFault(
        usageFault(`an event is longer than the ${mostLineBytes >> 20} MB allowed for a line of a journal`),
      );
    const line = Buffer.concat(lines);
    // A full disk may accept part of a line; the next line must not continue it.
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

/** The number of bytes in complete lines. Searches back over the length of one line. */
function wholeBytes(file: number, size: number): number {
  const chunk = Buffer.alloc(1 << 16);
  for (let end = size; end > 0 && size - end <= mostLineBytes; ) {
    const start = Math.max(0, end - chunk.length);
    const read = readSync(file, chunk, 0, end - start, start);
    const last = chunk.subarray(0, read).lastIndexOf(newline);
    if (last >= 0) return start + last + 1;
    end = start;
  }
  return 0;
}

/**
 * Yields the events of a journal in order, one at a time, because a journal may exceed the memory. A fault is the
 * last item. A job that was stopped early has no journal and no events.
 *
 * @param parse returns the event, or undefined if the value is invalid
 * @param onRead receives the number of megabytes read
 */
export async function* readJournal<Event>(
  path: string,
  parse: (value: unknown) => Event | undefined,
  onRead?: OnStep,
): AsyncGenerator<Event | Fault> {
  let number = 0;
  // The text after the last newline. If it was cut off, resuming the journal removes it.
  let rest: string[] = [];
  let restLength = 0;
  let readBytes = 0;
  const damaged = (): Fault => usageFault(`${path}, line ${number}, is damaged`);
  try {
    const info = statSync(path, { throwIfNoEntry: false });
    if (info === undefined) return;
    if (!info.isFile()) {
      yield usageFault(`${path} is not a regular file, so it is not a journal`);
      return;
    }
    for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
      const lines = (chunk as string).split('\n');
      readBytes += chunk.length;
      onRead?.({
        step: `reading ${path}`,
        done: readBytes / (1 << 20),
        total: Math.ceil(info.size / (1 << 20)),
        what: 'megabyte',
      });
      const last = lines.pop() ?? '';
      for (const end of lines) {
        number++;
        const line = rest.length === 0 ? end : rest.join('') + end;
        rest = [];
        restLength = 0;
        const event = parse(parsedJson(line));
        if (event === undefined) {
          yield damaged();
          return;
        }
        yield event;
      }
      rest.push(last);
      restLength += last.length;
      if (restLength > mostLineBytes) {
        number++;
        yield damaged();
        return;
      }
    }
  } catch (error) {
    yield cannotRead(path, error);
  }
}
