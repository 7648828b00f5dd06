/** The campaigns that a study has left in its folder, as their names tell. */

import { readdir } from 'node:fs/promises';
import type { HuntSettings, StrategyName } from '../hunt/index.js';
import { type Fault, usageFault } from '../machine/index.js';

export interface NamedCampaign {
  readonly name: string;
  readonly strategy: StrategyName;
  readonly repeat: number;
}

/** Of the strategies that the study compares, the first of each before the second of any; none where there is no folder. */
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

/** Why campaigns cannot be counted together, if they cannot. */
export function whyMixed(
  out: string,
  [first, ...others]: readonly Pick<HuntSettings, 'versions'>[],
): Fault | undefined {
  const other = others.find(({ versions }) => versions.join() !== first?.versions.join());
  return other === undefined
    ? undefined
    : usageFault(`${out} holds campaigns on other versions, which cannot be counted together`);
}

/** What somebody should know of a campaign that was ended early. */
export function unfinishedNote(name: string): string {
  return `${name} has not come to its end`;
}

/** The same of one whose time was up before anything had been run. */
export function emptyNote(name: string): string {
  return `${name} had no time for a formula: give it more with --for`;
}
