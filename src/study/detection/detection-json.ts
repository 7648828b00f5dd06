/** JSON of `culprit study detection`. */

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
