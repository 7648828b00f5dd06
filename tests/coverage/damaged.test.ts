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

/** One sentence. */
const expectSentence = (fault: unknown, says: RegExp): void => {
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ kind: 'text', message: expect.stringMatching(says) });
};

describe('readTable', () => {
  const damaged = /^the coverage table of the program is damaged: build it again$/;

  it('returns the table that was written', () => {
    expect(withoutFault(readTable(table))).toEqual(parts);
  });

  it('reads tables without regions', () => {
    const { regions: _, ...older } = parts;
    expect(withoutFault(readTable(writeTable(older))).regions).toBeUndefined();
  });

  it('rejects a table that is cut off or too long', () => {
    for (let length = 0; length < table.length; length++)
      expectSentence(readTable(table.subarray(0, length)), damaged);
    expectSentence(readTable(Buffer.concat([table, Buffer.alloc(4)])), damaged);
  });

  it('rejects a table with an invalid header', () => {
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

  it('rejects a table with any byte changed', () => {
    for (let at = 0; at < table.length; at++) {
      const changed = Buffer.from(table);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      expectSentence(readTable(changed), damaged);
    }
  });

  it('reads older tables without a digest', () => {
    const [mark, digest] = [table.indexOf('\n') + 1, 64];
    const older = Buffer.concat([table.subarray(0, mark), table.subarray(mark + digest)]);
    older.write('1', mark - 2);
    expect(withoutFault(readTable(older))).toEqual(parts);
  });
});

describe('parseLinkedCounters', () => {
  const text = '24\n77 /build/seq.gcda\n 1 2 3 0 2\n 4 5 6 16 1\n';

  it('reads the whole list', () => {
    expect(withoutFault(parseLinkedCounters(text))).toMatchObject({
      bytes: 24,
      units: [{ stamp: 77, path: '/build/seq.gcda', functions: [{ counters: 2 }, { firstCounter: 2 }] }],
    });
  });

  it('rejects a list that ends within a line', () => {
    for (let length = 0; length < text.length; length++) {
      const cut = text.slice(0, length);
      if (!cut.endsWith('\n'))
        expectSentence(parseLinkedCounters(cut), /^(line 1 of )?the program's list of counters /);
    }
    expectSentence(parseLinkedCounters(text.slice(0, -1)), /list of counters is cut off$/);
  });

  it.each([
    ['', /^line 1 of the program's list of counters is damaged$/],
    ['20\n', /^line 1 of the program's list/],
    ['many\n', /^line 1 of the program's list/],
    ['24\n 1 2 3 0 2\n', /^line 2 of the program's list/],
    ['24\n77 /build/seq.gcda\n 1 2 3 0\n', /^line 3 of the program's list/],
    ['24\n77 /build/seq.gcda\n\n', /^line 3 of the program's list/],
    ['24\n77 /build/seq.gcda\n 1 2 3 0 9\n', /it was not linked for coverage$/],
    ['24\n77 /build/seq.gcda\n 1 2 3 -8 1\n', /it was not linked for coverage$/],
  ])('rejects %j with the line or the cause', (said, says) => {
    expectSentence(parseLinkedCounters(said), says);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (said) => {
        const parsed = parseLinkedCounters(said);
        if (parsed instanceof Fault) expect(parsed.message).toMatch(/^\S.*[^.]$/);
      }),
    );
  });
});
