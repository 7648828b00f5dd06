import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { culprit, inFolder } from '../cli/culprit.js';
import { eventsOf, ordinary, settingsOf } from './made-campaign.js';

/** A campaign as a hunt leaves it, in its own folder. */
function inCampaign(body: (campaign: string, folder: string) => void): void {
  inFolder((folder) => {
    const campaign = join(folder, 'hunt');
    mkdirSync(join(campaign, 'cases'), { recursive: true });
    writeFileSync(join(campaign, 'campaign.json'), JSON.stringify(settingsOf(ordinary)));
    const lines = eventsOf(ordinary).map((event) => `${JSON.stringify(event)}\n`);
    writeFileSync(join(campaign, 'journal.ndjson'), lines.join(''));
    body(campaign, folder);
  });
}

describe('culprit report', () => {
  it('prints the summary and the command for a page', () => {
    inCampaign((campaign) => {
      const { stdout, stderr, exitCode } = culprit(['report', campaign]);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(stdout).toContain('2 findings of 1 kind');
      expect(stdout).toContain('WRONG MODEL: on 1 formula a version says sat');
      expect(stdout).toContain('Anomalies: 1 disagreement, 1 wrong model, 1 crash, 1 error.');
      expect(stdout).toContain(`All of it: culprit report ${campaign} --html report.html\n`);
      writeFileSync(join(campaign, 'report.html'), '');
      expect(culprit(['report', campaign]).stdout).toContain(`All of it: ${join(campaign, 'report.html')}\n`);
    });
  });

  it('prints each kind with its smallest formula, a relative path and next steps', () => {
    inCampaign((campaign, folder) => {
      const { stdout } = culprit(['report', 'hunt'], { cwd: folder });
      expect(stdout).toMatch(/^str\.indexof +2 .*\n {2}hunt\/cases\/s0001\.smt2$/m);
      expect(stdout).toContain('culprit confirm hunt\n');
      expect(stdout).toContain('culprit blame hunt/cases/s0001.smt2 --repo');
      const journal = join(campaign, 'journal.ndjson');
      const lines = eventsOf(ordinary).map((event) => JSON.stringify(event));
      writeFileSync(journal, `${lines[0]}\n`);
      const nothing = culprit(['report', 'hunt'], { cwd: folder }).stdout;
      expect(nothing).toContain('Nothing was found. To continue: culprit hunt --resume hunt --for 10m\n');
      const unconfirmed = culprit(['confirm', 'hunt'], { cwd: folder });
      expect(unconfirmed).toEqual({
        stdout: '',
        stderr: 'culprit: hunt holds no findings to confirm\n',
        exitCode: 0,
      });
      writeFileSync(journal, `${lines.filter((line) => /"began"|"slowdown",/.test(line)).join('\n')}\n`);
      expect(culprit(['report', 'hunt'], { cwd: folder }).stdout).toContain(
        'There was no time to confirm 2 slowdowns. To continue: culprit hunt --resume hunt --for 10m\n',
      );
    });
  });

  it('warns if the machine was busy', () => {
    inCampaign((campaign) => {
      const said = 'The machine was busy: solvers got 40 % of the processor time';
      expect(culprit(['report', campaign]).stdout).not.toContain('busy:');
      const run = { wallMs: 100, cpuMs: 40, answers: ['sat'], outcome: 'sat' };
      const tried = { event: 'tried', at: 9000, lane: 0, formula: 'abc', runs: [run, run] };
      appendFileSync(join(campaign, 'journal.ndjson'), `${JSON.stringify(tried)}\n`);
      expect(culprit(['report', campaign]).stdout).toContain(said);
    });
  });

  it('writes only the requested files and leaves the campaign unchanged', () => {
    inCampaign((campaign, folder) => {
      const [page, text] = [join(folder, 'a.html'), join(folder, 'a.md')];
      const ended = culprit(['report', campaign, '--html', page, '--markdown', text]);
      expect(ended).toEqual({
        stdout: '',
        stderr: `written: ${page}\nwritten: ${text}\n`,
        exitCode: 0,
      });
      expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/);
      expect(readFileSync(text, 'utf8')).toMatch(/^# `z3@4.8.2` against `z3@4.8.1`/);
      expect(readdirSync(campaign).toSorted()).toEqual(['campaign.json', 'cases', 'journal.ndjson']);
    });
  });

  it('prints one form to standard output and rejects two', () => {
    inCampaign((campaign) => {
      expect(culprit(['report', campaign, '--html', '-']).stdout).toMatch(/^<!doctype html>/);
      expect(culprit(['report', campaign, '--markdown', '-']).stdout).toMatch(/^# /);
      const both = culprit(['report', campaign, '--markdown', '-', '--json']);
      expect(both.exitCode).toBe(2);
      expect(both.stderr).toContain('only one report goes to standard output');
    });
  });

  it('prints the campaign as JSON', () => {
    inCampaign((campaign) => {
      const data = JSON.parse(culprit(['report', campaign, '--json']).stdout);
      expect(data).toMatchObject({ tried: 1, slowdowns: 2, settings: { seed: 7 } });
      expect(data.groups[0].findings).toHaveLength(2);
    });
  });

  it('names the damaged line of a journal', () => {
    inCampaign((campaign) => {
      appendFileSync(join(campaign, 'journal.ndjson'), 'not a line\n{"event":"resumed","at":9}\n');
      const { stderr, exitCode } = culprit(['report', campaign]);
      const line = eventsOf(ordinary).length + 1;
      expect(stderr).toBe(`culprit: ${join(campaign, 'journal.ndjson')}, line ${line}, is damaged.\n`);
      expect(exitCode).toBe(2);
    });
  });

  it('reports on a campaign that was killed during a write', () => {
    inCampaign((campaign) => {
      appendFileSync(join(campaign, 'journal.ndjson'), '{"event":"tri');
      expect(culprit(['report', campaign])).toMatchObject({ exitCode: 0, stderr: '' });
    });
  });

  it('reports on a campaign that was killed before its first write', () => {
    inCampaign((campaign) => {
      rmSync(join(campaign, 'journal.ndjson'));
      const { stdout, exitCode } = culprit(['report', campaign]);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('0 findings of 0 kinds, from 0 slowdowns among');
    });
  });

  it('rejects a folder without a campaign in one sentence', () => {
    inFolder((folder) => {
      const missing = join(folder, 'missing');
      for (const [path, message] of [
        [folder, `${folder} holds no campaign, bisection, explanation or study of culprit.`],
        [missing, `there is no file or folder ${missing}`],
      ] as const) {
        const { stderr, exitCode } = culprit(['report', path]);
        expect(stderr).toBe(`culprit: ${message}\n`);
        expect(exitCode).toBe(2);
      }
    });
  });

  it('escapes terminal commands from a campaign', () => {
    inCampaign((campaign) => {
      const settings = { ...settingsOf(ordinary), versions: ['old\u001b[2J', 'new'] };
      writeFileSync(join(campaign, 'campaign.json'), JSON.stringify(settings));
      expect(culprit(['report', campaign]).stdout).toContain('old\\u{1b}[2J, new: ');
    });
  });

  it('shows the stored results of a strategy study without running anything', () => {
    inCampaign((campaign, folder) => {
      const study = join(folder, 'study');
      for (const name of ['culprit-1', 'random-1']) {
        mkdirSync(join(study, name, 'cases'), { recursive: true });
        for (const file of ['campaign.json', 'journal.ndjson'])
          copyFileSync(join(campaign, file), join(study, name, file));
      }
      const { stdout, stderr, exitCode } = culprit(['report', study]);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^culprit +\d/m);
      expect(stdout).toMatch(/^random +\d/m);
      expect(stderr).toContain('culprit-1 has not finished');
      expect(JSON.parse(culprit(['report', study, '--json']).stdout).rows).toHaveLength(2);
      expect(culprit(['report', study, '--html', '-']).stdout).toContain('Which strategy finds more');
    });
  });
});
