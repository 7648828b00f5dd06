/** What a campaign found, as `culprit hunt --json` prints it. */

import type { HuntData } from '../../hunt/index.js';
import { leftCommand } from './anomaly-location.js';

/** @param folder where the campaign is */
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
    // JSON has null where a version was not run.
    oddities: anomalies.map(({ runs, ...anomaly }) => ({ ...anomaly, runs: runs.map((run) => run ?? null) })),
    locations: locations.map((location) => ({
      oddity: location.anomaly.id,
      ...{ version: location.version, isAssumed: location.isAssumed, references: location.references },
      ...{ on: location.on, result: location.result },
      next: leftCommand(location, data.settings, folder),
    })),
    views: views.map(({ at, tried, beliefs, parameters }) => ({ atMs: at, tried, beliefs, parameters })),
  };
}
