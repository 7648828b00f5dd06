/** Step 2: the old version passes and the new one fails, and both do so every time. */

import { Fault, usageFault } from '../machine/index.js';
import type { ExplainSettings } from './settings.js';
import { runBuild, runTest } from './trials/commands.js';
import { nameOfSources } from './trials/sources.js';
import type { Trials } from './trials/trials.js';
import type { Trial } from './trials/verdict.js';

export interface Ends {
  /** What the test said of the old version, and of the new one. */
  readonly oldSaid: string;
  readonly newSaid: string;
}

/** What must come of the test; a fault says what came instead. */
interface Expected {
  readonly verdict: 'passes' | 'fails';
  readonly name: string;
}

export async function checkEnds(
  oldSource: string,
  trials: Trials,
  settings: ExplainSettings,
  signal: AbortSignal,
): Promise<Ends | Fault> {
  const old = { verdict: 'passes', name: nameOfSources(settings.old) } as const;
  const oldSaid = await sure(old, settings, async (isFirst) => {
    const built = isFirst ? await runBuild(oldSource, settings, signal) : { isBuilt: true, said: '' };
    if (built instanceof Fault) return built;
    return built.isBuilt
      ? runTest(oldSource, settings, signal)
      : { verdict: 'does not build', said: built.said };
  });
  if (oldSaid instanceof Fault) return oldSaid;
  const next = { verdict: 'fails', name: nameOfSources(settings.new) } as const;
  const newSaid = await sure(next, settings, (isFirst) => (isFirst ? trials.of([]) : trials.again([])));
  return newSaid instanceof Fault ? newSaid : { oldSaid, newSaid };
}

async function sure(
  { verdict, name }: Expected,
  { repeats }: ExplainSettings,
  run: (isFirst: boolean) => Promise<Trial | Fault>,
): Promise<string | Fault> {
  let said = '';
  for (let time = 0; time < repeats; time++) {
    const trial = await run(time === 0);
    if (trial instanceof Fault) return trial;
    if (trial.verdict === verdict) said = trial.said;
    else if (time === 0) return notAsExpected(verdict, name, trial);
    else
      return usageFault(
        `the test is not to be relied on: of ${time + 1} times on ${name} it ${said === '' ? verdict : verdict} ${time} and ${trial.verdict} once`,
      );
  }
  return said;
}

function notAsExpected(expected: 'passes' | 'fails', name: string, { verdict, said }: Trial): Fault {
  const lines = said.trim().split('\n');
  const last = lines.slice(-5).join('\n');
  const quote = last === '' ? '' : `:\n${last}`;
  switch (verdict) {
    case 'does not build':
      return usageFault(`${name} does not build${quote}`);
    case 'unresolved':
      return usageFault(`the test does not come to its end on ${name}${quote}`);
    default:
      return expected === 'passes'
        ? usageFault(`the test fails on ${name}, too: name an older version on which it passes${quote}`)
        : usageFault(`the test passes on ${name}: there is no failure to explain`);
  }
}
