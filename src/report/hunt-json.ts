/** What a campaign found, as `culprit hunt --json` prints it. */

import type { HuntData } from '../hunt/index.js';

export function huntJson({ slowdownTimes, oddities, views, ...data }: HuntData) {
  return {
    ...data,
    slowdownsAtMs: slowdownTimes,
    // JSON has null where a version was not run.
    oddities: oddities.map(({ runs, ...oddity }) => ({ ...oddity, runs: runs.map((run) => run ?? null) })),
    views: views.map(({ at, tried, beliefs, parameters }) => ({ atMs: at, tried, beliefs, parameters })),
  };
}
