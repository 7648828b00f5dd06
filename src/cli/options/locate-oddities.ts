/** The last step of `hunt`: the files to look at for crashes and wrong answers. */

import { whyNotCounting } from '../../coverage/index.js';
import type { Campaign, HuntData } from '../../hunt/index.js';
import { editedAt, locateOddities, ordinaryFolder } from '../../jobs/index.js';
import { Fault, usageFault } from '../../machine/index.js';
import { countingVariant, parseSpec, printSpec, type Version, type VersionSpec } from '../../solver/index.js';
import { Progress } from '../screen/progress.js';
import { versionsOf } from './versions.js';

export interface LocateChoice {
  /** Undefined: those that count with nothing to build. */
  readonly locate?: boolean;
  readonly repo?: string;
  readonly good?: string;
  readonly bad?: string;
}

/** With `--locate`: whatever cannot be done afterwards is better said before. */
export function whyNotLocated({
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

/** Builds only what the user has named just now, or what the campaign was allowed to run already, in another way. */
export async function locateFailures(
  campaign: Campaign,
  data: HuntData,
  choice: LocateChoice,
  signal: AbortSignal,
): Promise<HuntData | Fault> {
  if (choice.locate === false) return data;
  const progress = new Progress();
  const countingFor = async (version: Version, at: number): Promise<Version | undefined | Fault> => {
    if ((await whyNotCounting(version)) === undefined) return version;
    const commit = choice.locate === true ? commitFor(version, at, campaign, choice) : undefined;
    if (commit === undefined) return undefined;
    progress.clear();
    const built = await versionsOf(printSpec(commit), signal);
    return built instanceof Fault ? built : built[0];
  };
  return locateOddities(campaign, data, {
    countingFor,
    editedIn: async (version, onStep) => {
      const spec = parseSpec(version.spec);
      if (spec instanceof Fault || spec.from !== 'git') return undefined;
      return editedAt(spec.repository, spec.revision, signal, onStep);
    },
    ordinary: ordinaryFolder(),
    isAgain: choice.locate === true,
    signal,
    onStep: (step) => progress.follow(step),
  }).finally(() => progress.clear());
}

/** A commit that can be built to count: the version itself, or what the user says that it was made from. */
function commitFor(
  { spec: text, options }: Version,
  at: number,
  { versions }: Campaign,
  { repo, good, bad }: LocateChoice,
): VersionSpec | undefined {
  const spec = parseSpec(text);
  if (!(spec instanceof Fault) && spec.from === 'git')
    return { ...spec, variant: countingVariant(spec.variant) };
  const revision = at === versions.length - 1 ? bad : at === 0 ? good : undefined;
  if (repo === undefined || revision === undefined) return undefined;
  return { from: 'git', repository: repo, revision, variant: 'coverage', options };
}
