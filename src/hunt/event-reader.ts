import { type HuntEvent, parseEvent, type WrongModel } from './events.js';
import type { HuntSettings } from './settings.js';

/**
 * Reads a journal's events in order. Returns undefined for an event that no hunt can have written: an unknown
 * slowdown, lane, anomaly or version, or a number that is used twice.
 */
export function eventReader({
  workers,
  versions,
}: Pick<HuntSettings, 'workers' | 'versions'>): (value: unknown) => HuntEvent | undefined {
  let slowdowns = 0;
  let anomalies = 0;
  let isFirst = true;
  const areClaims = (wrong: readonly WrongModel[] = []): boolean =>
    wrong.every(({ version }) => version < versions.length);
  const isFound = (slowdown: number): boolean => slowdown >= 1 && slowdown <= slowdowns;

  const isPossible = (event: HuntEvent): boolean => {
    const wasFirst = isFirst;
    isFirst = false;
    switch (event.event) {
      case 'began':
        return wasFirst;
      case 'tried':
        return event.lane < workers && event.runs.length <= versions.length && areClaims(event.wrongModels);
      case 'slowdown':
        return event.slowdown === ++slowdowns && event.runs.length <= versions.length;
      case 'oddity':
        return (
          event.oddity === ++anomalies &&
          event.runs.length <= versions.length &&
          areClaims(event.claim && [event.claim])
        );
      case 'located':
        return event.oddity >= 1 && event.oddity <= anomalies && event.version < versions.length;
      case 'confirmed':
        return (
          isFound(event.slowdown) && event.samples.length <= versions.length && areClaims(event.wrongModels)
        );
      case 'reduced':
        return isFound(event.slowdown) && (event.samples?.length ?? 0) <= versions.length;
      case 'shrunk':
        return isFound(event.slowdown) && event.runs.length <= versions.length;
      case 'pursued':
        return isFound(event.slowdown) && (event.runs?.length ?? 0) <= versions.length;
      case 'kind':
      case 'seeds':
        return isFound(event.slowdown);
      default:
        return true;
    }
  };

  return (value) => {
    const event = parseEvent(value);
    return event !== undefined && isPossible(event) ? event : undefined;
  };
}
