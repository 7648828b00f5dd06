import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Journal, readJournal } from '../../src/campaign/journal.js';
import { usageFault } from '../../src/machine/index.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = temporaryFolder('journal');
  path = join(folder, 'journal.ndjson');
});

afterEach(() => removeFolder(folder));

async function eventsIn(
  file: string,
  parse: (value: unknown) => unknown = (value) => value,
): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of readJournal(file, parse)) events.push(event);
  return events;
}

function write(...events: readonly unknown[]): void {
  const journal = withoutFault(Journal.open(path));
  journal.append(...events);
  journal.close();
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Includes every character that some system treats as a line end. */
const text = fc.string({
  unit: fc.oneof(fc.constantFrom('\n', '\r', '\u2028', '\u2029', '\u0085', '"', '\\'), fc.string()),
});
const event = fc.oneof(
  fc.jsonValue({ noUnicodeString: false }),
  fc.record({ event: text, formula: text, at: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
);

describe('a journal', () => {
  it('returns the appended events unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(event, { maxLength: 3 }), { maxLength: 6 }), async (batches) => {
        rmSync(path, { force: true });
        const journal = withoutFault(Journal.open(path));
        for (const batch of batches) journal.append(...batch);
        journal.close();
        expect(await eventsIn(path)).toEqual(batches.flat().map(asJson));
      }),
      { numRuns: 150 },
    );
  });

  it('reads lines longer than a chunk', async () => {
    const events = [1 << 20, 3 << 20, 10].map((length) => ({ text: 'é'.repeat(length) }));
    write(...events);
    expect(await eventsIn(path)).toEqual(events);
  });

  it('truncated anywhere, keeps its complete lines and accepts new ones', async () => {
    const events = [{ at: 1, text: 'é\u2028' }, { at: 2 }, { at: 3, text: '\n' }];
    write(...events);
    const bytes = readFileSync(path);
    for (let length = 0; length <= bytes.length; length++) {
      writeFileSync(path, bytes);
      truncateSync(path, length);
      const whole = events.slice(0, bytes.subarray(0, length).toString().split('\n').length - 1);
      expect(await eventsIn(path)).toEqual(whole);
      write({ at: 4 }, { at: 5 });
      expect(await eventsIn(path)).toEqual([...whole, { at: 4 }, { at: 5 }]);
    }
  });

  it('removes an incomplete last line that is longer than a chunk', async () => {
    write({ at: 1 });
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"text":"${'x'.repeat(200_000)}`);
    write({ at: 2 });
    expect(readFileSync(path, 'utf8')).toBe('{"at":1}\n{"at":2}\n');
  });

  it('with only an incomplete first line, begins again', async () => {
    writeFileSync(path, '{"event":"beg');
    expect(await eventsIn(path)).toEqual([]);
    write({ at: 1 });
    expect(await eventsIn(path)).toEqual([{ at: 1 }]);
  });

  it.each([
    ['not JSON', '{"at":1}\n{"at":2\n{"at":3}\n', 2],
    ['no event', '{"at":1}\n{"at":2}\n"what"\n{"at":4}\n', 3],
    ['glued to another', '{"at":1}{"at":2}\n{"at":3}\n', 1],
    ['whole and no event, though the last', '{"at":1}\n"what"\n', 2],
    ['empty', '{"at":1}\n\n{"at":3}\n', 2],
  ])('with a line that is %s, reports the line number', async (_, lines, number) => {
    writeFileSync(path, lines);
    const given = await eventsIn(path, (value) => (typeof value === 'object' ? value : undefined));
    const before = Array.from({ length: number - 1 }, (_, at) => ({ at: at + 1 }));
    expect(given).toEqual([...before, usageFault(`${path}, line ${number}, is damaged`)]);
  });

  it('that does not exist has no events', async () => {
    expect(await eventsIn(path)).toEqual([]);
  });

  it('that is unreadable reports the reason', async () => {
    mkdirSync(path);
    expect(await eventsIn(path)).toEqual([
      usageFault(`${path} is not a regular file, so it is not a journal`),
    ]);
  });
});
