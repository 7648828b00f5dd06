/** The options of `hunt` for the commits behind its findings. */

import { commitRange } from '../../history/index.js';
import { checkBlame } from '../../jobs/index.js';
import { Fault, usageFault } from '../../machine/index.js';
import type { SlownessRequest } from '../../solver/index.js';

export interface BlameOptions {
  readonly blame?: boolean;
  readonly explain?: boolean;
  readonly quick?: boolean;
  readonly verify?: boolean;
  readonly repo?: string;
  readonly good?: string;
  readonly bad?: string;
}

/** The options for commits need --blame. */
export function checkBlameOptions(options: BlameOptions): Fault | undefined {
  const [word] = blameWords(options);
  return word === undefined || options.blame
    ? undefined
    : usageFault(`${word} needs --blame: hunt --blame ${word}`);
}

/** The words of the options, for a command that resumes. */
export function blameWords({ explain, quick, verify }: BlameOptions): readonly string[] {
  return [
    ...(explain ? ['--explain'] : []),
    ...(quick === undefined ? [] : [quick ? '--quick' : '--no-quick']),
    ...(verify ? ['--verify'] : []),
  ];
}

/** With `--blame`: checks before the hunt that commits can be built after it. */
export async function checkBlameRange(
  versions: string,
  slowness: SlownessRequest,
  options: BlameOptions,
  signal: AbortSignal,
): Promise<Fault | undefined> {
  if (!options.blame) return undefined;
  const range = commitRange(versions, options);
  return range instanceof Fault ? range : checkBlame({ ...range, ...buildChoice(options), slowness, signal });
}

/** The options that decide how commits are built and compared. */
export function buildChoice({ quick, verify }: BlameOptions) {
  return { builder: { build: [], folder: process.cwd() }, isQuick: quick, verifies: verify };
}
