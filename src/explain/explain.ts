/** Why a test fails since an update: the changes to blame, and what must go with them. */

import { join } from 'node:path';
import type { CampaignFolder } from '../campaign/index.js';
import { Fault, type OnStep, ThrownFault, usageFault } from '../machine/index.js';
import { checkEnds } from './both-ends.js';
import { CauseChains } from './causes/cause-chains.js';
import { type TracedCauses, tracedCauses } from './causes/traced-causes.js';
import type { Change } from './changes/change.js';
import { revertingPatch } from './changes/patch.js';
import { type ComparedVersions, compareVersions } from './compared-versions.js';
import { tracedParting } from './comparing/traced-parting.js';
import { executedChanges } from './counting/executed-changes.js';
import { CountingTree } from './counting/executed-lines.js';
import {
  type FunctionWork,
  grownFunctions,
  levelsOfWork,
  workByFunction,
} from './counting/work-by-function.js';
import { type Explanation, keepExplanation, keptExplanation, type Slowdown } from './explanation.js';
import type { AuxiliaryWay } from './search/auxiliary.js';
import { type Blame, BlameSearch, type Suspects } from './search/blame-search.js';
import { augmentedDeltaDebugging, deltaDebugging } from './search/delta-debugging.js';
import type { ExplainSettings, StrategyName } from './settings.js';
import { slowLimit } from './slow-limit.js';
import { sourceExcerpts } from './source-excerpts.js';
import { Trials, type Tries } from './trials/trials.js';
import { WorkTree } from './trials/work-tree.js';

export interface ExplainOptions {
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
  /** Told of every set of changes that was asked about. */
  readonly onTried?: ((tries: Tries) => void) | undefined;
}

