/** Step 2: check that the old version passes the test and the new one fails it, every time. */

import { Fault, usageFault } from '../machine/index.js';
import { diagnosticsIn } from './trials/diagnostics.js';
import type { SlowLimit } from './trials/measured-trial.js';
import type { Trials } from './trials/trials.js';
import type { Trial } from './trials/verdict.js';
import type { WorkTree } from './trials/work-tree.js';

export interface VersionCheck {
  readonly oldTree: WorkTree;
  readonly newName: string;
  readonly trials: Trials;
  readonly repeats: number;
  readonly slow: SlowLimit | undefined;
  readonly onOldChecked: () => void;
}

/** @returns a fault with what happened instead */
export async function checkVersions(
  { oldTree, newName, trials, repeats, slow, onOldChecked }: VersionCheck,
  signal: AbortSignal,
): Promise<Fault | undefined> {
  const fault = await checkVerdict('passes', oldTree.version.name, repeats, async (isFirst) => {
    const built = isFirst ? await oldTree.build(signal) : undefined;
    if (built instanceof Fault) return built;
    if (built?.isBuilt === false) return { verdict: 'does not build', output: built.output };
    return oldTree.version.test(oldTree.source, signal, slow);
  });
  if (fault !== undefined) return fault;
  onOldChecked();
  return checkVerdict('fails', newName, repeats, (isFirst) => (isFirst ? trials.of([]) : trials.again([])));
}

async function checkVerdict(
  verdict: 'passes' | 'fails',
  name: string,
  repeats: number,
  run: (isFirst: boolean) => Promise<Trial | Fault>,
): Promise<Fault | undefined> {
  for (let time = 0; time < repeats; time++) {
    const trial = await run(time === 0);
    if (trial instanceof Fault) return trial;
    if (trial.verdict === verdict) continue;
    if (time === 0) return unexpectedVerdict(verdict, name, trial);
    return usageFault(`the test is flaky: on ${name} it ${verdict} in ${time} of ${time + 1} runs`);
  }
  return undefined;
}

function unexpectedVerdict(
  expected: 'passes' | 'fails',
  name: string,
  { verdict, output, measure }: Trial,
): Fault {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  const quote = last === '' ? '' : `: ${last}`;
  switch (verdict) {
    case 'does not build':
      return usageFault(`${name} does not build: ${diagnosticsIn(output)[0] ?? last}`);
    case 'unresolved':
      return usageFault(`the test does not end on ${name}${quote}`);
    default:
      return expected === 'passes'
        ? usageFault(`the test fails on ${name}, too: name an older version on which it passes${quote}`)
        : usageFault(
            measure === undefined
              ? `the test passes on ${name}: there is no failure to explain`
              : `the test is not slower on ${name}: there is no slowdown to explain`,
          );
  }
}
