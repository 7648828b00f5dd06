/** Scales: they map values to chart positions and choose the ticks. */

export interface Tick {
  readonly at: number;
  readonly label: string;
}

export interface Scale {
  place(value: number): number;
  readonly ticks: readonly Tick[];
}

/** The range of positions, in the chart's units. */
export type Range = readonly [from: number, to: number];

/** A journal may hold any number. A chart clips it to this bound. */
const largest = 1e15;

function clamped(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(largest, Math.max(-largest, value));
}

/** Rounded to a tenth of a unit, finer than a pixel. */
export function rounded(place: number): number {
  return Math.round(place * 10) / 10;
}

export function linearScale(
  values: readonly number[],
  range: Range,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): Scale {
  let [low, high] = extent(values.map(clamped), 0, 1);
  // A scale without zero makes small differences look large, so zero is included unless it is far away.
  if (low > 0 && low < high * 0.8) low = 0;
  const isFlat = high - low <= 1e-6 * Math.max(Math.abs(low), Math.abs(high));
  if (isFlat) [low, high] = high > 0 ? [0, high] : low < 0 ? [low, 0] : [0, 1];
  const step = roundStep((high - low) / 4, isWhole);
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  const place = linearMap(first * step, last * step, range);
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
  return { place, ticks: ticks.map((value) => ({ at: place(value), label: shortNumber(value) })) };
}

/** Milliseconds from 0. */
export function timeScale(endMs: number, range: Range): Scale {
  const end = Math.max(1, clamped(endMs));
  const place = linearMap(0, end, range);
  const step = timeSteps.find((ms) => end / ms <= 7) ?? roundStep(end / 7 / day, true) * day;
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, at) => at * step);
  return { place, ticks: ticks.map((value) => ({ at: place(value), label: shortTime(value) })) };
}

/** Milliseconds on a logarithmic scale. */
export function logScale(
  values: readonly number[],
  range: Range,
  labelOf: (value: number) => string = logLabel,
): Scale {
  const [least, most] = extent(values.map(positive), 1, 1000);
  let low = roundDown(least);
  let high = roundUp(most);
  if (high < low * 10) [low, high] = [low / 2, high * 5];
  const [from, to] = [Math.log10(low), Math.log10(high)];
  const place = linearMap(from, to, range);
  const decades = Math.max(1, Math.ceil((to - from) / 7));
  const mantissas = to - from <= 2 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let exponent = Math.floor(from); exponent <= to; exponent += decades) {
    for (const mantissa of mantissas) ticks.push(mantissa * 10 ** exponent);
  }
  const nearly = 1e-9;
  return {
    place: (value) => place(Math.log10(positive(value))),
    ticks: ticks
      .filter((value) => Math.log10(value) >= from - nearly && Math.log10(value) <= to + nearly)
      .map((value) => ({ at: place(Math.log10(value)), label: labelOf(value) })),
  };
}

/** Zero has no logarithm. */
const leastMs = 0.1;

function positive(value: number): number {
  return Math.max(leastMs, clamped(value));
}

function linearMap(low: number, high: number, [from, to]: Range): (value: number) => number {
  return (value) => rounded(from + ((clamped(value) - low) / (high - low)) * (to - from));
}

/** A spread over thousands of values could exceed the argument limit. */
function extent(values: readonly number[], low: number, high: number): [number, number] {
  const [first] = values;
  if (first === undefined) return [low, high];
  return values.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [first, first],
  );
}

/** The next of 1, 2, 5, 10, 20 and so on. */
function roundStep(raw: number, isWhole: boolean): number {
  return roundUp(Math.max(raw, isWhole ? 1 : 1e-9));
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((digit) => digit * power >= value * (1 - 1e-9)) ?? 10) * power;
}

function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([5, 2].find((digit) => digit * power <= value * (1 + 1e-9)) ?? 1) * power;
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

const timeSteps: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((many) => many * second),
  ...[1, 2, 5, 10, 15, 30].map((many) => many * minute),
  ...[1, 2, 3, 6, 12].map((many) => many * hour),
  ...[1, 2, 7].map((many) => many * day),
];

/** `90 s` as `1m 30s`, the short form for an axis. */
export function shortTime(ms: number): string {
  if (ms < second) return ms === 0 ? '0' : `${Math.round(ms)}ms`;
  const parts: string[] = [];
  let left = Math.round(ms / second) * second;
  for (const [unit, size] of [['d', day] as const, ['h', hour] as const, ['m', minute] as const]) {
    if (left >= size) parts.push(`${Math.floor(left / size)}${unit}`);
    left %= size;
  }
  if (left > 0) parts.push(`${left / second}s`);
  return parts.slice(0, 2).join(' ');
}

let compact: Intl.NumberFormat | undefined;

export function shortNumber(value: number): string {
  // Created on first use: it takes longer than most commands take to start.
  compact ??= new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 });
  // Turns -0 into 0.
  return compact.format(value + 0);
}

function logLabel(ms: number): string {
  return ms < second ? `${shortNumber(ms)} ms` : `${shortNumber(ms / second)} s`;
}
