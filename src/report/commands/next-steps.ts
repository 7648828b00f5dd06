/** Suggested next commands, ready to paste. The user has to fill in REPOSITORY, OLD and NEW. */

import { basename } from 'node:path';
import { shellWord } from '../../page/index.js';
import { timeWord } from '../hunt/reproduce.js';
import type { TimelineMeasure } from '../timeline/timeline.js';
import type { NamedTimeline } from '../timeline/timeline-json.js';

/** The name of a formula from standard input; no command can read it again. */
export const unnamedFormula = 'standard input';

export interface SlowFormula {
  /** Path of its file. */
  readonly formula: string;
  /** As `--on` takes them, the oldest first. */
  readonly versions: readonly string[];
  /** The version that the newest is compared with; all others if left out. */
  readonly than?: string | undefined;
  /** Time of the fast version; undefined if time was not measured. */
  readonly referenceMs?: number | undefined;
  /** The limits of the run that was slow. */
  readonly limits?: SeenLimits | undefined;
}

/** The limits of the command that found a slowdown. */
export interface SeenLimits {
  readonly timeoutMs: number;
  /** The machine's calibrated threshold if left out. */
  readonly thresholdMs?: number | undefined;
}

export function confirmStep(slow: SlowFormula): string {
  const on = shellWord(slow.versions.join());
  return `Does it hold under other random seeds? culprit confirm ${shellWord(slow.formula)} --on ${on}${limitOptions(slow)}`;
}

/** The default time limit of `confirm` and `reduce`. */
const defaultTimeoutMs = 2000;

/**
 * Options that `confirm` and `reduce` need to see the same slowdown: the threshold, and the timeout if the fast
 * version would hardly stay below the default.
 */
function limitOptions({ referenceMs, limits }: SlowFormula): string {
  if (referenceMs === undefined || limits === undefined) return '';
  const { timeoutMs, thresholdMs } = limits;
  const ownTimeoutMs = thresholdMs === undefined ? defaultTimeoutMs : 2 * thresholdMs;
  const threshold = thresholdMs === undefined ? '' : ` --threshold ${timeWord(thresholdMs)}`;
  const isTight = referenceMs > ownTimeoutMs / 2 && timeoutMs > ownTimeoutMs;
  return `${threshold}${isTight ? ` --timeout ${timeWord(timeoutMs)}` : ''}`;
}

export function reduceStep(slow: SlowFormula): string {
  const { formula, versions, than } = slow;
  const newest = versions.at(-1) ?? '';
  const others = than ?? versions.slice(0, -1).join();
  return `Reduce it: culprit reduce ${shellWord(formula)} --slower ${shellWord(newest)} --than ${shellWord(others)} --out ${shellWord(smallName(formula))}${limitOptions(slow)}`;
}

const smallEnding = '.small.smt2';

/** `some/folder/slow.smt2` becomes `slow.small.smt2` in the working directory. */
function smallName(formula: string): string {
  return `${basename(formula).replace(/(?:\.small)?\.smt2(?:\.gz)?$/, '')}${smallEnding}`;
}

export function disagreeStep(
  formula: string,
  { sat, unsat }: { readonly sat: readonly string[]; readonly unsat: readonly string[] },
): string {
  const both = shellWord([sat[0] ?? '', unsat[0] ?? ''].join());
  return `Reduce the disagreement: culprit reduce ${shellWord(formula)} --disagree ${both} --out ${shellWord(smallName(formula))}`;
}

export function timelineStep({ formula, versions }: SlowFormula): string {
  return `Since which version? culprit timeline ${shellWord(formula)} --on ${shellWord(versions.join())}`;
}

/** @param range placeholders if left out */
export function blameStep(
  formula: string,
  { repo, good, bad }: { readonly repo: string; readonly good: string; readonly bad: string } = unknownRange,
): string {
  const words = [formula, '--repo', repo, '--good', good, '--bad', bad].map(shellWord);
  return `Which commit is to blame? culprit blame ${words.join(' ')}`;
}

const unknownRange = { repo: 'REPOSITORY', good: 'OLD', bad: 'NEW' } as const;

export interface FailingFormula {
  /** Path of its file. */
  readonly formula: string;
  /** As `--on` takes it. */
  readonly on: string;
  /** Versions that answer correctly, the most trusted first. */
  readonly references: readonly string[];
  readonly timeoutMs: number;
}

/** The default time limit of `locate`. */
const locateTimeoutMs = 5000;

export function locateCommand({ formula, on, references, timeoutMs }: FailingFormula): string {
  const held = references.length === 0 ? '' : ` --reference ${shellWord(references.join())}`;
  const limit = timeoutMs > locateTimeoutMs ? ` --timeout ${timeWord(timeoutMs)}` : '';
  return `culprit locate ${shellWord(formula)} --on ${shellWord(on)}${held}${limit}`;
}

/** @param folder of `culprit bisect` or `culprit blame` */
export function triageStep(folder: string): string {
  return `What were they meant to do? culprit triage ${shellWord(folder)}`;
}

export function trackerStep(folder: string): string {
  return `An issue text for each: culprit report ${shellWord(folder)} --tracker texts`;
}

export function pageStep(path: string): string {
  return `Full report as a page: culprit report ${shellWord(path)} --html report.html`;
}

/** Next steps for the formula with the largest slowdown. */
export function timelineNextSteps(
  timelines: readonly NamedTimeline[],
  by: TimelineMeasure,
  /** The repository if versions are commits. */
  repo: string | undefined,
  limits?: SeenLimits,
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
    limits,
  };
  const isSmall = name.endsWith(smallEnding);
  return [confirmStep(slow), ...(isSmall ? [] : [reduceStep(slow)]), blameStep(name)];
}
