import { z } from 'zod';

/** What came of building and testing the new version with some changes taken back. */
export const verdictSchema = z.enum(['passes', 'fails', 'unresolved', 'does not build']);

/** `unresolved`: the test did not come to its end, or said with exit code 125 that it cannot tell, as for git bisect. */
export type Verdict = z.infer<typeof verdictSchema>;

export interface Trial {
  readonly verdict: Verdict;
  /** What the compiler or the test said. */
  readonly said: string;
  /** How much was done, where that is what the test is about. */
  readonly measure?: number | undefined;
  /** Its time on the clock was over because the machine had none for it, perhaps: another time it may end otherwise. */
  readonly isUnsure?: boolean | undefined;
}
