/** Step 2: the old version passes and the new one fails, and both do so every time. */

import { Fault, usageFault } from '../machine/index.js';
import type { ExplainSettings } from './settings.js';
import type { OldMeasure } from './slow-limit.js';
import { runTest } from './trials/commands.js';
import { complaintsIn } from './trials/complaints.js';
import { measuredTest } from './trials/measured-test.js';
import { nameOfSources } from './trials/sources.js';
import type { Trials } from './trials/trials.js';
import type { Trial } from './trials/verdict.js';
import type { WorkTree } from './trials/work-tree.js';

/** What must come of the test. */
interface Expected {
  readonly verdict: 'passes' | 'fails';
  readonly name: string;
}

/** A fault says what came of it instead. */
export async function checkEnds(
  oldTree: WorkTree,
  trials: Trials,
  settings: ExplainSettings,
  onOld: () => void,
  signal: AbortSignal,
  slow?: OldMeasure,
): Promise<Fault | undefined> {
  const old = { verdict: 'passes', name: nameOfSources(settings.old) } as const;
  const unfit = await sure(old, settings, async (isFirst) => {
    const built = isFirst ? await oldTree.build(signal) : { isBuilt: true, said: '' };
    if (built instanceof Fault) return built;
    if (!built.isBuilt) return { verdict: 'does not build', said: built.said };
    return slow === undefined
      ? runTest(oldTree.source, settings, signal)
      : measuredTest(oldTree.source, settings, slow, signal);
  });
  if (unfit !== undefined) return unfit;
  onOld();
  const next = { verdict: 'fails', name: nameOfSources(settings.new) } as const;
  return sure(next, settings, (isFirst) => (isFirst ? trials.of([]) : trials.again([])));
}

async function sure(
  { verdict, name }: Expected,
  { repeats }: ExplainSettings,
  run: (isFirst: boolean) => Promise<Trial | Fault>,
): Promise<Fault | undefined> {
  for (let time = 0; time < repeats; time++) {
    const trial = await run(time === 0);
    if (trial instanceof Fault) return trial;
    if (trial.verdict === verdict) continue;
    if (time === 0) return notAsExpected(verdict, name, trial);
    return usageFault(
      `the test is not to be relied on: on ${name} it ${verdict} ${time} of ${time + 1} times`,
    );
  }
  return undefined;
}

function notAsExpected(expected: 'passes' | 'fails', name: string, { verdict, said, measure }: Trial): Fault {
  const last = said.trimEnd().split('\n').at(-1) ?? '';
  const quote = last === '' ? '' : `: ${last}`;
  switch (verdict) {
    case 'does not build':
      return usageFault(`${name} does not build: ${complaintsIn(said)[0] ?? last}`);
    case 'unresolved':
      return usageFault(`the test does not come to its end on ${name}${quote}`);
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
