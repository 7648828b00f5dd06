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

/** What is left will take about so long, as far as the last looks tell. */
export class LeftTime {
  readonly #ends: number[];

  /** @param startedAt milliseconds of any clock, which the other times are of as well */
  constructor(startedAt: number) {
    this.#ends = [startedAt];
  }

  lookEnded(at: number): void {
    this.#ends.push(at);
  }

  /** Undefined as long as nothing tells. */
  of(looks: number): number | undefined {
    const last = this.#ends.at(-1);
    const from = this.#ends.at(-1 - recentLooks) ?? this.#ends[0];
    const many = Math.min(recentLooks, this.#ends.length - 1);
    return last === undefined || from === undefined || many === 0
      ? undefined
      : ((last - from) / many) * looks;
  }
}
