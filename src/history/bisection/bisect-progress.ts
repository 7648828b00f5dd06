/** Progress of a bisection. */

/** An event about one commit. */
export type CommitNews =
  | { readonly kind: 'build begins'; readonly commit: string }
  | {
      readonly kind: 'build ended';
      readonly commit: string;
      readonly ms: number;
      /** False if the build was cached. */
      readonly isNew: boolean;
      /** The reason why it does not build. */
      readonly failed?: string | undefined;
    }
  /** All cases were run on it. */
  | { readonly kind: 'looked at'; readonly commit: string }
  /** Both sides of a step are measured interleaved. */
  | { readonly kind: 'verifying'; readonly commit: string };

export interface BisectProgress {
  /** The number of commits on the line. */
  readonly commits: number;
  readonly looked: number;
  /** The minimum number of commits still to be tested. There are more if cases differ. */
  readonly remaining: number;
  readonly found: number;
  readonly doing: string;
  /** The latest event. Undefined if something is only measured again. */
  readonly news?: CommitNews | undefined;
}

/** Only recent tests count: the first builds take longer, because they have nothing to build on. */
const recentLooks = 5;

/** Estimates the remaining time from the last commits that needed a build. */
export class LeftTime {
  readonly #taken: number[] = [];
  readonly #built = new Set<string>();
  #last: number;

  /** @param startedAt milliseconds of any clock; the other times must use the same one */
  constructor(startedAt: number) {
    this.#last = startedAt;
  }

  hear(news: CommitNews, at: number): void {
    if (news.kind === 'build ended' && news.isNew) this.#built.add(news.commit);
    if (news.kind !== 'looked at') return;
    // A cached commit takes next to no time, so it does not count.
    if (this.#built.has(news.commit)) this.#taken.push(at - this.#last);
    this.#last = at;
  }

  /** Undefined until there is a first measurement. */
  of(looks: number): number | undefined {
    const recent = this.#taken.slice(-recentLooks);
    return recent.length === 0
      ? undefined
      : (recent.reduce((sum, ms) => sum + ms, 0) / recent.length) * looks;
  }
}
