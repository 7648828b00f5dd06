import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cubeChart } from '../../src/page/charts/cube.js';
import { distributionChart } from '../../src/page/charts/distribution.js';
import { curvesChart, lineChart, type Series } from '../../src/page/charts/line-chart.js';
import { linearScale, logScale, timeScale } from '../../src/page/charts/scale.js';
import { scatter } from '../../src/page/charts/scatter.js';

const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -5, max: 100_000 }),
  fc.constantFrom(0, -0, 1e308, -1e308, 5e-324),
);
const anyPoints = fc.array(fc.record({ atMs: anyNumber, value: anyNumber }), { maxLength: 20 });
const titles = { title: 'times', reference: 'old', newest: 'new' };
const broken = /NaN|Infinity|undefined/;

const labels = (scale: { readonly ticks: readonly { readonly label: string }[] }): string[] =>
  scale.ticks.map((tick) => tick.label);

describe('line chart', () => {
  it('shows a note without data', () => {
    for (const series of [[], [{ name: 'a', points: [] }]]) {
      const { text } = lineChart(series, { title: 'x', endMs: 0 });
      expect(text).toContain('no data yet');
      expect(text).not.toMatch(broken);
    }
  });

  it('shows a single point as a dot', () => {
    const { text } = lineChart([{ name: 'a', points: [{ atMs: 500, value: 3 }] }], {
      title: 'x',
      endMs: 1000,
    });
    expect(text.match(/<circle /g)).toHaveLength(1);
    expect(text).toContain('a: 3 at 500ms');
    expect(text).not.toMatch(broken);
  });

  it('accepts any numbers', () => {
    const shape = fc.constantFrom('lines' as const, 'steps' as const);
    fc.assert(
      fc.property(
        fc.array(anyPoints, { maxLength: 10 }),
        anyNumber,
        shape,
        fc.boolean(),
        (all, endMs, how, isWhole) => {
          const series = all.map((points, at): Series => ({ name: `s${at}`, points }));
          expect(lineChart(series, { title: 'x', endMs, shape: how, isWhole }).text).not.toMatch(broken);
        },
      ),
    );
  });

  it('lists each series with its last value', () => {
    const points = (value: number) => [
      { atMs: 0, value: 0 },
      { atMs: 10, value },
    ];
    const { text } = lineChart(
      [
        { name: 'slowdowns', points: points(1500) },
        { name: 'kinds', points: points(4) },
      ],
      { title: 'x', endMs: 10 },
    );
    expect(text).toMatch(/slowdowns <b>1.5K<\/b>.*kinds <b>4<\/b>/);
  });

  it('stays small with many points', () => {
    const points = Array.from({ length: 50_000 }, (_, at) => ({ atMs: at, value: at }));
    expect(lineChart([{ name: 'a', points }], { title: 'x', endMs: 50_000 }).text.length).toBeLessThan(
      20_000,
    );
  });
});

describe('curves chart', () => {
  it('labels dots with their position, and has one for each point on request', () => {
    const points = [20, 40].map((at) => ({ at, value: at / 40 }));
    const { text } = curvesChart([{ name: 'a', points }], { title: 'x', x: 'formulas', hasDots: true });
    expect(text).toContain('a: 0.5 at 20 formulas');
    expect(text.match(/<circle /g)).toHaveLength(2);
  });
});

describe('distribution chart', () => {
  it('stays below 100 % if some values are beyond the largest known one', () => {
    const drawn = (beyond: number) =>
      distributionChart('x', [{ name: 'a', values: [10], beyond }], 'time').text;
    const [, whole] = /d="M\S+ \S+H\S+V(\S+)"/.exec(drawn(0)) ?? [];
    const [, half, right] = /d="M\S+ \S+H\S+V(\S+)H(\S+)"/.exec(drawn(1)) ?? [];
    expect(Number(half)).toBeGreaterThan(Number(whole));
    expect(right).toBe('696');
    expect(drawn(0)).toContain('10 ms');
  });
});

