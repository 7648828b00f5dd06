import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/machine/index.js';
import { annotation } from '../../src/page/notices/annotations.js';
import { baselineText, readBaseline } from '../../src/page/notices/baseline.js';
import { type Notice, rules } from '../../src/page/notices/notice.js';
import { sarif } from '../../src/page/notices/sarif.js';
import { huntNotices } from '../../src/report/hunt/hunt-notices.js';
import { inFolder } from '../cli/culprit.js';
import { hostile } from './hostile.js';
import { dataOf, ordinary } from './made-campaign.js';

const slower: Notice = {
  rule: 'slower',
  message: '10 ms on z3@4.8.17, 2.00 s on z3@5.2.0: 200x',
  place: { file: 'queries/a b.smt2', line: 1 },
  key: 'slower queries/a b.smt2',
};

describe('SARIF log', () => {
  it('has a rule, a place and a fingerprint for each result', () => {
    const log = JSON.parse(sarif([slower, { ...slower, key: 'other' }], '1.0', ({ key }) => key === 'other'));
    expect(log.version).toBe('2.1.0');
    const [{ tool, results }] = log.runs;
    expect(tool.driver).toMatchObject({ name: 'culprit', version: '1.0' });
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['slower']);
    expect(results[0]).toEqual({
      ruleId: 'slower',
      ruleIndex: 0,
      level: 'warning',
      message: { text: slower.message },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'queries/a%20b.smt2' },
            region: { startLine: 1 },
          },
        },
      ],
      partialFingerprints: { 'culprit/v1': slower.key },
      baselineState: 'new',
    });
    expect(results[1].baselineState).toBe('unchanged');
  });

  it('is valid without results', () => {
    expect(JSON.parse(sarif([], '1.0')).runs[0]).toMatchObject({
      results: [],
      tool: { driver: { rules: [] } },
    });
  });
});

describe('annotation', () => {
  it('is a GitHub workflow command', () => {
    expect(annotation(slower)).toBe(
      '::warning file=queries/a b.smt2,line=1,title=Slower::10 ms on z3@4.8.17, 2.00 s on z3@5.2.0: 200x',
    );
    expect(annotation({ ...slower, place: undefined })).toMatch(/^::warning title=Slower::/);
  });

  it('stays one command for all files and messages', () => {
    fc.assert(
      fc.property(hostile, hostile, (file, message) => {
        const line = annotation({ ...slower, message, place: { file, line: 1 } });
        expect(line).not.toMatch(/[\r\n]/);
        const [, properties = ''] = /^::warning (.*?)::/.exec(line) ?? [];
        expect(properties.split(',')).toHaveLength(3);
      }),
    );
  });
});

describe('baseline', () => {
  it('reads back the written keys, and is empty without a file', () => {
    inFolder((folder) => {
      const file = join(folder, 'known.json');
      expect(readBaseline(file)).toEqual(new Set());
      writeFileSync(file, baselineText([slower, slower, { ...slower, key: 'a' }]));
      expect(readBaseline(file)).toEqual(new Set(['a', slower.key]));
      for (const text of ['', '[]', '{"format":2,"known":[]}']) {
        writeFileSync(file, text);
        expect((readBaseline(file) as Fault).message).toBe(`${file} is not a baseline of culprit`);
      }
    });
  });
});

it('notices of a hunt report wrong answers and kinds of slowdowns with stable keys', () => {
  const notices = huntNotices(dataOf(ordinary), 'nightly');
  expect(notices.map(({ rule }) => rule)).toEqual(['disagreement', 'wrong-model', 'slowdown']);
  expect(notices.at(-1)).toMatchObject({ place: { file: 'nightly/cases/s0001.smt2', line: 1 } });
  expect(notices.map(({ key }) => key)).toEqual(
    huntNotices(dataOf(ordinary), 'tomorrow').map(({ key }) => key),
  );
  for (const { rule } of notices) expect(rules[rule].description).not.toBe('');
});
