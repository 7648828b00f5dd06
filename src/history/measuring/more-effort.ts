import { limitsFor } from '../../machine/index.js';
import { MoreEffort } from '../../reduce/index.js';
import type { Runner, Version } from '../../solver/index.js';

/** So many times the work counts as slower where only effort is compared … */
const factor = 5;

/** … and as much more at the least: about a tenth of a second of an optimised Z3. */
const least = 200_000;

/** The question whether a formula is slower at one commit than at another, by effort. */
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
