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

/**
 * What a job that writes into a campaign comes to; a fault where the disk was full: what is in the journal stays there.
 *
 * @param resume the command that resumes the campaign
 */
export async function unlessDiskIsFull<Value>(
  { path }: { readonly path: string },
  resume: string,
  job: () => Promise<Value>,
): Promise<Value | Fault> {
  try {
    return await job();
  } catch (error) {
    const full = fullDiskFault(error, path, resume);
    if (full === undefined) throw error;
    return full;
  }
}
