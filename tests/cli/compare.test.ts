import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { culprit, inFolder } from './culprit.js';

const formula = (length: number) =>
  `(declare-const s String)\n(assert (= (str.len s) ${length}))\n(check-sat)\n`;

it('culprit compare compares two outputs of run in every format', () => {
  inFolder((folder) => {
    for (const length of [1, 2]) writeFileSync(join(folder, `${length}.smt2`), formula(length));
    const run = culprit(['run', '.', '--on', 'z3', '--repeat', '1', '--json'], { cwd: folder });
    expect(run.exitCode).toBe(0);
    writeFileSync(join(folder, 'then.jsonl'), run.stdout);
    writeFileSync(join(folder, 'now.jsonl'), run.stdout.replaceAll('"sat"', '"unsat"'));
    const files = ['then.jsonl', 'now.jsonl'];
    const compared = culprit(['compare', ...files, '--html', 'page.html', '--csv', 'rows.csv'], {
      cwd: folder,
    });
    expect(compared.stdout).toMatch(/^formula +then\.jsonl .*now\.jsonl/);
    expect(compared.stdout).toContain('0 of 2 slower, 2 disagree.');
    expect(compared.stderr).toBe('written: page.html\nwritten: rows.csv\n');
    expect(compared.exitCode).toBe(1);
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain(
      '<title>now.jsonl against then.jsonl</title>',
    );
    expect(readFileSync(join(folder, 'rows.csv'), 'utf8').split('\r\n')).toHaveLength(6);
    expect(culprit(['compare', ...files, '--fail-on', 'nothing'], { cwd: folder }).exitCode).toBe(0);
    const alike = culprit(['compare', 'then.jsonl', 'then.jsonl'], { cwd: folder });
    expect(alike.stdout).toMatch(/^0 of 2 slower\.\n(?:.*\n)*nothing changed beyond noise in 2 formulas$/m);
    expect(alike.exitCode).toBe(0);
    expect(culprit(['compare', 'then.jsonl', 'then.jsonl', '--all'], { cwd: folder }).stdout).toContain(
      '1.smt2',
    );
  });
});

it('culprit compare names the line that is not of culprit run', () => {
  inFolder((folder) => {
    writeFileSync(join(folder, 'other.jsonl'), '{}\n');
    writeFileSync(join(folder, 'empty.jsonl'), '');
    const said = (file: string) => culprit(['compare', file, file], { cwd: folder });
    expect(said('other.jsonl')).toMatchObject({
      stderr: 'culprit: other.jsonl:1 is no line of culprit run --json\n',
      exitCode: 2,
    });
    expect(said('empty.jsonl').stderr).toContain('empty.jsonl is empty');
    expect(said('none.jsonl').exitCode).not.toBe(0);
  });
});

it('culprit compare prints colours only if they are enabled', () => {
  inFolder((folder) => {
    writeFileSync(join(folder, 'a.smt2'), formula(1));
    const run = (env: Record<string, string>) =>
      culprit(['run', 'a.smt2', '--on', 'z3', '--repeat', '1'], { cwd: folder, env }).stdout;
    expect(run({})).not.toContain('\u001b');
    expect(run({ FORCE_COLOR: '1' })).toContain('\u001b[1mformula\u001b[0m');
    expect(run({ FORCE_COLOR: '1', NO_COLOR: '1' })).not.toContain('\u001b');
    expect(run({ FORCE_COLOR: '0' })).not.toContain('\u001b');
  });
});

it("culprit compare prints no colours from a formula's text", () => {
  inFolder((folder) => {
    writeFileSync(join(folder, '<31>\u001b[31mred.smt2'), formula(1));
    const { stdout } = culprit(['run', '.', '--on', 'z3', '--repeat', '1'], {
      cwd: folder,
      env: { FORCE_COLOR: '1' },
    });
    expect(stdout).toContain('<31>\\u{1b}[31mred.smt2');
  });
});
