import { Fault } from '../../machine/index.js';
import type { Offer, SolverSurroundings } from '../sources/source.js';
import { engineNames } from '../version/spec.js';
import { localSources } from './resolve.js';

/**
 * Values of `--on` that need no download, for shell completion: releases, solvers of `culprit.json`, and releases
 * from one source.
 */
export async function localNames(around: SolverSurroundings): Promise<readonly string[]> {
  const offers: Offer[] = [];
  for (const engine of engineNames) {
    for (const source of localSources) {
      const offered = await source.offers(engine, around);
      if (!(offered instanceof Fault)) offers.push(...offered);
    }
  }
  const releases = offers.map(({ engine, number }) => `${engine}@${number}`);
  const specs = offers.map(({ spec }) => spec);
  return [...new Set([...releases, ...Object.keys(around.configuration.solvers), ...specs])];
}