export async function explain(
  campaign: CampaignFolder,
  settings: ExplainSettings,
  { signal, onStep, onTried }: ExplainOptions,
): Promise<Explanation | Fault> {
  const startedAt = performance.now();
  const unlock = await campaign.lock();
  if (unlock instanceof Fault) return unlock;
  try {
    // What came to its end is not done twice.
    const kept = keptExplanation(campaign);
    if (kept !== undefined) return kept;
    onStep?.({ step: 'comparing the versions', done: 0, total: 1, what: 'step' });
    const versions = await compareVersions(campaign, settings, signal);
    if (versions instanceof Fault) return versions;
    const bothKnown = (done: number): void =>
      onStep?.({ step: 'building and testing both versions', done, total: 2, what: 'version' });
    bothKnown(0);
    const slow = await slowLimit(campaign, versions.old, settings, signal);
    if (slow instanceof Fault) return slow;
    const { treeFolder, files } = versions;
    const tree = await WorkTree.open(treeFolder, settings.new, files, settings, signal, slow);
    if (tree instanceof Fault) return tree;
    const trials = await Trials.open(campaign.journalPath, tree, signal, onTried);
    if (trials instanceof Fault) return trials;
    try {
      const unfit = await checkEnds(versions.old, trials, settings, () => bothKnown(1), signal, slow);
      if (unfit !== undefined) return unfit;
      const { measure } = await trials.of([]);
      const guided = await guidance(campaign, settings, versions, { signal, onStep });
      if (guided instanceof Fault) return guided;
      try {
        const blame = await searchedBy(settings.strategy, versions, guided, trials);
        if (blame === undefined)
          return usageFault(
            [
              `with all ${versions.changes.length} changes taken back the test still fails: something that is no change of a text is to blame`,
              ...versions.notes,
            ].join('; '),
          );
        const found = await told(blame, versions, guided, trials, { settings, onStep });
        const explanation = {
          ...found,
          ms: performance.now() - startedAt,
          slowdown: slow && { ...found.slowdown, old: slow.old, new: measure },
        };
        await keepExplanation(campaign, explanation);
        return explanation;
      } finally {
        await guided.chains?.close();
      }
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
  /** What forces what in it. */
  readonly chains?: CauseChains | undefined;
  /** The changes at which the failing run parts from the old one, with some taken back already. */
  readonly partedWith?: (reverted: ReadonlySet<number>) => Promise<Suspects | undefined>;
  readonly executed: readonly Change[] | undefined;
  /** Of a slowdown, where the new version does more. */
  readonly grown?: readonly FunctionWork[] | undefined;
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
  if (settings.slowness !== undefined)
    return guidanceByWork(campaign, settings, { files, changes }, { signal, onStep });
  if (strategy !== 'add') {
    const onRecorded = (done: number): void =>
      onStep?.({ step: 'recording what the test does', done, total: 2, what: 'version' });
    onRecorded(0);
    const folder = join(campaign.path, 'traced');
    const request = {
      old: settings.old,
      new: settings.new,
      commands: settings,
      changes,
      folder,
      signal,
      onRecorded,
    };
    const causes = await tracedCauses(request);
    const partedWith = async (reverted: ReadonlySet<number>): Promise<Suspects | undefined> => {
      const parting = await tracedParting({ ...request, files, reverted });
      return parting instanceof Fault ? undefined : parting;
    };
    if (!(causes instanceof Fault)) {
      if (causes.isUnsteady)
        notes.push(
          'the program reads the clock or the like: what it does otherwise every time by itself was left out',
        );
      const chains = await CauseChains.open(causes);
      if (!(chains instanceof Fault)) return { causes, chains, partedWith, executed: undefined, notes };
      notes.push(`what forces the failure is not known: ${chains.message}`);
      return { causes, partedWith, executed: undefined, notes };
    }
    notes.push(`what leads to the failure is not known: ${causes.message}`);
  }
  onStep?.({ step: 'counting what the failing test executes', done: 0, total: 1, what: 'run' });
  const tree = await CountingTree.open(settings.new, join(campaign.path, 'counting'), [], settings, signal);
  const lines = tree instanceof Fault ? tree : await tree.executed(new Set(), signal);
  if (!(lines instanceof Fault))
    return { causes: undefined, executed: executedChanges(changes, lines), notes };
  notes.push(`which changes the test executes is not known: ${lines.message}`);
  return { causes: undefined, executed: undefined, notes };
}

/** Of a slowdown, nothing is done that should not be: what is done more often leads to what is to blame. */
async function guidanceByWork(
  campaign: CampaignFolder,
  settings: ExplainSettings,
  { files, changes }: Pick<ComparedVersions, 'files' | 'changes'>,
  { signal, onStep }: ExplainOptions,
): Promise<Guided> {
  const folder = join(campaign.path, 'counting');
  const counting = (done: number): void =>
    onStep?.({ step: 'counting what the test executes', done, total: 2, what: 'version' });
  const unknown = ({ message }: Fault): Guided => ({
    causes: undefined,
    executed: undefined,
    notes: [`which changes the test executes is not known: ${message}`],
  });
  counting(0);
  const tree = await CountingTree.open(settings.new, join(folder, 'new'), files, settings, signal);
  if (tree instanceof Fault) return unknown(tree);
  const lines = await tree.executed(new Set(), signal);
  if (lines instanceof Fault) return unknown(lines);
  const after = workByFunction(tree.source, lines);
  counting(1);
  // All taken back, most of it need not be compiled again; where that is not enough, the old version is built by itself.
  const all = new Set(changes.map(({ id }) => id));
  let old: CountingTree | Fault = tree;
  let before = await tree.executed(all, signal);
  if (before instanceof Fault) {
    old = await CountingTree.open(settings.old, join(folder, 'old'), [], settings, signal);
    if (old instanceof Fault) return unknown(old);
    before = await old.executed(new Set(), signal);
    if (before instanceof Fault) return unknown(before);
  }
  const grown = grownFunctions(workByFunction(old.source, before), after);
  return { causes: undefined, executed: executedChanges(changes, lines), grown, notes: [] };
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
  after: async (versions, guided, trials) =>
    (await byCauses(versions, guided, trials)) ?? byBlame(versions, guided, trials, ['as published']),
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

/** Algorithm 1 to the letter: after each cause with changes of its own, those of all causes so far are tried. */
async function byCauses(
  { files }: ComparedVersions,
  { chains }: Guided,
  trials: Trials,
): Promise<Blame | undefined> {
  const search = new BlameSearch(files, trials, 'as published');
  const candidates: Change[] = [];
  for await (const { changes } of chains?.causes() ?? []) {
    const added = changes.filter((change) => !candidates.includes(change));
    if (added.length === 0) continue;
    candidates.push(...added);
    const blame = await search.among(candidates);
    if (blame !== undefined) return blame;
  }
  return undefined;
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
 * The same with all causes of a level at once, by dependence alone: the changes in the causes found so far, level by level;
 * in the end all changes. In one way after the other.
 */
async function byBlame(
  { files, changes }: ComparedVersions,
  { causes, executed, grown = [] }: Guided,
  trials: Trials,
  ways: readonly AuxiliaryWay[],
): Promise<Blame | undefined> {
  const levels = causes?.levels ?? (executed === undefined ? [] : levelsOfWork(executed, grown));
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

/** All but what the versions take, which is known to whoever has measured them. */
type Told = Omit<Explanation, 'slowdown'> & { readonly slowdown: Pick<Slowdown, 'repaired' | 'functions'> };

async function told(
  { blamed, auxiliary, staying = [] }: Blame,
  { files, changes, notes: left }: ComparedVersions,
  { causes, chains: reasoner, executed, grown, notes }: Guided,
  trials: Trials,
  {
    settings: { repeats, treeLimitMs },
    onStep,
  }: Pick<ExplainOptions, 'onStep'> & { readonly settings: ExplainSettings },
): Promise<Told> {
  const { effort } = trials;
  const taken = [...blamed.filter((change) => !staying.includes(change)), ...auxiliary];
  const reverted = new Set(taken.map(({ id }) => id));
  const { verdict, measure } = await trials.of(reverted);
  let isRepaired = verdict === 'passes';
  for (let time = 1; time < repeats && isRepaired; time++)
    isRepaired = (await trials.again(reverted)).verdict === 'passes';
  onStep?.({ step: 'finding what forces the failure', done: 0, total: 1, what: 'failure' });
  const tree = await reasoner?.treeOf(blamed, treeLimitMs);
  const carriers = carriersOf(blamed, causes).filter((change) => !auxiliary.includes(change));
  const chains = causes?.chains;
  const chainOf = (change: Change) => chains?.get(change) ?? [];
  const toldOf = { tree, chains: blamed.map(chainOf), changes: [...blamed, ...auxiliary, ...carriers] };
  return {
    ...{ auxiliary, carriers, tree, effort, isRepaired },
    changes: changes.length,
    blamed: blamed.map((change) => ({
      ...change,
      chain: chainOf(change),
      stays: staying.includes(change),
    })),
    executed: executed?.length,
    slowdown: { repaired: measure, functions: grown ?? [] },
    causes: causes && {
      ...causes.failure,
      at: causes.place,
      levels: causes.levels.map((level) => level.length),
    },
    reasoning: reasoner?.reasoning ?? { causes: 0, questions: 0, solverMs: 0 },
    notes: [...notes, ...left],
    sources: sourceExcerpts(toldOf, files, causes?.source),
    patch: revertingPatch(files, (id) => reverted.has(id)).toString('latin1'),
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
