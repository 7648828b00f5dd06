import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLinkedCounters } from '../../src/coverage/native/linked-counters.js';
import type { TableParts } from '../../src/coverage/table.js';
import { readTable, writeTable } from '../../src/coverage/table-file.js';
import { Fault } from '../../src/machine/index.js';
import { withoutFault } from '../without-fault.js';

const parts: TableParts = {
  files: ['smt/seq.cpp', 'util/é.h'],
  functions: [
    { name: 'f', file: 0, startLine: 3, endLine: 9, firstCounter: 0, counters: 2 },
    { name: 'memcpy', file: undefined, startLine: 0, endLine: 0, firstCounter: 2, counters: 1 },
  ],
  lineFiles: Uint32Array.of(0, 0, 1),
  lineNumbers: Uint32Array.of(3, 4, 1),
  codeStarts: Uint32Array.of(0, 2),
  code: Int32Array.of(1, -2, 3),
  counterBytes: 24,
  regions: 5,
};
const table = writeTable(parts);

/** One sentence, as the edge ends and prints it. */
const expectSentence = (fault: unknown, says: RegExp): void => {
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ kind: 'text', message: expect.stringMatching(says) });
};

describe('a table of what a program can execute', () => {
  const damaged = /^the table of what the program can execute is damaged: build it again$/;

  it('is the same when it is read again', () => {
    expect(withoutFault(readTable(table))).toEqual(parts);
  });

  it('is read where it is one of before regions were counted', () => {
    const { regions: _, ...older } = parts;
    expect(withoutFault(readTable(writeTable(older))).regions).toBeUndefined();
  });

  it('that was cut anywhere, or has more than it should, is damaged', () => {
    for (let length = 0; length < table.length; length++)
      expectSentence(readTable(table.subarray(0, length)), damaged);
    expectSentence(readTable(Buffer.concat([table, Buffer.alloc(4)])), damaged);
  });

  it('that says of itself what cannot be is damaged', () => {
    const text = table.toString('latin1');
    for (const [from, to] of [
      ['coverage table 2', 'coverage table 3'],
      ['coverage table 2', 'coverage table 1'],
      ['"lines":3', '"lines":4'],
      ['"lines":3', '"lines":x'],
      ['"code":3', '"code":-'],
      ['"files":[', '"tiles":['],
    ] as const)
      expectSentence(readTable(Buffer.from(text.replace(from, to), 'latin1')), damaged);
    const endless = Buffer.from(table);
    endless.writeUInt32LE(0xffff_ffff, text.indexOf('{') - 4);
    expectSentence(readTable(endless), damaged);
  });

  it('with any byte changed is damaged: none of its numbers is taken for another', () => {
    for (let at = 0; at < table.length; at++) {
      const changed = Buffer.from(table);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      expectSentence(readTable(changed), damaged);
    }
  });

  it('is read where it was kept before there was a digest in it', () => {
    const [mark, digest] = [table.indexOf('\n') + 1, 64];
    const older = Buffer.concat([table.subarray(0, mark), table.subarray(mark + digest)]);
    older.write('1', mark - 2);
    expect(withoutFault(readTable(older))).toEqual(parts);
  });
});

describe('what a program says of its counters', () => {
  const text = '24\n77 /build/seq.gcda\n 1 2 3 0 2\n 4 5 6 16 1\n';

  it('is read to its end', () => {
    expect(withoutFault(parseLinkedCounters(text))).toMatchObject({
      bytes: 24,
      units: [{ stamp: 77, path: '/build/seq.gcda', functions: [{ counters: 2 }, { firstCounter: 2 }] }],
    });
  });

  it('is cut off or damaged wherever it ends within a line', () => {
    for (let length = 0; length < text.length; length++) {
      const cut = text.slice(0, length);
      if (!cut.endsWith('\n'))
        expectSentence(parseLinkedCounters(cut), /^(what|line 1 of what) the program says/);
    }
    expectSentence(parseLinkedCounters(text.slice(0, -1)), /says of its counters is cut off$/);
  });

  it.each([
    ['', /^line 1 of what the program says of its counters is damaged$/],
    ['20\n', /^line 1 of what/],
    ['many\n', /^line 1 of what/],
    ['24\n 1 2 3 0 2\n', /^line 2 of what/],
    ['24\n77 /build/seq.gcda\n 1 2 3 0\n', /^line 3 of what/],
    ['24\n77 /build/seq.gcda\n\n', /^line 3 of what/],
    ['24\n77 /build/seq.gcda\n 1 2 3 0 9\n', /it was not linked for coverage$/],
    ['24\n77 /build/seq.gcda\n 1 2 3 -8 1\n', /it was not linked for coverage$/],
  ])('is, as %j, told with its line or what is wrong', (said, says) => {
    expectSentence(parseLinkedCounters(said), says);
  });

  it('is never a crash, whatever it says', () => {
    fc.assert(
      fc.property(fc.string(), (said) => {
        const parsed = parseLinkedCounters(said);
        if (parsed instanceof Fault) expect(parsed.message).toMatch(/^\S.*[^.]$/);
      }),
    );
  });
});
