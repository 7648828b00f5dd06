/** The option that allows the programs of a campaign to run, the same for every command that reads one. */

import type { Command } from 'commander';
import { type Allow, allowKnown, allowNamed } from '../../machine/index.js';

export interface TrustOption {
  readonly trust?: boolean;
}

export function withTrustOption(command: Command): Command {
  return command.option(
    '--trust',
    'run the programs and commands that a campaign names, even if you never named them on this machine',
  );
}

/** @param path the campaign */
export function allowanceFor(path: string, { trust = false }: TrustOption): Allow {
  return trust ? allowNamed : allowKnown(path);
}
