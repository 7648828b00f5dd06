import { environmentFault, type Fault, fullPlace } from '../machine/index.js';

/**
 * What ended a campaign because a disk is full, and which one that is; undefined if an error says something else.
 *
 * @param resume the words that resume it, such as `culprit hunt --resume campaigns/nightly`
 */
export function fullDiskFault(error: unknown, path: string, resume: string): Fault | undefined {
  const place = fullPlace(error, path);
  if (place === undefined) return undefined;
  const remedy = place.isTemporary ? 'free some, or set TMPDIR to a folder elsewhere' : 'free some';
  const where = place.isTemporary ? `for temporary files in ${place.path}` : `where ${place.path} is`;
  return environmentFault(`no space is left ${where}; what was measured is kept: ${remedy}, then ${resume}`);
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
