/** What a campaign found, as `culprit hunt --json` prints it. */

import type { HuntData } from '../hunt/index.js';

export function huntJson({ slowdownTimes, groups, oddities, views, ...data }: HuntData) {
  return {
    ...data,
    slowdownsAtMs: slowdownTimes,
    groups: groups.map(({ findings, ...group }) => ({
      ...group,
      findings: findings.map(({ by, ...finding }) => ({ ...finding, madeBy: by })),
    })),
    // JSON has null where a version was not run.
    oddities: oddities.map(({ runs, ...oddity }) => ({ ...oddity, runs: runs.map((run) => run ?? null) })),
    views: views.map(({ at, tried, beliefs, parameters }) => ({ atMs: at, tried, beliefs, parameters })),
  };
}
