/** Checks that text from strangers reaches a terminal only as visible text. */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as terminal from '../../src/cli/screen/terminal.js';
import { visible, visibleJson, visibleLine } from '../../src/machine/index.js';
import { shortLabel } from '../../src/page/charts/label.js';
import { table } from '../../src/page/index.js';
import { code, fenced, htmlCode } from '../../src/page/markdown-text.js';
import { html } from '../../src/page/markup.js';
import { culprit, type Ended } from '../cli/culprit.js';
import { commitFiles, gitIn, initRepository } from '../git-repository.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Clears the screen, sets the window title, hides text, reverses the writing direction and ends the line. */
const escapes = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u007f\u202e\u2066\u200b\u2028\r\b';

/** Characters that must never be printed, except for line ends and tabs. */
const obeyed = /(?![\n\t])\p{Cc}|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

function expectHarmless({ stdout, stderr }: Ended): void {
  expect(stdout).not.toMatch(obeyed);
  expect(stderr).not.toMatch(obeyed);
  expect(stderr).not.toContain('bug in culprit');
}

describe('visible text', () => {
  it('contains no control character for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(obeyed);
        expect(visibleLine(text)).not.toMatch(/[\n\t]/);
      }),
    );
  });

  it('keeps its value in JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = visibleJson({ [text]: [text] });
        expect(json).not.toMatch(obeyed);
        expect(json).not.toContain('\n');
        expect(JSON.parse(json)).toEqual({ [text]: [text] });
      }),
    );
  });

  it('keeps the characters of ordinary writing', () => {
    for (const text of ['❤️‍🔥', '👩🏽‍💻', '1️⃣', 'می‌خواهم', 'žluťoučký', '漢字', '♻️ tidy'])
      expect(visible(text)).toBe(text);
    expect(visible('a\u200db\u200cc\ufe0f')).toBe('a\\u{200d}b\\u{200c}c\\u{fe0f}');
  });

  it('shows half surrogates and tag characters as escapes', () => {
    expect(visible('\ud800 \u{e0041}')).toBe('\\u{d800} \\u{e0041}');
  });

  it('keeps a table row on one line', () => {
    expect(table([{ title: 'name' }], [[`a\nb${escapes}`]]).split('\n')).toHaveLength(2);
  });

  it('is used in pages, drawings and trackers', () => {
    for (const text of [code(escapes), fenced('', escapes), htmlCode(escapes), shortLabel(escapes)])
      expect(text).not.toMatch(obeyed);
    expect(html`<p title="${escapes}">${escapes}</p>`.text).not.toMatch(obeyed);
  });
});

describe('standard output', () => {
  const written: string[] = [];
  const isTerminal = process.stdout.isTTY;
  const formula = '(assert (= x "\u001b[2J\u202e"))\n';

  afterEach(() => {
    vi.restoreAllMocks();
    process.stdout.isTTY = isTerminal;
    written.length = 0;
  });

  function printed(isTTY: boolean): string {
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    process.stdout.isTTY = isTTY;
    terminal.printExact(formula);
    return written.join('');
  }

  it('receives a formula unchanged if it is a pipe', () => {
    expect(printed(false)).toBe(formula);
  });

  it('receives a formula with visible escapes if it is a terminal', () => {
    expect(printed(true)).toBe('(assert (= x "\\u{1b}[2J\\u{202e}"))\n');
  });
});

describe('the output of commands is harmless', () => {
  const folder = temporaryFolder();
  const named = join(folder, `a${escapes.replaceAll('/', '')}.smt2`);

  it('for names of formulas', () => {
    writeFileSync(named, '(declare-const |x| Int)(assert (= y 1))(check-sat)');
    for (const args of [
      ['check'],
      ['check', '--json'],
      ['stats'],
      ['stats', '--json'],
      ['format', '--json'],
    ]) {
      const ended = culprit(['formula', ...args, named]);
      expectHarmless(ended);
      if (args.includes('--json')) expect(JSON.parse(ended.stdout).formula).toBe(named);
    }
  });

  it('for symbols', () => {
    const path = join(folder, 'symbol.smt2');
    writeFileSync(path, `(assert |${escapes}|)(check-sat)`);
    const ended = culprit(['formula', 'check', path]);
    expectHarmless(ended);
    expect(ended.stderr).toContain('\\u{1b}[2J');
  });

  it('for missing files', () => {
    const ended = culprit(['run', `${escapes}.smt2`, '--on', 'z3@5.2.0']);
    expectHarmless(ended);
    expect(ended.exitCode).toBe(2);
  });

  it.each([
    ['an unknown option', ['run', `--${escapes}`]],
    ['an unknown command', [escapes]],
    ['a wrong value', ['run', 'a.smt2', '--on', 'z3@5.2.0', '--timeout', escapes]],
    ['a wrong choice', ['hunt', '--strategy', escapes]],
    ['a wrong version', ['run', join(folder, 'symbol.smt2'), '--on', escapes]],
    ['a wrong seed', ['run', 'a.smt2', '--on', 'z3@5.2.0', '--seeds', `1\nculprit: all is well${escapes}`]],
  ])('for %s', (_, args) => {
    const ended = culprit(args);
    expectHarmless(ended);
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).not.toMatch(/^culprit: all is well/m);
  });

  it('for a very long option, and shortened', () => {
    const ended = culprit(['formula', 'generate', '--seed', 'x'.repeat(120_000)]);
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr.length).toBeLessThan(3000);
    expect(ended.stderr).toContain('characters left out');
  });

  it('for a solver’s messages and a version’s name', () => {
    const solver = join(folder, 'solver.sh');
    const solvers = { loud: { command: [solver, '{file}'], version: `1${escapes}` } };
    writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ solvers }));
    writeFileSync(solver, '#!/bin/sh\nprintf \'(error "\\033[2J\\033]0;owned\\007")\\n\'\nexit 1\n');
    chmodSync(solver, 0o755);
    const formula = join(folder, 'asks.smt2');
    writeFileSync(formula, '(check-sat)');
    for (const more of [[], ['--json']]) {
      const ended = culprit(['run', formula, '--repeat', '1', '--on', 'loud', ...more], { cwd: folder });
      expectHarmless(ended);
      expect(ended.stdout).toContain(more.length > 0 ? 'u001b[2J' : '\\u{1b}[2J');
    }
  });

  it('for subjects, authors and file names of commits, and for errors of git', () => {
    const repository = join(folder, 'repository');
    initRepository(repository);
    gitIn(repository, ['config', 'user.name', 'S']);
    const name = `a\u001b[2J\u202e.c`;
    commitFiles(repository, { [name]: 'int f(void) { return 1; }\n' }, 'first');
    commitFiles(repository, { [name]: 'int f(void) { return 2; }\n' }, `second ${escapes}`);
    for (const more of [[], ['--json']])
      expectHarmless(culprit(['complexity', 'HEAD', '--no-compiler', '--repo', repository, ...more]));
    const missing = culprit(['complexity', `no${escapes}`, '--repo', repository]);
    expectHarmless(missing);
    expect(missing.exitCode).toBe(2);
    expectHarmless(culprit(['complexity', 'HEAD', '--repo', join(folder, escapes)]));
  });

  it('for a damaged campaign', () => {
    const campaign = join(folder, `campaign${escapes}`);
    mkdirSync(campaign);
    writeFileSync(join(campaign, 'campaign.json'), `{"\u001b[2J": "${'\\u001b[2J'}"}`);
    for (const args of [['report'], ['hunt', '--resume'], ['triage'], ['study', 'seeds']])
      expectHarmless(culprit([...args, campaign]));
  });
});
