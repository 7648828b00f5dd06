import { environmentFault, type Fault, findFullDisk } from '../machine/index.js';

/**
 * The fault for a full disk, with the affected path; undefined for other errors.
 *
 * @param resume the command that resumes the campaign, such as `culprit hunt --resume campaigns/nightly`
 */
export function fullDiskFault(error: unknown, path: string, resume: string): Fault | undefined {
  const place = findFullDisk(error, path);
  if (place === undefined) return undefined;
  const remedy = place.isTemporary ? 'free some, or set TMPDIR to a folder elsewhere' : 'free some';
  const where = place.isTemporary ? `for temporary files in ${place.path}` : `where ${place.path} is`;
  return environmentFault(
    `no space is left ${where}; the results so far are kept: ${remedy}, then ${resume}`,
  );
}

/**
 * Runs a job that writes into a campaign; returns a fault if the disk is full. The journal keeps its content.
 *
 * @param resume the command that resumes the campaign
 */
export async function catchFullDisk<Value>(
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
