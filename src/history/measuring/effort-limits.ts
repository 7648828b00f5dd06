/** How much work each case may do on a commit where effort is compared: the same on every build, however slow it is. */

import type { CampaignFolder } from '../../campaign/index.js';
import { Fault, limitsFor, type OnStep } from '../../machine/index.js';
import type { Run, Runner, Version } from '../../solver/index.js';
import type { BisectSettings } from '../bisection/settings.js';
import { storedCase } from '../bisection/stored-case.js';

export interface EffortLimitJob {
  readonly folder: CampaignFolder;
  readonly runner: Runner;
  /** Where the cases are quick. */
  readonly good: Version;
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
}

/** A case that takes nearly as long as the time limit where it is quick must still be able to get slower. */
const leastFactor = 4;

/** Times below this are a solver's start rather than its work. */
const leastMs = 20;

/**
 * The settings with a limit for each case: what the good commit would do within the time limit. A case that it does not
 * answer in that time gets none. Each is written down as soon as it is known.
 */
export async function withEffortLimits(
  settings: BisectSettings,
  { folder, runner, good, signal, onStep }: EffortLimitJob,
): Promise<BisectSettings | Fault> {
  const { timeoutMs, memoryBytes } = settings;
  const cases = [...settings.cases];
  for (const [at, unlimited] of cases.entries()) {
    if (unlimited.mostEffort !== undefined) continue;
    const { name } = unlimited;
    onStep?.({ step: 'seeing what cases may do', done: at, total: cases.length, what: 'case', at: name });
    const formula = storedCase(unlimited.name, unlimited.text ?? '');
    if (formula instanceof Fault) return formula;
    const limits = limitsFor(timeoutMs, memoryBytes);
    const run = await runner.run({ formula, version: good, limits, seed: unlimited.seed }, signal);
    cases[at] = { ...unlimited, mostEffort: effortWithin(timeoutMs, run) };
    await folder.rewrite({ ...settings, cases });
  }
  return { ...settings, cases };
}

/** What a solver would do in a time, as fast as it worked on a run that it came to the end of. */
export function effortWithin(ms: number, { outcome, effort, cpuMs, wallMs }: Run): number | undefined {
  if ((outcome !== 'sat' && outcome !== 'unsat') || effort === undefined || effort === 0) return undefined;
  const factor = Math.max(leastFactor, ms / Math.max(leastMs, cpuMs ?? wallMs));
  return Math.ceil(Number((factor * effort).toPrecision(2)));
}
