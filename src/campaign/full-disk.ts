import { environmentFault, type Fault } from '../machine/index.js';

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
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    return environmentFault(
      `no space is left where ${path} is; what was measured is kept: free some, then ${resume}`,
    );
  }
}
