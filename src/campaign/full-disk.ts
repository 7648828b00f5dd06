import { environmentFault, type Fault } from '../machine/index.js';

/**
 * What ended a campaign whose disk is full; undefined if an error says something else.
 *
 * @param resume the words that resume it, such as `culprit hunt --resume campaigns/nightly`
 */
export function fullDiskFault(error: unknown, path: string, resume: string): Fault | undefined {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
  return isFull
    ? environmentFault(
        `no space is left where ${path} is; what was measured is kept: free some, then ${resume}`,
      )
    : undefined;
}
