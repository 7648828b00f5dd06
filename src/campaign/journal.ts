/** An append-only file of JSON lines: the only truth about a long run. */

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
  ThrownFault,
  usageFault,
} from '../machine/index.js';

const newline = 0x0a;

/** No line is longer: a formula of this size is nothing a solver answers. */
const mostLineBytes = 64 << 20;

/** Writes lines so that a kill at any instant loses nothing but a line that was never reported. */
export class Journal {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  /** Opens a journal to append to it; a last line that was cut off is taken away. */
  static open(path: string): Journal | Fault {
    let file: number | undefined;
    try {
      file = openToAppend(path);
      const { size } = fstatSync(file);
      const whole = wholeBytes(file, size);
      // What is that long was never a line, and not culprit's to take away.
      if (size - whole > mostLineBytes) {
        closeSync(file);
        return usageFault(`${path} is damaged: it does not end in a line of a journal`);
      }
      if (whole < size) ftruncateSync(file, whole);
      return new Journal(file);
    } catch (error) {
      if (file !== undefined) closeSync(file);
      return cannotWrite(path, error);
    }
  }

  /** What has been appended is there whatever happens to this process. Throws before a line that could not be read again. */
  append(...events: readonly unknown[]): void {
    const lines = events.map((event) => Buffer.from(`${JSON.stringify(event)}\n`));
    if (lines.some(({ length }) => length > mostLineBytes))
      throw new ThrownFault(
        usageFault(`an event is longer than the ${mostLineBytes >> 20} MB of a line of a journal`),
      );
    const line = Buffer.concat(lines);
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

/** How many bytes of a file are whole lines, as far as they end within one line's length. */
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
 * The events of a journal in order, one at a time: a journal may be larger than the memory. A fault is the last thing it
 * gives. What was stopped before it began has no journal yet, and so no events.
 *
 * @param parse gives the event, or undefined if the value is none
 * @param onRead told of how many megabytes have been read
 */
export async function* readJournal<Event>(
  path: string,
  parse: (value: unknown) => Event | undefined,
  onRead?: OnStep,
): AsyncGenerator<Event | Fault> {
  let number = 0;
  // Not yet ended by a newline. What stays here was cut off, and is taken away when the journal is resumed.
  let rest: string[] = [];
  let restLength = 0;
  let readBytes = 0;
  const damaged = (): Fault => usageFault(`${path}, line ${number}, is damaged`);
  try {
    const info = statSync(path, { throwIfNoEntry: false });
    if (info === undefined) return;
    if (!info.isFile()) {
      yield usageFault(`${path} is not a regular file, and so no journal`);
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
        const event = parse(parseJson(line));
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

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
