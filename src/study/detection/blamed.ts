/** Commits that a bisection blames for the findings of campaigns, and the findings without such a commit. */

import { finishedBisection } from '../../history/index.js';
import { Fault, usageFault } from '../../machine/index.js';
import { type BlamedCommits, blamedFor, canonicalText } from './causes.js';
import type { CampaignResult } from './detection.js';

/** For each formula, the commits that a finished bisection has verified. */
export async function readBlamedCommits(folder: string): Promise<BlamedCommits | Fault> {
  const finished = await finishedBisection(folder);
  if (finished instanceof Fault) return finished;
  const { settings, bisection } = finished;
  if (settings.command !== undefined || settings.cases.some(({ text }) => text === undefined))
    return usageFault(`${folder} holds a bisection of a command, not of formulas`);
  return new Map(
    settings.cases.map(({ text = '' }, at) => {
      const own = bisection.culprits.filter(
        (culprit) => culprit.case === at && culprit.direction === 'slower' && culprit.isVerified,
      );
      return [canonicalText(text), own.map((culprit) => culprit.commit)];
    }),
  );
}

/** Notes on findings without a blamed commit: one for those bisected, one for those not bisected. */
export function unblamedNotes(
  campaigns: readonly CampaignResult[],
  blamed: BlamedCommits,
  causes: 'commits' | 'releases' | 'kinds',
): readonly string[] {
  const [cause, measured] = causes === 'releases' ? ['release', 'measured'] : ['commit', 'bisected'];
  const texts = campaigns.flatMap(({ data }) =>
    data.groups.flatMap(({ findings }) => findings.map(({ text }) => text)),
  );
  const missing = texts.filter((text) => !blamed.has(canonicalText(text))).length;
  const unblamed = texts.filter((text) => blamedFor(text, blamed).length === 0).length - missing;
  return [
    ...(missing === 0
      ? []
      : [`${missing} of ${texts.length} findings were not ${measured}; they do not count`]),
    ...(unblamed === 0
      ? []
      : [
          `${unblamed} of ${texts.length} findings have no confirmed ${cause} that made them slower; they do not count`,
        ]),
  ];
}
