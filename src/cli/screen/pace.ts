/** Decides how often a log gets a progress line. */

/** A shorter command prints no progress line. */
const firstMs = 3000;

/** The minimum time between two lines: fixed, and a share of the elapsed time, so that logs of days stay readable. */
const leastMs = 10_000;
const share = 1 / 20;
const mostMs = 5 * 60_000;

export class Pace {
  #toldAt: number | undefined;

  /** @param everyMs the user's interval, which replaces the default */
  constructor(private readonly everyMs?: number) {}

  /** @param at milliseconds since the start of the command */
  isDue(at: number): boolean {
    if (this.#toldAt === undefined) return at >= (this.everyMs ?? firstMs);
    const usual = Math.min(mostMs, Math.max(leastMs, share * at));
    return at - this.#toldAt >= (this.everyMs ?? usual);
  }

  told(at: number): void {
    this.#toldAt = at;
  }
}

/**
 * Parses `CULPRIT_PROGRESS`.
 *
 * @param readTime parses a time as in options
 */
export function askedPace(
  text: string | undefined,
  readTime: (text: string) => number,
): { readonly isSilent: boolean; readonly everyMs?: number | undefined } {
  if (text === undefined || text === '') return { isSilent: false };
  if (text === 'never') return { isSilent: true };
  return { isSilent: false, everyMs: text === '0' ? 0 : readTime(text) };
}
