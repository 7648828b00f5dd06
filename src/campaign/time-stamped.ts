import { join } from 'node:path';

/** Where a campaign goes that was given no folder: such as `campaigns/2026-11-15T10-00-00-123`, so that two of one second do not meet. */
export function timeStampedFolder(parent: string, now = new Date()): string {
  return join(parent, now.toISOString().slice(0, 23).replaceAll(/[:.]/g, '-'));
}
