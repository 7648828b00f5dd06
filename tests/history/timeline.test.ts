import { describe, expect, it } from 'vitest';
import { type Point, timeline } from '../../src/history/timeline/timeline.js';
import { usageFault } from '../../src/machine/index.js';
import { timelineHtml, timelineText } from '../../src/report/index.js';

const at = (name: string, ...samples: readonly number[]): Point => ({
  name,
  observation: { kind: 'measured', samples },
});
const silent = (name: string): Point => ({
  name,
  observation: { kind: 'unmeasured', fault: usageFault('it crashes (SIGSEGV)') },
});
const sensitivity = { least: 100, noise: 0.05, share: 1 / 5 };

describe('a timeline', () => {
  const wave = [
    at('1', 20, 21, 22),
    at('2', 900, 910, 905),
    silent('3'),
    at('4', 20, 19, 22),
    at('5', 21, 22, 20),
    at('6', 1500, 1510, 1490),
  ];

  it('finds every change with its confidence', () => {
    const { changes, slowdowns } = timeline(wave, sensitivity);
    expect(changes.map(({ before, at: place, direction }) => [before, place, direction])).toEqual([
      [0, 1, 'slower'],
      [1, 3, 'quicker'],
      [4, 5, 'slower'],
    ]);
    expect(slowdowns).toBe(2);
    // Three against three in perfect order have probability one in twenty.
    expect(changes[0]?.confidence).toBeCloseTo(0.95);
    expect(changes[2]?.confidence).toBeGreaterThan(0.95);
  });

  it('ignores noise and small steps', () => {
    expect(timeline([at('1', 100), at('2', 104), at('3', 98)], sensitivity).changes).toEqual([]);
    expect(timeline([at('1', 100), at('2', 250), at('3', 5000)], sensitivity).changes).toMatchObject([
      { at: 2 },
    ]);
    expect(timeline([], sensitivity)).toMatchObject({ changes: [], slowdowns: undefined });
    const alone = timeline([silent('1'), at('2', 100)], sensitivity);
    expect(timelineText({ name: 'slow.smt2', line: alone }, 'time')).toContain(
      'slow.smt2 was measured on fewer than two versions.',
    );
  });

  it('prints a chart in a terminal', () => {
    const text = timelineText({ name: 'slow.smt2', line: timeline(wave, sensitivity) }, 'time');
    expect(text).toContain('slow.smt2 became slow 2 times.');
    expect(text).toMatch(/^3 .*it crashes \(SIGSEGV\)$/m);
    expect(text).toMatch(/^6 +1\.50 s +█{40} +slower/m);
    expect(text).toMatch(/^1 +21 ms +█ *$/m);
    expect(text).toMatch(/^version +outcome +processor time +effort/m);
  });

  it('draws bars from zero, so that similar values look similar', () => {
    const text = timelineText(
      { name: 'a.smt2', line: timeline([at('1', 15), at('2', 17)], sensitivity) },
      'time',
    );
    expect(text).toMatch(/^1 +15 ms +█{35} *$/m);
    expect(text).toMatch(/^2 +17 ms +█{40} *$/m);
  });

  it('marks a change with a single sample, and times that were cut off', () => {
    const once = timeline([at('1', 20), { ...at('2', 2000), outcome: 'timeout' }], sensitivity);
    expect(timelineText({ name: 'a.smt2', line: once }, 'time')).toMatch(
      /^2 +timeout +>2\.00 s +█{40} +slower \(seen once\)$/m,
    );
    expect(timelineText({ name: 'a.smt2', line: once }, 'effort')).toMatch(
      /^2 +timeout +>2\.00k +█{40} +slower/m,
    );
    const page = timelineHtml([{ name: 'a.smt2', line: once }], 'time', '1');
    expect(page).toContain('<th class="number">processor time</th>');
    expect(page).toContain('<td class="number">&gt;2.00 s</td>');
    expect(page).toContain('became slow once: processor time');
  });

  it('shows only the compared values on a page', () => {
    const line = timeline([{ ...at('1', 20, 30, 20), ms: 77 }, at('2', 900)], sensitivity);
    const page = timelineHtml([{ name: 'a.smt2', line }], 'time', '1');
    expect(page).toContain('<td class="number">20 ms</td>');
    expect(page).not.toContain('77 ms');
  });
});
