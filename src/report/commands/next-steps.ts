/** What to do now, as commands that can be pasted; REPOSITORY, OLD and NEW only their user knows. */

import { basename } from 'node:path';
import { shellWord } from '../../page/index.js';
import { timeWord } from '../hunt/reproduce.js';
import type { TimelineMeasure } from '../timeline/timeline.js';
import type { NamedTimeline } from '../timeline/timeline-json.js';

/** What formulas are called that came from no file: no command can read them again. */
export const unnamedFormula = 'standard input';

/** What is known of a formula that is slower. */
export interface SlowFormula {
  /** Its file. */
  readonly formula: string;
  /** As `--on` takes them, the oldest first. */
  readonly versions: readonly string[];
  /** What the newest is compared with; the others when left out. */
  readonly than?: string | undefined;
  /** How long the quick version takes; left out where it was not measured in time. */
  readonly referenceMs?: number | undefined;
  /** What it was seen under. */
  readonly asked?: AskedLimits | undefined;
}

/** What a command that saw something slower was told. */
export interface AskedLimits {
  readonly timeoutMs: number;
  /** The machine's own when left out. */
  readonly thresholdMs?: number | undefined;
}

export function confirmStep(slow: SlowFormula): string {
  const on = shellWord(slow.versions.join());
  return `Does it hold under other random seeds? culprit confirm ${shellWord(slow.formula)} --on ${on}${limitWords(slow)}`;
}

/** What confirm and reduce allow a run that are told nothing, or a threshold only. */
const usualTimeoutMs = 2000;

/** What they have to be told to see the same: how much is slower, and their limit where the quick version would hardly keep it. */
function limitWords({ referenceMs, asked }: SlowFormula): string {
  if (referenceMs === undefined || asked === undefined) return '';
  const { timeoutMs, thresholdMs } = asked;
  const ownTimeoutMs = thresholdMs === undefined ? usualTimeoutMs : 2 * thresholdMs;
  const threshold = thresholdMs === undefined ? '' : ` --threshold ${timeWord(thresholdMs)}`;
  const isTight = referenceMs > ownTimeoutMs / 2 && timeoutMs > ownTimeoutMs;
  return `${threshold}${isTight ? ` --timeout ${timeWord(timeoutMs)}` : ''}`;
}

export function reduceStep(slow: SlowFormula): string {
  const { formula, versions, than } = slow;
  const newest = versions.at(-1) ?? '';
  const others = than ?? versions.slice(0, -1).join();
  return `Make it small: culprit reduce ${shellWord(formula)} --slower ${shellWord(newest)} --than ${shellWord(others)} --out ${shellWord(smallName(formula))}${limitWords(slow)}`;
}

const smallEnding = '.small.smt2';

/** `some/folder/slow.smt2` becomes `slow.small.smt2`, where the user is. */
function smallName(formula: string): string {
  return `${basename(formula).replace(/(?:\.small)?\.smt2(?:\.gz)?$/, '')}${smallEnding}`;
}

/** Where versions contradict each other. */
export function disagreeStep(
  formula: string,
  { sat, unsat }: { readonly sat: readonly string[]; readonly unsat: readonly string[] },
): string {
  const both = shellWord([sat[0] ?? '', unsat[0] ?? ''].join());
  return `Make the contradiction small: culprit reduce ${shellWord(formula)} --disagree ${both} --out ${shellWord(smallName(formula))}`;
}

export function timelineStep({ formula, versions }: SlowFormula): string {
  return `Since which version? culprit timeline ${shellWord(formula)} --on ${shellWord(versions.join())}`;
}

/** @param range where it is known between which commits */
export function blameStep(
  formula: string,
  { repo, good, bad }: { readonly repo: string; readonly good: string; readonly bad: string } = unknownRange,
): string {
  const words = [formula, '--repo', repo, '--good', good, '--bad', bad].map(shellWord);
  return `Which commit is to blame? culprit blame ${words.join(' ')}`;
}

const unknownRange = { repo: 'REPOSITORY', good: 'OLD', bad: 'NEW' } as const;

/** What is known of a formula that a version fails on. */
export interface FailingFormula {
  /** Its file. */
  readonly formula: string;
  /** As `--on` takes it. */
  readonly on: string;
  /** Versions that are right about it, the one to be believed first. */
  readonly references: readonly string[];
  /** What it was seen under. */
  readonly timeoutMs: number;
}

/** What locate allows a run that is told nothing. */
const locateTimeoutMs = 5000;

export function locateCommand({ formula, on, references, timeoutMs }: FailingFormula): string {
  const held = references.length === 0 ? '' : ` --reference ${shellWord(references.join())}`;
  const limit = timeoutMs > locateTimeoutMs ? ` --timeout ${timeWord(timeoutMs)}` : '';
  return `culprit locate ${shellWord(formula)} --on ${shellWord(on)}${held}${limit}`;
}

/** Of a folder of culprit bisect or culprit blame. */
export function triageStep(folder: string): string {
  return `What were they meant to do? culprit triage ${shellWord(folder)}`;
}

export function trackerStep(folder: string): string {
  return `A text for each, for its tracker: culprit report ${shellWord(folder)} --tracker texts`;
}

export function pageStep(path: string): string {
  return `All of it as a page: culprit report ${shellWord(path)} --html report.html`;
}

/** About the formula that became slower the most: between which two versions the commit is. */
export function timelineNextSteps(
  timelines: readonly NamedTimeline[],
  by: TimelineMeasure,
  /** Where the versions are commits. */
  repo: string | undefined,
  asked?: AskedLimits,
): readonly string[] {
  const [worst] = timelines
    .flatMap(({ name, line: { changes, points } }) =>
      changes
        .filter(({ direction }) => direction === 'slower')
        .map(({ before, at, from, to }) => ({
          name,
          good: points[before]?.name ?? '',
          bad: points[at]?.name ?? '',
          from,
          times: to / Math.max(by === 'time' ? 1 : 1e-9, from),
        })),
    )
    .toSorted((a, b) => b.times - a.times);
  if (worst === undefined || worst.name === unnamedFormula) return [];
  const { name, good, bad, from } = worst;
  if (repo !== undefined) return [blameStep(name, { repo, good, bad })];
  const slow = {
    formula: name,
    versions: [good, bad],
    referenceMs: by === 'time' ? from : undefined,
    asked,
  };
  const isSmall = name.endsWith(smallEnding);
  return [confirmStep(slow), ...(isSmall ? [] : [reduceStep(slow)]), blameStep(name)];
}
