/** A campaign as `culprit hunt --json` prints it. */

import type { HuntData } from '../../hunt/index.js';
import { locateStep } from './anomaly-location.js';

/** @param folder of the campaign */
export function huntJson(
  { slowdownTimes, groups, anomalies, locations, views, ...data }: HuntData,
  folder: string,
) {
  return {
    ...data,
    slowdownsAtMs: slowdownTimes,
    groups: groups.map(({ findings, ...group }) => ({
      ...group,
      findings: findings.map(({ by, ...finding }) => ({ ...finding, madeBy: by })),
    })),
    // JSON has null for a version without a run.
    oddities: anomalies.map(({ runs, ...anomaly }) => ({ ...anomaly, runs: runs.map((run) => run ?? null) })),
    locations: locations.map((location) => ({
      oddity: location.anomaly.id,
      ...{ version: location.version, isAssumed: location.isAssumed, references: location.references },
      ...{ on: location.on, result: location.result },
      next: locateStep(location, data.settings, folder),
    })),
    views: views.map(({ at, tried, beliefs, parameters }) => ({ atMs: at, tried, beliefs, parameters })),
  };
}
