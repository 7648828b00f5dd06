/** Plants faults in the checker, reader, measure and printer, so that culprit itself fails on a formula. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { siftedFormulas } from '../../src/cli/options/inputs.js';
import { asWritten } from '../../src/hunt/events.js';
import { formulaSources } from '../../src/hunt/strategies/formula-sources.js';
import { huntOf, settingsFor } from '../simulated/search.js';
import { fullRuns } from '../simulated/solver.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

vi.mock('../../src/smtlib/index.js', async (original) => {
  const smtlib = await original<typeof import('../../src/smtlib/index.js')>();
  const failingOn =
    <Given extends readonly unknown[], Value>(what: string, job: (...given: Given) => Value) =>
    (...given: Given): Value => {
      if (JSON.stringify(given[0]).includes(`planted-in-${what}`)) throw new TypeError(`${what} fell`);
      return job(...given);
    };
  return {
    ...smtlib,
    examineText: failingOn('checker', smtlib.examineText),
    readScript: failingOn('reader', smtlib.readScript),
    measure: failingOn('measure', smtlib.measure),
    printScript: failingOn('printer', smtlib.printScript),
  };
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a corpus with formulas that make culprit fail', () => {
  const places = ['checker', 'reader', 'measure', 'printer'] as const;

  it('is used without them, and each warning names the command that reproduces the failure', async () => {
    const folder = temporaryFolder();
    const write = (name: string): void =>
      writeFileSync(join(folder, `${name}.smt2`), `(declare-const ${name} Bool)(assert ${name})(check-sat)`);
    for (const place of places) write(`planted-in-${place}`);
    write('sound');
    const { formulas, faults } = withoutFault(await siftedFormulas([folder]));
    expect(formulas.map(({ name }) => name)).toEqual([expect.stringMatching(/sound\.smt2$/)]);
    expect(faults.map(({ message }) => message).toSorted()).toEqual(
      places.toSorted().map((place) => expect.stringMatching(new RegExp(`${place} fell; .*formula check`))),
    );
  });

  it('is not read further after an abort', async () => {
    const folder = temporaryFolder();
    const name = 'sound';
    for (let at = 0; at < 2000; at++)
      writeFileSync(join(folder, `${at}.smt2`), `(declare-const ${name} Bool)(assert ${name})(check-sat)`);
    const ending = new AbortController();
    setImmediate(() => ending.abort(new Error('ended')));
    await expect(siftedFormulas([folder], ending.signal)).rejects.toThrow('ended');
  });

  it('does not prevent opening a stored campaign', () => {
    const corpus = ['planted-in-reader', 'sound'].map(
      (name) => `(declare-const ${name} Bool)(assert ${name})(check-sat)`,
    );
    const hunt = huntOf(settingsFor('culprit', {}, { corpus }));
    expect(hunt.failures).toMatchObject({ count: 1, first: { message: 'reader fell' } });
  });
});

describe('a hunt with a failing rule', () => {
  const corpus = ['(declare-const sound Bool)(assert sound)(check-sat)'];
  const hunted = (trials: number) => {
    const hunt = huntOf(settingsFor('culprit', {}, { corpus, workers: 2 }));
    const marks: string[] = [];
    for (let tried = 0; tried < trials; tried++) {
      const lane = tried % 2;
      const { formula } = hunt.trialOf(lane);
      marks.push(hunt.markOf(lane));
      const runs = asWritten(fullRuns(formula));
      hunt.apply({ event: 'tried', at: tried, lane, formula: hunt.markOf(lane), runs });
    }
    return { hunt, marks };
  };

  it('continues, counts the failures and stays reproducible', () => {
    vi.spyOn(formulaSources.corpus, 'make').mockImplementation(() => {
      throw new TypeError('the rule fell');
    });
    const { hunt, marks } = hunted(60);
    expect(hunt.triedCount).toBe(60);
    expect(hunt.failures.first?.message).toBe('the rule fell');
    expect(hunt.failures.count).toBeGreaterThan(1);
    expect(hunted(60).marks).toEqual(marks);
  });

  it("fails with the rule's message if every formula source fails", () => {
    for (const source of Object.values(formulaSources))
      vi.spyOn(source, 'make').mockImplementation(() => {
        throw new TypeError('all rules fell');
      });
    expect(() => hunted(1)).toThrow('all rules fell');
  });
});
