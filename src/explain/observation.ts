/** Step 3: observe the failing test: record its runs, or else count the lines it executes. */

import { join } from 'node:path';
import type { CampaignFolder } from '../campaign/index.js';
import { Fault, type OnStep } from '../machine/index.js';
import { CauseChains } from './causes/cause-chains.js';
import { type TracedCauses, tracedCauses } from './causes/traced-causes.js';
import type { Change } from './changes/change.js';
import type { ComparedVersions } from './compared-versions.js';
import type { Suspects } from './comparing/divergence.js';
import { tracedDivergence } from './comparing/traced-divergence.js';
import { executedChanges } from './counting/executed-changes.js';
import { InstrumentedTree } from './counting/executed-lines.js';
import { type FunctionWork, grownFunctions, workByFunction } from './counting/work-by-function.js';
import type { ExplainSettings } from './settings.js';
import type { TestedVersion } from './trials/tested-version.js';

/** The parts that the strategy does not need, or that could not be determined, are undefined. */
export interface Observation {
  readonly causes?: TracedCauses | undefined;
  /** The solver's answers about the failing run. */
  readonly chains?: CauseChains | undefined;
  /** The changes at which the failing run diverges from the old one, with some changes already reverted. */
  readonly divergenceWith?: (reverted: ReadonlySet<number>) => Promise<Suspects | undefined>;
  readonly executed?: readonly Change[] | undefined;
  /** For a slowdown, the functions in which the new version executes more lines. */
  readonly grown?: readonly FunctionWork[] | undefined;
  readonly notes: readonly string[];
}

export interface ObservationRequest {
  readonly campaign: CampaignFolder;
  readonly settings: ExplainSettings;
  readonly old: TestedVersion;
  readonly next: TestedVersion;
  readonly versions: ComparedVersions;
  readonly signal: AbortSignal;
  readonly onStep: OnStep | undefined;
}

export async function observeTest(request: ObservationRequest): Promise<Observation> {
  const { strategy, slowness } = request.settings;
  if (strategy === 'dd') return { notes: [] };
  if (slowness !== undefined) return countedWork(request);
  if (strategy === 'add') return countedLines(request, []);
  return recordedRuns(request);
}

async function recordedRuns(request: ObservationRequest): Promise<Observation> {
  const { campaign, old, next, versions, signal, onStep } = request;
  const { files, changes } = versions;
  const onRecorded = (done: number): void =>
    onStep?.({ step: 'recording what the test does', done, total: 2, what: 'version' });
  onRecorded(0);
  const folder = join(campaign.path, 'traced');
  const traced = { old, new: next, changes, folder, signal, onRecorded };
  const causes = await tracedCauses(traced);
  if (causes instanceof Fault)
    return countedLines(request, [`the causes of the failure are unknown: ${causes.message}`]);
  const divergenceWith = async (reverted: ReadonlySet<number>): Promise<Suspects | undefined> => {
    const divergence = await tracedDivergence({ ...traced, files, reverted });
    return divergence instanceof Fault ? undefined : divergence;
  };
  const notes = causes.isNondeterministic
    ? ['output that differs between two runs of the old version, such as the time, was not compared']
    : [];
  const chains = await CauseChains.open(causes);
  if (!(chains instanceof Fault)) return { causes, chains, divergenceWith, notes };
  notes.push(`the solver cannot explain the failure: ${chains.message}`);
  return { causes, divergenceWith, notes };
}

async function countedLines(
  { campaign, next, versions: { changes }, signal, onStep }: ObservationRequest,
  notes: readonly string[],
): Promise<Observation> {
  onStep?.({ step: 'counting what the failing test executes', done: 0, total: 1, what: 'run' });
  const tree = await InstrumentedTree.open(next, join(campaign.path, 'counting'), [], signal);
  const lines = tree instanceof Fault ? tree : await tree.executed(new Set(), signal);
  if (lines instanceof Fault) return { notes: [...notes, executedNote(lines)] };
  return { executed: executedChanges(changes, lines), notes };
}

/** For a slowdown: every executed line is correct, but functions that execute more lines lead to the cause. */
async function countedWork({
  campaign,
  old,
  next,
  versions: { files, changes },
  signal,
  onStep,
}: ObservationRequest): Promise<Observation> {
  const folder = join(campaign.path, 'counting');
  const onCounted = (done: number): void =>
    onStep?.({ step: 'counting what the test executes', done, total: 2, what: 'version' });
  onCounted(0);
  const tree = await InstrumentedTree.open(next, join(folder, 'new'), files, signal);
  if (tree instanceof Fault) return { notes: [executedNote(tree)] };
  const lines = await tree.executed(new Set(), signal);
  if (lines instanceof Fault) return { notes: [executedNote(lines)] };
  const after = workByFunction(tree.source, lines);
  onCounted(1);
  // Reverting all changes needs only a partial build. If that fails, the old version is built on its own.
  let oldTree: InstrumentedTree | Fault = tree;
  let before = await tree.executed(new Set(changes.map(({ id }) => id)), signal);
  if (before instanceof Fault) {
    oldTree = await InstrumentedTree.open(old, join(folder, 'old'), [], signal);
    if (oldTree instanceof Fault) return { notes: [executedNote(oldTree)] };
    before = await oldTree.executed(new Set(), signal);
    if (before instanceof Fault) return { notes: [executedNote(before)] };
  }
  const grown = grownFunctions(workByFunction(oldTree.source, before), after);
  return { executed: executedChanges(changes, lines), grown, notes: [] };
}

function executedNote({ message }: Fault): string {
  return `the changes that the test executes are unknown: ${message}`;
}
