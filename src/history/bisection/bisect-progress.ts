/** How far a bisection is, for whoever waits for it. */

/** What happens to a commit. */
export type CommitNews =
  | { readonly kind: 'build begins'; readonly commit: string }
  | {
      readonly kind: 'build ended';
      readonly commit: string;
      readonly ms: number;
      /** It was built now and not before. */
      readonly isNew: boolean;
      /** Why it could not be built. */
      readonly failed?: string | undefined;
    }
  /** All that is run on it has been run. */
  | { readonly kind: 'looked at'; readonly commit: string }
  /** Both sides of a step are measured in turns. */
  | { readonly kind: 'verifying'; readonly commit: string };

export interface BisectProgress {
  /** Commits on the line. */
  readonly commits: number;
  readonly looked: number;
  /** Commits to be looked at that are sure to come; more where cases go different ways. */
  readonly remaining: number;
  readonly found: number;
  readonly doing: string;
  /** What has just happened; undefined where something is only measured again. */
  readonly news?: CommitNews | undefined;
}

/** Looks that tell how long the next one takes: the first builds, without anything to go on from, take longer. */
const recentLooks = 5;

/** What is left will take about so long, as far as the last looks tell that something was built for. */
export class LeftTime {
  readonly #taken: number[] = [];
  readonly #built = new Set<string>();
  #last: number;

  /** @param startedAt milliseconds of any clock, which the other times are of as well */
  constructor(startedAt: number) {
    this.#last = startedAt;
  }

  hear(news: CommitNews, at: number): void {
    if (news.kind === 'build ended' && news.isNew) this.#built.add(news.commit);
    if (news.kind !== 'looked at') return;
    // A commit that was built before takes next to nothing, and says nothing of those that were not.
    if (this.#built.has(news.commit)) this.#taken.push(at - this.#last);
    this.#last = at;
  }

  /** Undefined as long as nothing tells. */
  of(looks: number): number | undefined {
    const recent = this.#taken.slice(-recentLooks);
    return recent.length === 0
      ? undefined
      : (recent.reduce((sum, ms) => sum + ms, 0) / recent.length) * looks;
  }
}
