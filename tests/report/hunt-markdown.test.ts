import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { code, fenced } from '../../src/page/markdown-text.js';
import { packageCall } from '../../src/report/commands/plain-command.js';
import { huntMarkdown } from '../../src/report/hunt/hunt-markdown.js';
import { hostile } from './hostile.js';
import { dataOf, ordinary } from './made-campaign.js';

const text = huntMarkdown(dataOf(ordinary));

describe('a report for a tracker', () => {
  it('closes a fence nowhere but at its end', () => {
    fc.assert(
      fc.property(hostile, (formula) => {
        const lines = fenced('smt2', formula).split('\n');
        const [opening = ''] = lines;
        const fence = opening.replace('smt2', '');
        const closing = lines.findIndex((line, at) => at > 0 && line.trim().startsWith(fence));
        expect(closing).toBe(lines.length - 1);
      }),
    );
  });

  it('takes a fence longer than the backticks it holds', () => {
    expect(fenced('smt2', 'x')).toBe('```smt2\nx\n```');
    expect(fenced('smt2', '````\n')).toBe('`````smt2\n````\n`````');
  });

  it('keeps names within their cell', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const cell = code(name);
        expect(cell).not.toMatch(/[\n|\\]/);
        expect(cell).toMatch(/^`[^`]+`$|^<code>[^<>`]*<\/code>$/);
      }),
    );
  });

  it('has as many sections and rows whatever the names and formulas hold', () => {
    const shape = (markdown: string): number[] => {
      // Formulas are left out: what a fence holds is checked above.
      const outside = markdown.replaceAll(/^(`{3,})[^`\n]*\n[\s\S]*?^\1$/gm, '');
      return [/^#/gm, /^\|/gm, /^Found by/gm].map((pattern) => outside.match(pattern)?.length ?? 0);
    };
    fc.assert(
      fc.property(hostile, hostile, hostile, (version, formula, word) => {
        expect(shape(huntMarkdown(dataOf({ version, formula, word })))).toEqual(shape(text));
      }),
    );
  });

  it('leads with disagreements and wrong models, goes on with findings, and ends with how they were found', () => {
    const sections = text.match(/^## .*$/gm);
    expect(sections).toEqual([
      '## Disagreement 1: one version says sat, another unsat',
      '## Wrong model 2: the formula is false under it',
      '## Crash of `z3@4.8.2`',
      '## >125x slower on `str.indexof`',
      '## How it was found',
    ]);
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/^\| solvers at work \|/);
  });

  it('says whose model is wrong, and shows it', () => {
    expect(text).toContain(
      "The model of `z3@4.8.1`, wrong by culprit's own evaluation and by that of `str.indexof`:\n\n```smt2\n(",
    );
    expect(text).toContain('1 kind of slowdowns and 1 disagreement and 1 wrong model among');
  });

  it('says of each kind how slow, on which seeds, how to reproduce it and how it was found', () => {
    expect(text).toContain('| `z3@4.8.1` | sat | 16 ms | 7.43k | 2 |');
    expect(text).toContain('What the newest version was busy with: `str.indexof 28.0k`.');
    expect(text).toContain('| `z3@4.8.2` | timeout | >2.00 s |  | 2 |');
    expect(text).toContain('Slower on 2 of 3 random seeds');
    expect(text).toContain(
      'timeout 10 z3 slow.smt2  # z3@4.8.1\ntimeout 10 z3 slow.smt2  # z3@4.8.2\nnpx culprit run ',
    );
    expect(text).toContain('npx culprit run slow.smt2 --on z3@4.8.1,z3@4.8.2 --timeout 2s --threshold 1s\n');
    expect(text).toContain('1 further finding of this kind: slowdowns 2.');
    expect(text).toContain('strategy `culprit`, seed 7, made by `str.indexof`.');
    expect(text).toContain('Besides: 1 crash, 1 error.');
  });

  it('names versions and the machine so that they mean something elsewhere', () => {
    const data = dataOf(ordinary);
    const commit = '2c02264a94d2377ebf5f64162813b7e379446619';
    const versions = [`git:/home/me/z3@${commit}`, 'path:/home/me/build/z3'];
    const builds = [`z3 4.8.9 git /home/me/.cache/z3 {}`, 'z3 4.8.10 path {}'];
    const settings = { ...data.settings, versions, builds, platform: 'Linux 6.1.0 x64, 8 x Some CPU' };
    const local = huntMarkdown({ ...data, settings });
    expect(local).toContain(`# \`z3 4.8.10\` against \`z3 at ${commit}\``);
    expect(local).toContain(' on `Linux 6.1.0 x64, 8 x Some CPU`, strategy');
    const [reports = ''] = local.split('## How it was found');
    expect(reports).not.toContain('/home/me');
    expect(reports).not.toContain('npx culprit');
  });

  it('has nothing in its commands but the commands, whatever a stranger’s campaign names', () => {
    const commandsIn = (markdown: string) =>
      [...markdown.matchAll(/^(`{3,})sh\n([\s\S]*?)^\1$/gm)].flatMap(([, , block = '']) =>
        block.trimEnd().split('\n'),
      );
    fc.assert(
      fc.property(hostile, hostile, (name, culprit) => {
        const data = dataOf(ordinary);
        const versions = [`${name}\nrm -r ~`, 'z3@5.2.0'];
        const builds = ['z3 4.8.9 git {}', 'z3 5.2.0 pypi {}'];
        const settings = { ...data.settings, versions, builds, culprit: `${culprit}; rm -r ~` };
        for (const command of commandsIn(huntMarkdown({ ...data, settings })))
          expect(command).toMatch(/^(timeout \d+ z3 slow\.smt2 {2}# |npx culprit run slow\.smt2 )/);
      }),
    );
  });

  it('names the culprit that found it where that is a release, and no other place to fetch one from', () => {
    expect(packageCall('0.1.0')).toBe('npx culprit@0.1.0');
    expect(packageCall('1.0.0-rc.1')).toBe('npx culprit@1.0.0-rc.1');
    for (const strange of ['', 'file:/tmp/x', 'npm:other@1.0.0', '1.0.0 && x', '1.0'])
      expect(packageCall(strange)).toBe('npx culprit');
  });
});
