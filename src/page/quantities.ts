/** Formats numbers for people. */

/** A measured level; a run that ended at the limit is shown as greater than the limit. */
export function levelText(
  value: number,
  by: 'time' | 'effort' | 'printed',
  limit = Number.POSITIVE_INFINITY,
): string {
  const text = by === 'time' ? duration : count;
  return by !== 'printed' && value >= limit ? `>${text(limit)}` : text(value);
}

export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}

/** The last time that a JavaScript Date can hold; a commit may claim any time. */
const lastSecond = 8.64e12;

/** Seconds since 1970 as an ISO date, such as `2026-11-17T10:00:00.000Z`. */
export function isoDate(seconds: number): string {
  return new Date(1000 * Math.min(seconds, lastSecond)).toISOString();
}

/** Such as `2026-11-17`. */
export function dayText(seconds: number): string {
  const [day = ''] = isoDate(seconds).split('T');
  return day;
}

export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** `3.1k`, `2.4M`: three digits are enough to compare by eye. */
export function count(value: number): string {
  for (const [unit, size] of countUnits) {
    if (value >= size) return `${(value / size).toPrecision(3)}${unit}`;
  }
  return String(value);
}

/** Such as `2026-11-17`; empty if no calendar has the time, since a commit may claim any. */
export function day(seconds: number): string {
  const date = new Date(1000 * seconds);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

/** Such as `1 finding`, `2 findings` and `2 histories`. */
export function counted(many: number, word: string): string {
  if (many === 1) return `1 ${word}`;
  return `${many} ${/[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`}`;
}

const countUnits: readonly (readonly [string, number])[] = [
  ['G', 1e9],
  ['M', 1e6],
  ['k', 1e3],
];

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / (1 << 20))} MB`;
}

/** `1.2x`, `35x`. */
export function ratio(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}x`;
}
