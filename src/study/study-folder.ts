/** Finds the campaigns in a study's folder by their names. */

import { readdir } from 'node:fs/promises';
import type { HuntSettings, StrategyName } from '../hunt/index.js';
import { type Fault, usageFault } from '../machine/index.js';

export interface NamedCampaign {
  readonly name: string;
  readonly strategy: StrategyName;
  readonly repeat: number;
}

/** All first campaigns of the compared strategies, then all second ones; empty if there is no folder. */
export async function campaignsIn(
  out: string,
  strategies: readonly StrategyName[],
): Promise<readonly NamedCampaign[]> {
  const named = (await readdir(out).catch(() => [])).flatMap((name): NamedCampaign[] => {
    const [, strategy, repeat] = /^(.+)-(\d{1,4})$/.exec(name) ?? [];
    const known = strategies.find((each) => each === strategy);
    return known === undefined ? [] : [{ name, strategy: known, repeat: Number(repeat) }];
  });
  return named.toSorted((a, b) => a.repeat - b.repeat);
}

/** A fault if the campaigns cannot be counted together. */
export function checkSameVersions(
  out: string,
  [first, ...others]: readonly Pick<HuntSettings, 'versions'>[],
): Fault | undefined {
  const other = others.find(({ versions }) => versions.join() !== first?.versions.join());
  return other === undefined
    ? undefined
    : usageFault(`${out} holds campaigns on different versions, which cannot be counted together`);
}

export function unfinishedNote(name: string): string {
  return `${name} has not finished`;
}

/** The note on a campaign whose time ended before its first run. */
export function emptyNote(name: string): string {
  return `${name} ended before its first formula: raise --for`;
}
