import { type CaseId, caseId } from '../../campaign/index.js';
import { usageFault } from '../../machine/index.js';
import type { Localization } from '../search/localize.js';
import { type BisectEvent, fromWritten, type VerifiedEvent } from './bisect-events.js';

/**
 * Feeds a search with the stored measurements of its line of commits. Interleaved measurements that refute a step
 * replace the earlier ones.
 */
export function feeder(
  search: Localization,
  line: readonly string[],
  isAsked: (id: CaseId) => boolean,
  isRefuting: (event: VerifiedEvent) => boolean,
): (event: BisectEvent) => void {
  const places = new Map(line.map((commit, at) => [commit, at]));
  const at = (commit: string, tell: (at: number) => void): void => {
    const here = places.get(commit);
    if (here !== undefined) tell(here);
  };
  return (event) => {
    if (event.event === 'looked')
      at(event.commit, (here) => {
        if (event.failed !== undefined) search.passOver(here, usageFault(event.failed));
        for (const [number, seen] of event.observations.entries()) {
          const id = caseId(number);
          if (isAsked(id)) search.observe(id, here, fromWritten(seen));
        }
      });
    else if (!isAsked(event.case)) return;
    else if (event.event === 'repeated')
      at(event.commit, (here) => search.observe(event.case, here, fromWritten(event.observation)));
    else if (isRefuting(event))
      for (const [commit, samples] of [
        [event.before, event.beforeSamples],
        [event.at, event.afterSamples],
      ] as const)
        at(commit, (here) => search.replace(event.case, here, { kind: 'measured', samples }));
  };
}
