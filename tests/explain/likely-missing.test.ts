import { describe, expect, it } from 'vitest';
import { changedFiles } from '../../src/explain/changes/change.js';
import { type CurrentSources, likelyMissing, namesIn } from '../../src/explain/search/likely-missing.js';

describe('a complaint', () => {
  it.each([
    ["a.c:3:5: error: use of undeclared identifier 'percent'", ['percent']],
    ['a.c:3:5: error: ‘struct dep’ has no member named ‘stem’', ['dep', 'stem']],
    ["a.c:(.text+0x1a): undefined reference to `EINTRLOOP'", ['EINTRLOOP']],
    ["a.c:1:1: error: conflicting types for 'f'; have 'int(int, char *)'", ['f']],
    ['a.c:9:1: error: expected identifier', []],
  ])('%s names %j', (complaint, names) => {
    expect([...namesIn(complaint)]).toEqual(names);
  });
});

describe('the changes that are likely to be missing', () => {
  const oldText =
    'int y;\nint f(int a) {\n  int p = a;\n  return p + y;\n}\nint g(int p) {\n  return p;\n}\n';
  const newText =
    'int m;\nint f(int a) {\n  int q = a;\n  return q + m;\n}\nint g(int q) {\n  return q;\n}\n';
  const [file] = changedFiles([{ path: 'src/a.c', oldText, newText, oldMode: undefined }]);
  const changes = file?.changes ?? [];
  const sources: CurrentSources = {
    functionAt: ({ line }) => (line <= 1 ? undefined : line <= 5 ? 'f' : 'g'),
    newLineOf: ({ line }) => line,
    bringsBack: (change, name) => name === 'g' && change.new.from === 6,
  };
  const linesFor = (complaint: string) =>
    likelyMissing([complaint], changes, sources)
      .map((change) => change.new.from)
      .toSorted();

  it('speak of the name where things are declared, and in the function the complaint is about', () => {
    expect(changes.map((change) => change.new.from)).toEqual([1, 3, 6]);
    expect(linesFor("a.c:4:14: error: use of undeclared identifier 'y'")).toEqual([1, 3]);
    expect(linesFor("a.c:7:10: error: use of undeclared identifier 'q'")).toEqual([6]);
  });

  it('are those next to it where nothing is named', () => {
    expect(linesFor('a.c:7:10: error: expected expression')).toEqual([6]);
  });

  it('bring back what is not there, where one does', () => {
    expect(linesFor("a.c:(.text+0x1a): undefined reference to `g'")).toEqual([6]);
    expect(linesFor("a.c:3:5: error: call to undeclared function 'g'")).toEqual([6]);
  });

  it('are those at the head of what takes something else', () => {
    const complaints = [
      'a.c:4:9: error: too few arguments to function call, expected 2, have 1',
      "a.c:6:5: note: 'g' declared here",
    ];
    const found = likelyMissing(complaints, changes, sources).map((change) => change.new.from);
    expect(found.toSorted()).toEqual([3, 6]);
  });

  it('are those by which a file is included once more', () => {
    const site = "a.c:1:10: note: './q.h' included multiple times, additional include site here";
    expect(linesFor(site)).toEqual([1]);
    expect(linesFor(site.replace('a.c:1', 'a.c:90'))).toEqual([]);
  });

  it('are none for what is said about other files', () => {
    expect(linesFor('b.c:7:10: error: expected expression')).toEqual([]);
  });
});
