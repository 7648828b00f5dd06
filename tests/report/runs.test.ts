import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fault, noInk, visibleLine } from '../../src/machine/index.js';
import { compareResults } from '../../src/report/runs/compare-results.js';
import { runsCsv } from '../../src/report/runs/csv.js';
import { runsMarkdown } from '../../src/report/runs/markdown.js';
import { runNextSteps } from '../../src/report/runs/next-steps.js';
import { geometricMean, runTotals } from '../../src/report/runs/notes.js';
import { runLines } from '../../src/report/runs/run-lines.js';
import { runNotices } from '../../src/report/runs/run-notices.js';
import { type RunResult, runResultSchema, type VersionResult } from '../../src/report/runs/run-result.js';
import { runsHtml } from '../../src/report/runs/runs-page.js';
import { withoutFault } from '../without-fault.js';
import { hostile } from './hostile.js';

type Outcome = 'sat' | 'unsat' | 'unknown' | 'timeout';

/** A version with one run for each time. */
function on(version: string, outcome: Outcome, ...times: readonly number[]): VersionResult {
  const answers = outcome === 'timeout' ? [] : [outcome];
  const runs = times.map((ms) => ({ outcome, wallMs: ms, cpuMs: ms, effort: 10 * ms, answers }));
  const [ms = 0] = times;
  return {
    version,
    number: '1',
    source: 'path',
    program: 'native',
    outcome,
    ms,
    wallMs: ms,
    effort: 10 * ms,
    runs,
  };
}

function result(
  formula: string,
  kind: 'slower' | 'faster' | 'same' | 'undecided',
  [referenceMs, newestMs]: readonly [number, number],
  newest: Outcome = 'sat',
): RunResult {
  return {
    formula,
    verdict: { kind, referenceMs, newestMs },
    reference: 'z3@4.8.17',
    versions: [on('z3@4.8.17', 'sat', referenceMs), on('z3@5.2.0', newest, newestMs)],
  };
}

const slower = result('queries/deep/a.smt2', 'slower', [10, 2000], 'timeout');
const faster = result('queries/deep/b.smt2', 'faster', [400, 100]);
const same = result('queries/c.smt2', 'same', [10, 10]);
const contradicted: RunResult = {
  ...result('queries/d.smt2', 'same', [10, 10], 'unsat'),
  disagreement: { check: 0, sat: ['z3@4.8.17'], unsat: ['z3@5.2.0'] },
};
const all = [slower, faster, same, contradicted];

const table = {
  versions: ['z3@4.8.17', 'z3@5.2.0'],
  formulas: all.map(({ formula }) => formula),
  wallMs: 2000,
};

describe('table of a comparison', () => {
  it('has all columns without a width limit', () => {
    const { header, row, note } = runLines(table);
    expect(header).toHaveLength(1);
    expect(header[0]).toMatch(
      /^formula +z3@4\.8\.17 +time +effort +memory +z3@5\.2\.0 +time +effort +memory +ratio$/,
    );
    expect(row(slower)).toMatch(
      /^queries\/deep\/a\.smt2 +sat +10 ms +100 .*timeout +>2\.00 s .* >200x {2}slower$/,
    );
    expect(note).toBeUndefined();
  });

  it('leaves out common folders, then memory, then effort, before it shortens a name', () => {
    const at = (screen: number) => runLines({ ...table, screen });
    const wide = at(150);
    expect(wide.header).toHaveLength(1);
    const without = at(105);
    expect(without.header[0]).toBe('in queries/');
    expect(without.header[1]).toContain('memory');
    expect(at(98).note).toBe(
      'Left out for lack of width: memory; --json, --csv and --html have all columns.',
    );
    expect(at(80).note).toContain('Left out for lack of width: effort, memory;');
    expect(at(80).row(slower)).toMatch(/^deep\/a\.smt2 /);
    const long = runLines({ ...table, formulas: [`x/${'y'.repeat(80)}.smt2`], screen: 80 });
    const shortened = long.row({ ...slower, formula: `x/${'y'.repeat(80)}.smt2` });
    expect(shortened).toMatch(/^y+…y+\.smt2 /);
  });

  it('has one column for each version if there is no width for two', () => {
    const versions = ['z3@4.8.10', ...table.versions];
    const [old, newest] = slower.versions;
    if (old === undefined || newest === undefined) throw new Error('there are two versions');
    const { header, row, note } = runLines({ ...table, versions, screen: 80 });
    expect(header.at(-1)).toMatch(/^formula +z3@4\.8\.10 +z3@4\.8\.17 +z3@5\.2\.0 +ratio$/);
    const three = { ...slower, versions: [{ ...old, outcome: 'crash' as const }, old, newest] };
    expect(row(three)).toMatch(/^deep\/a\.smt2 +crash +10 ms +>2\.00 s +>200x {2}slower$/);
    expect(note).toContain('Left out for lack of width: outcome, effort, memory;');
  });

  it('fits the screen for all formula names, unless the screen is too narrow for a name', () => {
    fc.assert(
      fc.property(
        fc.array(hostile, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 52, max: 200 }),
        (names, screen) => {
          const { header, row } = runLines({ ...table, formulas: names, screen });
          const lines = [header.at(-1) ?? '', ...names.map((formula) => row({ ...slower, formula }))];
          for (const line of lines) expect([...line].length).toBeLessThanOrEqual(screen);
        },
      ),
    );
  });

  it('colours only disagreements, slowdowns, speedups and unsure results', () => {
    const { row } = runLines({ ...table, ink: (style, text) => `<${style}>${text}</>` });
    expect(row(slower)).toMatch(/<bad>slower<\/>$/);
    expect(row(faster)).toMatch(/<good>faster<\/>$/);
    expect(row(contradicted)).toMatch(/<alarm>DISAGREE<\/>$/);
    expect(row(same)).not.toContain('<');
    const plain = runLines({ ...table, ink: noInk });
    expect(row(slower).replaceAll(/<[^>]*>/g, '')).toBe(plain.row(slower));
  });
});

