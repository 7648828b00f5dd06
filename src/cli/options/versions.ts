import {
  pinnedVersions as jobPinnedVersions,
  versionsAgain as jobVersionsAgain,
  versionsOf as jobVersionsOf,
} from '../../jobs/index.js';
import type { Allow, Fault } from '../../machine/index.js';
import type { Version } from '../../solver/index.js';
import { tell, warn } from '../screen/terminal.js';

/** The versions that come with culprit. */
export const embeddedVersions = 'z3@4.8.17,z3@5.2.0';
export const embeddedNewest = 'z3@5.2.0';

/** Prints notes and warnings of a job. */
export function printedNotes(signal: AbortSignal) {
  return { signal, onNote: tell, onWarning: warn };
}

export function versionsOf(list: string, signal: AbortSignal): Promise<readonly Version[] | Fault> {
  return jobVersionsOf(list, printedNotes(signal));
}

export function pinnedVersions(list: string, signal: AbortSignal): Promise<readonly Version[] | Fault> {
  return jobPinnedVersions(list, printedNotes(signal));
}

export function versionsAgain(
  names: readonly string[],
  allow: Allow,
  signal: AbortSignal,
): Promise<readonly Version[] | Fault> {
  return jobVersionsAgain(names, allow, printedNotes(signal));
}