describe('cube chart', () => {
  const options = { title: 'x', axisLabels: ['a', 'b', 'c'], series: 0 } as const;

  it('accepts no points and any points', () => {
    expect(cubeChart([], options).text).toContain('no data yet');
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(share, share, share)), fc.boolean(), (places, isHighlighted) => {
        const { text } = cubeChart(
          places.map((at) => ({ at, isHighlighted, label: 'y' })),
          options,
        );
        expect(text).not.toMatch(broken);
        const [x, y] = [/ (?:cx|x1|x2)="([^"]+)"/g, / (?:cy|y1|y2)="([^"]+)"/g].map((pattern) =>
          [...text.matchAll(pattern)].map(([, place]) => Number(place)),
        );
        expect(Math.min(...(x ?? []), ...(y ?? []))).toBeGreaterThan(0);
        expect(Math.max(...(x ?? []))).toBeLessThan(340);
        expect(Math.max(...(y ?? []))).toBeLessThan(320);
      }),
    );
  });

  it('draws a line to the bottom only for highlighted points', () => {
    const at = [0.5, 0.5, 0.5] as const;
    const { text } = cubeChart(
      [
        { at, isHighlighted: true, label: 'y' },
        { at, isHighlighted: false, label: 'z' },
      ],
      options,
    );
    expect(text.match(/class="stem"/g)).toHaveLength(1);
    expect(text.match(/class="behind"/g)).toHaveLength(1);
  });
});

describe('scatter plot', () => {
  it('accepts no dots and a single dot', () => {
    expect(scatter([], titles).text).toContain('no data yet');
    expect(scatter([], titles).text).not.toMatch(broken);
    const figure = scatter([{ referenceMs: 16, newestMs: 2000, isSlowdown: true }], titles).text;
    expect(figure).toContain('16 ms → 2.00 s');
    expect(figure).not.toMatch(broken);
  });

  it('accepts any times, including zero', () => {
    const dots = fc.array(
      fc.record({ referenceMs: anyNumber, newestMs: anyNumber, isSlowdown: fc.boolean() }),
    );
    fc.assert(
      fc.property(dots, (all) => {
        const drawing = scatter(all, titles).text.replaceAll(/<title>[^<]*<\/title>/g, '');
        expect(drawing).not.toMatch(broken);
      }),
    );
  });

  it('draws slowdowns as separate dots above all others', () => {
    const dots = [10, 20, 30].map((ms) => ({ referenceMs: ms, newestMs: ms, isSlowdown: ms === 30 }));
    const { text } = scatter(dots, titles);
    expect(text.match(/<circle /g)).toHaveLength(1);
    expect(text.match(/h0/g)).toHaveLength(2);
  });
});

describe('scale', () => {
  it('has few, round, increasing ticks within its range', () => {
    fc.assert(
      fc.property(fc.array(anyNumber), (values) => {
        const range = [0, 100] as const;
        const scales = [
          linearScale(values, range),
          logScale(values, range),
          timeScale(values[0] ?? 0, range),
        ];
        for (const { ticks } of scales) {
          const places = ticks.map((tick) => tick.at);
          expect(places).toEqual(places.toSorted((a, b) => a - b));
          expect(places.length).toBeGreaterThan(0);
          expect(places.length).toBeLessThanOrEqual(9);
          for (const place of places) expect(place >= 0 && place <= 100).toBe(true);
        }
      }),
    );
  });

  it('has whole numbers for counts', () => {
    expect(labels(linearScale([0, 1, 2], [0, 100], { isWhole: true }))).toEqual(['0', '1', '2']);
  });

  it('has time units for times', () => {
    expect(labels(timeScale(122_000, [0, 100]))).toEqual(['0', '30s', '1m', '1m 30s', '2m']);
    expect(labels(timeScale(3 * 86_400_000, [0, 100]))).toContain('2d 12h');
  });

  it('has powers of ten for times that differ by a factor of thousands', () => {
    expect(labels(logScale([1, 20_000], [0, 100]))).toEqual(['1 ms', '10 ms', '100 ms', '1 s', '10 s']);
  });
});
