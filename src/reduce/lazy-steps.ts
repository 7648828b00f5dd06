/**
 * Steps that are found lazily and cached: in a large formula the first step can be tried long before the last one is
 * found.
 *
 * @example
 * const steps = new LazySteps(simplificationsInTurn(script));
 * while (!steps.has(3) && steps.lookOn()) if (yieldTimer.isDue) await yieldTimer.yieldNow();
 * steps.at(3); // undefined: there are fewer than four
 */
export class LazySteps<Found> {
  readonly #found: Found[] = [];
  readonly #source: Iterator<Found | undefined>;
  #isComplete = false;

  /** @param source yields undefined while it searches */
  constructor(source: Iterable<Found | undefined>) {
    this.#source = source[Symbol.iterator]();
  }

  get count(): number {
    return this.#found.length;
  }

  has(at: number): boolean {
    return at < this.#found.length;
  }

  at(at: number): Found | undefined {
    return this.#found[at];
  }

  /** Continues the search for a moment; false if all steps have been found. */
  findMore(): boolean {
    if (this.#isComplete) return false;
    const { done, value } = this.#source.next();
    if (done === true) this.#isComplete = true;
    else if (value !== undefined) this.#found.push(value);
    return !this.#isComplete;
  }
}
