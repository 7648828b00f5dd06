/** `culprit coverage --gcov`: what ran of builds that culprit did not make. */

import { type CountedBuild, countedBuild, readGcovFolder } from '../coverage/index.js';
import { Fault } from '../machine/index.js';
import { type CoverageView, coverageBuildJson } from '../report/index.js';
import { type CoverageForms, mustBeForms, putForms } from './coverage-forms.js';
import { CommandFailure, exitCodeOf, orFail } from './failure.js';
import { printJson, warn } from './terminal.js';

export interface UserBuildOptions {
  readonly gcov?: string;
  readonly sources?: readonly string[];
}

/** Of what cannot be read, so much is named. */
const mostTold = 5;

export async function coverBuilds(
  given: string,
  options: CoverageForms & UserBuildOptions,
  signal: AbortSignal,
): Promise<number> {
  const { against, sources = [], json } = options;
  if (sources.length > (against === undefined ? 1 : 2))
    throw new CommandFailure(2, '--sources names a folder for each build, and no more');
  await mustBeForms(options);
  // What it is compared with comes first, as with formulas.
  const asked = [
    ...(against === undefined ? [] : [{ counters: against, sources: sources[1] ?? sources[0] }]),
    { counters: given, sources: sources[0] },
  ];
  const views: CoverageView[] = [];
  let exitCode = 0;
  for (const one of asked) {
    const build = orFail(await readBuild(one.counters, one.sources, signal));
    const [first] = build.faults;
    if (first !== undefined) {
      tellFaults(build.faults);
      exitCode = exitCodeOf(first);
    }
    const of = { counters: one.counters, sources: build.sources };
    const view = { of, executed: build.executed, executable: build.executable };
    views.push(view);
    if (json) printJson('coverage-build', coverageBuildJson(of, view));
  }
  await putForms(views, options, { reference: () => views[0], versions: [], signal });
  return exitCode;
}

async function readBuild(
  folder: string,
  sources: string | undefined,
  signal: AbortSignal,
): Promise<CountedBuild | Fault> {
  const read = await readGcovFolder(folder, signal);
  return read instanceof Fault ? read : countedBuild(read, sources);
}

function tellFaults(faults: readonly Fault[]): void {
  for (const { message } of faults.slice(0, mostTold)) warn(message);
  const left = faults.length - mostTold;
  if (left > 0) warn(`${left} more sources could not be read`);
}
