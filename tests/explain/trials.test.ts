import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Trials } from '../../src/explain/trials/trials.js';
import type { Trial } from '../../src/explain/trials/verdict.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const { signal } = new AbortController();

it('trials are reused after a resume, except for those that hit the wall time limit', async () => {
  const journal = join(temporaryFolder('trials'), 'journal.ndjson');
  const askedOf = async (answer: Trial): Promise<readonly (readonly number[])[]> => {
    const asked: (readonly number[])[] = [];
    const tree = {
      try: (reverted: ReadonlySet<number>) => {
        asked.push([...reverted]);
        return Promise.resolve(reverted.has(1) ? answer : ({ verdict: 'fails', output: '' } as const));
      },
    };
    const trials = withoutFault(await Trials.open(journal, tree, signal));
    for (const ids of [[0], [1], [1]]) await trials.of(ids);
    trials.close();
    return asked;
  };
  // Within one search, every result of a set is reused.
  expect(await askedOf({ verdict: 'unresolved', output: 'ended', hitWallLimit: true })).toEqual([[0], [1]]);
  expect(await askedOf({ verdict: 'passes', output: '' })).toEqual([[1]]);
  expect(await askedOf({ verdict: 'fails', output: '' })).toEqual([]);
});
