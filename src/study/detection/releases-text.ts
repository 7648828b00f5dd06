/** Findings by the release at which they became slow, as text and JSON. */

import { type Ink, noInk } from '../../machine/index.js';
import { count, duration, ratio, table } from '../../page/index.js';
import { canonicalText } from './causes.js';
import type { CampaignResult } from './detection.js';
import { type ReleaseStep, type ReleaseTimeline, stepsOfRelease } from './releases.js';

export interface ReleaseFindings {
  /** The oldest first. */
  readonly releases: readonly string[];
  readonly courses: ReadonlyMap<string, ReleaseTimeline>;
  readonly steps: ReadonlyMap<string, readonly ReleaseStep[]>;
}

/** A row per release that made a formula slower: how many findings of each strategy it affects. */
export function releaseRows(
  { releases, steps }: ReleaseFindings,
  campaigns: readonly CampaignResult[],
): readonly {
  readonly release: string;
  readonly findings: number;
  readonly by: ReadonlyMap<string, number>;
}[] {
  return releases.flatMap((release) => {
    const slow = stepsOfRelease(steps, release);
    if (slow.size === 0) return [];
    const by = new Map<string, number>();
    for (const { strategy, data } of campaigns)
      for (const text of textsOf(data))
        if (slow.has(canonicalText(text))) by.set(strategy, (by.get(strategy) ?? 0) + 1);
    return [{ release, findings: slow.size, by }];
  });
}

export function textsOf({ groups }: CampaignResult['data']): readonly string[] {
  return groups.flatMap(({ findings }) => findings.map(({ text }) => text));
}

export function releasesText(
  found: ReleaseFindings,
  campaigns: readonly CampaignResult[],
  strategies: readonly string[],
  ink: Ink = noInk,
  screen?: number,
): string {
  const rows = releaseRows(found, campaigns).map(({ release, findings, by }) => [
    release,
    String(findings),
    ...strategies.map((strategy) => String(by.get(strategy) ?? 0)),
    largest(found, release),
  ]);
  const titles = ['formulas', ...strategies, 'largest step'];
  return table(
    [{ title: 'slower since', wraps: true }, ...titles.map((title) => ({ title, align: 'right' as const }))],
    rows,
    ink,
    screen,
  );
}

function largest({ courses, steps }: ReleaseFindings, release: string): string {
  let best: { readonly step: ReleaseStep; readonly course: ReleaseTimeline } | undefined;
  for (const [text, step] of stepsOfRelease(steps, release)) {
    const course = courses.get(text);
    if (course !== undefined && (best === undefined || times(step) > times(best.step)))
      best = { step, course };
  }
  if (best === undefined) return '';
  const { step, course } = best;
  const words = (level: number): string =>
    `${level >= course.most ? '>' : ''}${course.by === 'effort' ? count(level) : duration(level)}`;
  return `${words(step.from)} to ${words(step.to)} (${ratio(times(step))})`;
}

function times({ from, to }: ReleaseStep): number {
  return to / Math.max(1, from);
}

export function releasesJson(found: ReleaseFindings | undefined) {
  return (
    found && {
      releases: found.releases,
      findings: [...found.courses.values()].map(({ text, by, most, points }) => ({
        text,
        by,
        most,
        points,
        steps: found.steps.get(text) ?? [],
      })),
    }
  );
}
