import { z } from 'zod';

export const verdictSchema = z.enum(['passes', 'fails', 'unresolved', 'does not build']);

/** `unresolved`: the test did not end, or skipped with exit code 125 as for git bisect. */
export type Verdict = z.infer<typeof verdictSchema>;

/** The result of building and testing the new version with some changes reverted. */
export interface Trial {
  readonly verdict: Verdict;
  /** Of the compiler or of the test. */
  readonly output: string;
  /** Milliseconds or the printed number, if slowness is explained. */
  readonly measure?: number | undefined;
  /** The wall-clock limit ended it, perhaps because the machine was busy: a repeated trial may end otherwise. */
  readonly hitWallLimit?: boolean | undefined;
}
