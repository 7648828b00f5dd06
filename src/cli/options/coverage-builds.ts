/** `culprit coverage --gcov` and `--llvm-profile`: coverage of builds that culprit did not make. */

import { type CountedBuild, countedBuild, readGcovFolder, readLlvmProfile } from '../../coverage/index.js';
import { Fault } from '../../machine/index.js';
import { type ComparedView, type CoveredBuild, coverageBuildJson } from '../../report/index.js';
import { CommandFailure, exitCodeOf, orFail } from '../screen/failure.js';
import { printJson, warn } from '../screen/terminal.js';
import { type CoverageForms, CoverageTold, mustBeForms, putForms } from './coverage-forms.js';

export interface UserBuildOptions {
  readonly gcov?: string;
  readonly llvmProfile?: string;
  readonly binary?: readonly string[];
  readonly sources?: readonly string[];
}

/** Counters to read, and their sources and programs. */
interface AskedBuild {
  readonly counters: string;
  /** Undefined for a gcov folder. */
  readonly program: string | undefined;
  /** Undefined if it has to be found. */
  readonly sources: string | undefined;
}

/** The maximum number of unreadable files that a message names. */
const mostTold = 5;

export async function coverBuilds(
  options: CoverageForms & UserBuildOptions,
  signal: AbortSignal,
): Promise<number> {
  const asked = askedBuilds(options);
  await mustBeForms(options);
  const views: ComparedView<CoveredBuild>[] = [];
  const told = new CoverageTold();
  let exitCode = 0;
  for (const one of asked) {
    const build = orFail(await readBuild(one, signal));
    const [first] = build.faults;
    if (first !== undefined) {
      tellFaults(build.faults);
      exitCode = exitCodeOf(first);
    }
    const of = { counters: one.counters, sources: build.sources };
    const view = { of, executed: build.executed, executable: build.executable };
    const before = views[0];
    await told.add(view, before);
    views.push(view);
    if (options.json) printJson('coverage-build', coverageBuildJson(view, before));
  }
  await putForms(views, options, { told, versions: [], signal });
  return exitCode;
}

/** The build to compare with comes first. An option given once applies to both builds. */
function askedBuilds({
  gcov,
  llvmProfile,
  against,
  binary = [],
  sources = [],
}: CoverageForms & UserBuildOptions): readonly AskedBuild[] {
  const given = gcov ?? llvmProfile ?? '';
  if (llvmProfile !== undefined && binary.length === 0)
    throw new CommandFailure(2, '--llvm-profile needs the program that was profiled: --binary PROGRAM');
  for (const [name, values] of Object.entries({ binary, sources }))
    if (values.length > (against === undefined ? 1 : 2))
      throw new CommandFailure(2, `--${name} names one for each build, and no more`);
  const own = { counters: given, program: binary[0], sources: sources[0] };
  if (against === undefined) return [own];
  return [{ counters: against, program: binary[1] ?? binary[0], sources: sources[1] ?? sources[0] }, own];
}

async function readBuild(
  { counters, program, sources }: AskedBuild,
  signal: AbortSignal,
): Promise<CountedBuild | Fault> {
  const read = await (program === undefined
    ? readGcovFolder(counters, signal)
    : readLlvmProfile(counters, program, signal));
  return read instanceof Fault ? read : countedBuild(read, sources);
}

function tellFaults(faults: readonly Fault[]): void {
  for (const { message } of faults.slice(0, mostTold)) warn(message);
  const left = faults.length - mostTold;
  if (left > 0) warn(`${left} more sources could not be read`);
}
