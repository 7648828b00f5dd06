import { describe, expect, it } from 'vitest';
import { changedFiles } from '../../src/explain/changes/change.js';
import { type CurrentSources, likelyMissing, namesIn } from '../../src/explain/search/likely-missing.js';

describe('a compiler error', () => {
  it.each([
    ["a.c:3:5: error: use of undeclared identifier 'percent'", ['percent']],
    ['a.c:3:5: error: ‘struct dep’ has no member named ‘stem’', ['dep', 'stem']],
    ["a.c:(.text+0x1a): undefined reference to `EINTRLOOP'", ['EINTRLOOP']],
    ["a.c:1:1: error: conflicting types for 'f'; have 'int(int, char *)'", ['f']],
    ['a.c:9:1: error: expected identifier', []],
  ])('%s names %j', (diagnostic, names) => {
    expect([...namesIn(diagnostic)]).toEqual(names);
  });
});

describe('the changes that are likely missing after a compiler error', () => {
  const oldText =
    'int y;\nint f(int a) {\n  int p = a;\n  return p + y;\n}\nint g(int p) {\n  return p;\n}\n';
  const newText =
    'int m;\nint f(int a) {\n  int q = a;\n  return q + m;\n}\nint g(int q) {\n  return q;\n}\n';
  const [file] = changedFiles([{ path: 'src/a.c', oldText, newText, oldMode: undefined }]);
  const changes = file?.changes ?? [];
  const sources: CurrentSources = {
    functionAt: ({ line }) => (line <= 1 ? undefined : line <= 5 ? 'f' : 'g'),
    newLineOf: ({ line }) => line,
    restores: (change, name) => name === 'g' && change.new.from === 6,
  };
  const linesFor = (diagnostic: string) =>
    likelyMissing([diagnostic], changes, sources)
      .map((change) => change.new.from)
      .toSorted();

  it('are at declarations of the name and in the function of the error', () => {
    expect(changes.map((change) => change.new.from)).toEqual([1, 3, 6]);
    expect(linesFor("a.c:4:14: error: use of undeclared identifier 'y'")).toEqual([1, 3]);
    expect(linesFor("a.c:7:10: error: use of undeclared identifier 'q'")).toEqual([6]);
  });

  it('are next to the error if it names nothing', () => {
    expect(linesFor('a.c:7:10: error: expected expression')).toEqual([6]);
  });

  it('are those that restore a missing function', () => {
    expect(linesFor("a.c:(.text+0x1a): undefined reference to `g'")).toEqual([6]);
    expect(linesFor("a.c:3:5: error: call to undeclared function 'g'")).toEqual([6]);
  });

  it('are at the declaration of a function with other parameters', () => {
    const diagnostics = [
      'a.c:4:9: error: too few arguments to function call, expected 2, have 1',
      "a.c:6:5: note: 'g' declared here",
    ];
    const found = likelyMissing(diagnostics, changes, sources).map((change) => change.new.from);
    expect(found.toSorted()).toEqual([3, 6]);
  });

  it('are at the second include of a file', () => {
    const site = "a.c:1:10: note: './q.h' included multiple times, additional include site here";
    expect(linesFor(site)).toEqual([1]);
    expect(linesFor(site.replace('a.c:1', 'a.c:90'))).toEqual([]);
  });

  it('are empty for errors in other files', () => {
    expect(linesFor('b.c:7:10: error: expected expression')).toEqual([]);
  });
});