describe('totals of a comparison', () => {
  it('count changes and give the mean of the ratios', () => {
    expect(runTotals(all)).toEqual([
      '1 of 4 slower, 1 faster, 1 disagrees.',
      'z3@5.2.0 takes at least 2.7x the time of z3@4.8.17, by the geometric mean of 4 ratios.',
    ]);
  });

  it('count the answers of a single version', () => {
    const alone = all.map((each) => ({ ...each, versions: each.versions.slice(1) }));
    expect(runTotals(alone)).toEqual(['4 formulas: 2 sat, 1 timeout, 1 unsat; 2.12 s in all.']);
  });

  it('are empty for one formula', () => {
    expect(runTotals([slower])).toEqual([]);
  });

  it('have a mean that does not overflow', () => {
    expect(geometricMean(Array.from({ length: 1000 }, () => 1e12))).toBeCloseTo(1e12, -3);
    expect(geometricMean([2, 8])).toBeCloseTo(4);
    expect(geometricMean([])).toBeUndefined();
  });
});

describe('forms of a comparison', () => {
  it('as CSV have a row for each formula and version, for all names', () => {
    const named = { ...slower, formula: 'a,"b"\n.smt2' };
    expect(runsCsv([named]).split('\r\n')).toEqual([
      'formula,version,outcome,ms,wall_ms,effort,memory_bytes,runs,verdict,reference,ratio',
      `"${visibleLine('a,"b"\n.smt2').replaceAll('"', '""')}",z3@4.8.17,sat,10,10,100,,1,,,`,
      `"${visibleLine('a,"b"\n.smt2').replaceAll('"', '""')}",z3@5.2.0,timeout,2000,2000,20000,,1,slower,z3@4.8.17,200`,
      '',
    ]);
  });

  it('as Markdown are one table for all names', () => {
    fc.assert(
      fc.property(hostile, hostile, (formula, version) => {
        const [first, ...others] = slower.versions;
        const versions = [{ ...(first as VersionResult), version }, ...others];
        const lines = runsMarkdown([{ ...slower, formula, versions }]).split('\n');
        expect(lines.filter((line) => line.startsWith('|'))).toHaveLength(3);
      }),
    );
    expect(runsMarkdown(all)).toContain('| sat, 10 ms | timeout, >2.00 s | >200x | **slower** |');
  });

  it('as a page have a row for each formula, wrong and slow ones first', () => {
    const page = runsHtml(all, '1.0');
    const order = [...page.matchAll(/<tr id="formula-(\d)">/g)].map(([, number]) => number);
    expect(order).toEqual(['4', '1', '2', '3']);
    expect(page).toContain('<a href="#formula-1"><circle');
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('as a page have the same tags for all names', () => {
    const tags = (page: string) => page.match(/<[a-z/][^>\s]*/g);
    fc.assert(
      fc.property(hostile, (formula) => {
        expect(tags(runsHtml([{ ...slower, formula }], '1.0'))).toEqual(tags(runsHtml([slower], '1.0')));
      }),
    );
  });

  it('as JSON can be read back', () => {
    for (const each of all) expect(runResultSchema.parse(JSON.parse(JSON.stringify(each)))).toEqual(each);
  });
});

describe('comparison of two result files', () => {
  const rule = { noise: { floorMs: 5, relative: 0.05 } };
  const file = (name: string, ...results: readonly (readonly [string, VersionResult])[]) => ({
    name,
    results: results.map(([formula, version]) => ({ formula, verdict: same.verdict, versions: [version] })),
  });
  const before = file(
    'yesterday.jsonl',
    ['a', on('z3', 'sat', 100, 101, 102)],
    ['b', on('z3', 'sat', 100, 101, 102)],
    ['c', on('z3', 'sat', 10)],
    ['d', on('z3', 'sat', 10)],
    ['gone', on('z3', 'sat', 10)],
  );
  const after = file(
    'tonight.jsonl',
    ['a', on('z3', 'sat', 200, 201, 202)],
    ['b', on('z3', 'sat', 104, 103, 102)],
    ['c', on('z3', 'unsat', 10)],
    ['d', on('z3', 'unknown', 10)],
    ['new', on('z3', 'sat', 10)],
  );

  it('reports differences beyond noise and changed answers', () => {
    const { both, changed, notes } = withoutFault(compareResults(before, after, rule));
    expect(both.map(({ formula }) => formula)).toEqual(['a', 'b', 'c', 'd']);
    expect(changed.map(({ formula, verdict }) => [formula, verdict.kind])).toEqual([
      ['a', 'slower'],
      ['c', 'same'],
      ['d', 'same'],
    ]);
    expect(changed[1]?.disagreement).toEqual({
      check: 0,
      sat: ['yesterday.jsonl'],
      unsat: ['tonight.jsonl'],
    });
    expect(notes).toEqual([
      'only in yesterday.jsonl: 1 formula, gone',
      'only in tonight.jsonl: 1 formula, new',
    ]);
  });

  it('names the versions if they differ', () => {
    const { both } = withoutFault(compareResults(before, file('x', ['a', on('z3@5.2.0', 'sat', 100)]), rule));
    expect(both[0]?.versions.map(({ version }) => version)).toEqual(['z3', 'z3@5.2.0']);
  });

  it('reports no change between a file and itself', () => {
    const { changed, notes } = withoutFault(compareResults(before, before, rule));
    expect([changed, notes]).toEqual([[], ['nothing changed beyond noise in 5 formulas']]);
  });

  it('fails without a common formula', () => {
    const fault = compareResults(before, file('x', ['other', on('z3', 'sat', 1)]), rule);
    expect((fault as Fault).message).toBe('yesterday.jsonl and x have no formula in common');
  });
});

it('next steps of a comparison concern the largest slowdown and are quoted for a shell', () => {
  const worse = { ...slower, formula: "it's.smt2" };
  expect(runNextSteps([faster, worse, result('b.smt2', 'slower', [10, 500])])).toEqual([
    "Does it hold under other random seeds? culprit confirm 'it'\\''s.smt2' --on z3@4.8.17,z3@5.2.0",
    "Reduce it: culprit reduce 'it'\\''s.smt2' --slower z3@5.2.0 --than z3@4.8.17 --out 'it'\\''s.small.smt2'",
    "Which commit is to blame? culprit blame 'it'\\''s.smt2' --repo REPOSITORY --good OLD --bad NEW",
  ]);
  expect(runNextSteps([faster, same])).toEqual([]);
  expect(runNextSteps([{ ...slower, formula: 'standard input' }])).toEqual([]);
});

it('next steps of a comparison repeat the limits that are needed to see the slowdown', () => {
  const asked = { timeoutMs: 10_000 };
  const words = (results: readonly RunResult[], limits: Parameters<typeof runNextSteps>[1]) =>
    runNextSteps(results, limits)
      .slice(0, 2)
      .map((step) => step.replace(/.* --(?:on|out) \S+/, ''));
  expect(words([result('b.smt2', 'slower', [900, 3000])], asked)).toEqual(['', '']);
  const long = [result('b.smt2', 'slower', [3000, 8000])];
  expect(words(long, asked)).toEqual([' --timeout 10s', ' --timeout 10s']);
  expect(words(long, { ...asked, thresholdMs: 1500 })[0]).toBe(' --threshold 1500ms --timeout 10s');
  expect(words(long, { timeoutMs: 20_000, thresholdMs: 4000 })[0]).toBe(' --threshold 4s');
});

describe('notices of a comparison', () => {
  it('report slowdowns, with lower bounds after a timeout, and disagreements', () => {
    expect(runNotices(all).map(({ rule, message }) => [rule, message])).toEqual([
      ['slower', '10 ms on z3@4.8.17, >2.00 s on z3@5.2.0: >200x'],
      ['disagreement', 'z3@4.8.17 says sat, z3@5.2.0 says unsat'],
    ]);
  });
});
