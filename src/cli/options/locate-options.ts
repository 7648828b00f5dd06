/** The options of `hunt` for the step that ranks files for crashes and wrong answers. */

import type { LocateChoice } from '../../jobs/index.js';
import { type Fault, usageFault } from '../../machine/index.js';

/** Checks before the hunt that `--locate` will have everything it needs after it. */
export function checkLocateOptions({
  locate,
  blame,
  repo,
  bad,
}: LocateChoice & { blame?: boolean }): Fault | undefined {
  if (locate !== true || blame === true || (repo === undefined) === (bad === undefined)) return undefined;
  return usageFault(
    '--locate needs a repository and the commit of the newest version: --repo PATH --bad REVISION',
  );
}
