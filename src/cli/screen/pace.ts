/** The one place that decides how often lines tell how far a job is, where no terminal shows it. */

/** What ends before this needs no line: whoever waits has not begun to wonder. */
const firstMs = 3000;

/** After a line comes no other for so long, and for a share of the time so far: logs of days stay readable. */
const leastMs = 10_000;
const share = 1 / 20;
const mostMs = 5 * 60_000;

export class Pace {
  #toldAt: number | undefined;

  /** @param everyMs asked for by the user, instead of the usual */
  constructor(private readonly everyMs?: number) {}

  /** @param at milliseconds since the command began */
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
 * What `CULPRIT_PROGRESS` asks for.
 *
 * @param readTime reads a time as options are written
 */
export function askedPace(
  text: string | undefined,
  readTime: (text: string) => number,
): { readonly isSilent: boolean; readonly everyMs?: number | undefined } {
  if (text === undefined || text === '') return { isSilent: false };
  if (text === 'never') return { isSilent: true };
  return { isSilent: false, everyMs: text === '0' ? 0 : readTime(text) };
}
