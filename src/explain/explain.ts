/** Why a test fails since an update: the changes to blame, and what must go with them. */

import { join } from 'node:path';
import type { CampaignFolder } from '../campaign/index.js';
import { Fault, type OnStep, ThrownFault, usageFault } from '../machine/index.js';
import { checkEnds } from './both-ends.js';
import { type TracedCauses, tracedCauses } from './causes/traced-causes.js';
import type { Change } from './changes/change.js';
import { revertingPatch } from './changes/patch.js';
import { type ComparedVersions, compareVersions } from './compared-versions.js';
import { tracedParting } from './comparing/traced-parting.js';
import { executedChanges } from './counting/executed-changes.js';
import { executedLines } from './counting/executed-lines.js';
import type { AuxiliaryWay } from './search/auxiliary.js';
import { type Blame, BlameSearch, type Suspects } from './search/blame-search.js';
import { augmentedDeltaDebugging, deltaDebugging } from './search/delta-debugging.js';
import type { ExplainSettings, StrategyName } from './settings.js';
import { type Effort, Trials } from './trials/trials.js';
import { WorkTree } from './trials/work-tree.js';

export interface Explanation extends Blame {
  readonly changes: readonly Change[];
  /** Changes that need not be taken back, but pass on what the blamed ones do: they are on its way to the failure. */
  readonly carriers: readonly Change[];
  /** What leads to the failure; undefined where no run could be recorded. */
  readonly causes: TracedCauses | undefined;
  /** Those the failing test goes through, where causes are not known and it could be counted. */
  readonly executed: readonly Change[] | undefined;
  readonly effort: Effort;
  /** Takes back what is blamed and what must go with it. */
  readonly patch: Buffer;
  /** Whether the test passes with them taken back in the new version, every time it was run. */
  readonly isRepaired: boolean;
  /** What could not be done as well as it should, a sentence each. */
  readonly notes: readonly string[];
}

export interface ExplainOptions {
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
  /** Told of every set of changes that was asked about. */
  readonly onTried?: ((effort: Effort) => void) | undefined;
}

export async function explain(
  campaign: CampaignFolder,
  settings: ExplainSettings,
  { signal, onStep, onTried }: ExplainOptions,
): Promise<Explanation | Fault> {
  const unlock = await campaign.lock();
  if (unlock instanceof Fault) return unlock;
  try {
    onStep?.({ step: 'comparing the versions', done: 0, total: 1, what: 'step' });
    const versions = await compareVersions(campaign, settings, signal);
    if (versions instanceof Fault) return versions;
    const tree = await WorkTree.open(versions.treeFolder, settings.new, versions.files, settings, signal);
    if (tree instanceof Fault) return tree;
    const trials = await Trials.open(campaign.journalPath, tree, signal, onTried);
    if (trials instanceof Fault) return trials;
    try {
      onStep?.({ step: 'building and testing both versions', done: 0, total: 2, what: 'version' });
      const unfit = await checkEnds(versions.oldSource, trials, settings, signal);
      if (unfit !== undefined) return unfit;
      const guided = await guidance(campaign, settings, versions, { signal, onStep });
      if (guided instanceof Fault) return guided;
      const blame = await searchedBy(settings.strategy, versions, guided, trials);
      if (blame === undefined)
        return usageFault(
          `with all ${versions.changes.length} changes taken back the test still fails: something that is no change of a text is to blame`,
        );
      return await told(blame, versions, guided, trials, settings);
    } finally {
      trials.close();
    }
  } catch (error) {
    if (error instanceof ThrownFault) return error.fault;
    throw error;
  } finally {
    await unlock();
  }
}

/** What is known of the failing run. */
interface Guided {
  readonly causes: TracedCauses | undefined;
  /** The changes at which the failing run parts from the old one, with some taken back already. */
  readonly partedWith?: (reverted: ReadonlySet<number>) => Promise<Suspects | undefined>;
  readonly executed: readonly Change[] | undefined;
  readonly notes: readonly string[];
}

/** By what the program did, where it can be recorded; else by what it executed. */
async function guidance(
  campaign: CampaignFolder,
  settings: ExplainSettings,
  { files, changes }: ComparedVersions,
  { signal, onStep }: ExplainOptions,
): Promise<Guided | Fault> {
  const notes: string[] = [];
  const { strategy } = settings;
  if (strategy === 'dd') return { causes: undefined, executed: undefined, notes };
  if (strategy !== 'add') {
    onStep?.({ step: 'recording what the test does', done: 0, total: 2, what: 'version' });
    const folder = join(campaign.path, 'traced');
    const request = { old: settings.old, new: settings.new, commands: settings, changes, folder, signal };
    const causes = await tracedCauses(request);
    const partedWith = async (reverted: ReadonlySet<number>): Promise<Suspects | undefined> => {
      const parting = await tracedParting({ ...request, files, reverted });
      return parting instanceof Fault ? undefined : parting;
    };
    if (!(causes instanceof Fault)) return { causes, partedWith, executed: undefined, notes };
    notes.push(`what leads to the failure is not known: ${causes.message}`);
  }
  onStep?.({ step: 'counting what the failing test executes', done: 0, total: 1, what: 'run' });
  const lines = await executedLines(settings.new, join(campaign.path, 'counting'), settings, signal);
  if (!(lines instanceof Fault))
    return { causes: undefined, executed: executedChanges(changes, lines), notes };
  notes.push(`which changes the test executes is not known: ${lines.message}`);
  return { causes: undefined, executed: undefined, notes };
}

