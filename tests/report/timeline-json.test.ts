import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Point, timeline } from '../../src/history/index.js';
import { readTimelines } from '../../src/jobs/index.js';
import { type Fault, usageFault } from '../../src/machine/index.js';
import { timelineJson, timelineText } from '../../src/report/index.js';
import { culprit, inFolder } from '../cli/culprit.js';
import { withoutFault } from '../without-fault.js';

const measured = (name: string, ms: number): Point => ({
  ...{ name, outcome: 'sat', ms, effort: 10 * ms },
  observation: { kind: 'measured', samples: [ms, ms + 1] },
});
const silent: Point = { name: '3', observation: { kind: 'unmeasured', fault: usageFault('it crashes') } };
const points = [measured('1', 10), measured('2', 12), silent, measured('4', 900), measured('5', 20)];
const named = { name: 'slow.smt2', line: timeline(points, { least: 100, noise: 0.05, share: 0.2 }) };
const printed = `${JSON.stringify(timelineJson(named, 'time'))}\n`;

it('a timeline that is read back from JSON prints the same', () => {
  inFolder((folder) => {
    const file = join(folder, 'lines.jsonl');
    writeFileSync(file, printed);
    const { by, timelines } = withoutFault(readTimelines(file));
    expect(by).toBe('time');
    expect(timelines.map((line) => timelineText(line, by))).toEqual([timelineText(named, 'time')]);
    const { stdout } = culprit(['report', 'lines.jsonl'], { cwd: folder });
    expect(stdout).toBe(`${timelineText(named, 'time')}\n\n`);
    expect(culprit(['report', 'lines.jsonl', '--html', '-'], { cwd: folder }).stdout).toContain(
      'slow.smt2 became slow once',
    );
    expect(culprit(['report', 'lines.jsonl', '--json'], { cwd: folder }).stdout).toBe(printed);
    expect(culprit(['report', 'lines.jsonl', '--csv', '-'], { cwd: folder }).exitCode).toBe(2);
  });
});

it('readTimelines rejects other files and files with two measures', () => {
  inFolder((folder) => {
    const file = join(folder, 'lines.jsonl');
    writeFileSync(file, printed + printed.replace('"by":"time"', '"by":"effort"'));
    expect((readTimelines(file) as Fault).message).toMatch(/holds timelines by time and by effort$/);
    writeFileSync(file, `${printed}{"formula":1}\n`);
    expect((readTimelines(file) as Fault).message).toMatch(
      /lines\.jsonl:2 is no line of culprit timeline --json$/,
    );
    writeFileSync(file, '{}\n');
    expect(culprit(['report', 'lines.jsonl'], { cwd: folder })).toMatchObject({
      stderr: 'culprit: lines.jsonl:1 is no line of culprit run --json or culprit timeline --json\n',
      exitCode: 2,
    });
  });
});
