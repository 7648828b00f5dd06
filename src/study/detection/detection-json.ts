/** A study of strategies, as `culprit study detection --json` prints it. */

import type { DetectionStudy } from './detection-study.js';
import { publishedDetection } from './published-detection.js';
import { releasesJson } from './releases-text.js';

export function detectionJson({ settings, rows, counts, releases }: DetectionStudy) {
  return {
    settings,
    rows,
    counts: counts.map(({ testTimes, causeTimes, ...count }) => ({
      ...count,
      testsAtMs: testTimes,
      causesAtMs: causeTimes,
    })),
    releases: releasesJson(releases),
    published: publishedDetection,
  };
}