/** Adding a strategy means adding a row. */
const strategies: Readonly<
  Record<
    StrategyName,
    (versions: ComparedVersions, guided: Guided, trials: Trials) => Promise<Blame | undefined>
  >
> = {
  culprit: async (versions, guided, trials) =>
    (await byParting(versions, guided, trials)) ??
    byBlame(versions, guided, trials, ['by complaints', 'by complaints, then by all']),
  after: (versions, guided, trials) => byBlame(versions, guided, trials, ['as published']),
  dd: ({ changes }, _, trials) => deltaDebugging(changes, trials),
  add: ({ changes }, { executed }, trials) => augmentedDeltaDebugging(changes, trials, executed ?? changes),
};

function searchedBy(
  name: StrategyName,
  versions: ComparedVersions,
  guided: Guided,
  trials: Trials,
): Promise<Blame | undefined> {
  trials.forgetEffort();
  return strategies[name](versions, guided, trials);
}

/** How many decisions lie between a change and the failure. */
function levelIn(levels: readonly (readonly Change[])[]): (change: Change) => number {
  return (change) => {
    const level = levels.findIndex((changes) => changes.includes(change));
    return level < 0 ? levels.length : level;
  };
}

/** By where the runs of both versions part, as long as that leads on. */
async function byParting(
  { files }: ComparedVersions,
  { causes, partedWith }: Guided,
  trials: Trials,
): Promise<Blame | undefined> {
  if (partedWith === undefined) return undefined;
  return new BlameSearch(files, trials, 'by complaints').suspected(partedWith, levelIn(causes?.levels ?? []));
}

/**
 * The loop of Algorithm 1: the changes in the causes found so far, level by level; in the end all changes. In one way
 * after the other.
 */
async function byBlame(
  { files, changes }: ComparedVersions,
  { causes, executed }: Guided,
  trials: Trials,
  ways: readonly AuxiliaryWay[],
): Promise<Blame | undefined> {
  const levels = causes?.levels ?? (executed === undefined ? [] : [executed]);
  const levelOf = levelIn(levels);
  for (const way of ways) {
    const search = new BlameSearch(files, trials, way);
    const candidates: Change[] = [];
    for (const level of levels) {
      candidates.push(...level);
      const blame = await search.among(candidates, way !== 'as published', levelOf);
      if (blame !== undefined) return blame;
    }
    const blame = await search.among(changes, way !== 'as published', levelOf);
    if (blame !== undefined) return blame;
  }
  return undefined;
}

async function told(
  { blamed, auxiliary }: Blame,
  { files, changes, leftOut }: ComparedVersions,
  { causes, executed, notes }: Guided,
  trials: Trials,
  { repeats }: ExplainSettings,
): Promise<Explanation> {
  const { effort } = trials;
  const reverted = new Set([...blamed, ...auxiliary].map(({ id }) => id));
  let isRepaired = (await trials.of(reverted)).verdict === 'passes';
  for (let time = 1; time < repeats && isRepaired; time++)
    isRepaired = (await trials.again(reverted)).verdict === 'passes';
  return {
    ...{ blamed, auxiliary, changes, executed, causes, effort, isRepaired },
    notes: [...notes, ...leftOutNote(leftOut)],
    carriers: carriersOf(blamed, causes),
    patch: revertingPatch(files, (id) => reverted.has(id)),
  };
}

/** The changes on whose lines the blamed ones come to the failure. */
function carriersOf(blamed: readonly Change[], causes: TracedCauses | undefined): readonly Change[] {
  if (causes === undefined) return [];
  const lines = blamed.flatMap((change) => causes.chains.get(change) ?? []);
  const isOn = ({ file, new: { from, to } }: Change): boolean =>
    lines.some((line) => line.file === file && from <= line.line && line.line <= to);
  return causes.levels.flat().filter((change) => !blamed.includes(change) && isOn(change));
}

/** As many as a reader looks at. */
const mostNamed = 5;

function leftOutNote(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  return [
    `what differs and is no text stays as it is in the new version: ${paths.slice(0, mostNamed).join(', ')}${more}`,
  ];
}
