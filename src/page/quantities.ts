/** Numbers as people read them. */

/** How slow something is; what was ended at the limit, in the same unit, is slower than that. */
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

/** No calendar of JavaScript goes further; a commit may claim to. */
const lastSecond = 8.64e12;

/** Seconds since 1970 as a date for programs, such as `2026-11-17T10:00:00.000Z`. */
export function dateText(seconds: number): string {
  return new Date(1000 * Math.min(seconds, lastSecond)).toISOString();
}

/** The day alone, for people. */
export function dayText(seconds: number): string {
  const [day = ''] = dateText(seconds).split('T');
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

/** Such as `2026-11-17`; nothing of a time that no calendar has, as anybody can write it into a commit. */
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
