import { limitsFor } from '../../machine/index.js';
import { MoreEffort } from '../../reduce/index.js';
import type { Runner, Version } from '../../solver/index.js';

/** Effort counts as slower from this factor on. */
const factor = 5;

/** And by at least this much: about a tenth of a second of an optimised Z3. */
const least = 200_000;

/** The property of a formula that it takes more effort at one commit than at another. */
export function moreEffort(
  runner: Runner,
  good: Version,
  bad: Version,
  limits: { readonly timeoutMs: number; readonly memoryBytes: number; readonly seed?: number | undefined },
): MoreEffort {
  const { timeoutMs, memoryBytes, seed } = limits;
  return new MoreEffort(runner, {
    newest: bad,
    others: [good],
    factor,
    least,
    limits: limitsFor(timeoutMs, memoryBytes),
    seed,
  });
}
