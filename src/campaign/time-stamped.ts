import { join } from 'node:path';

/** Where a campaign goes that was given no folder: such as `campaigns/2026-11-15T10-00-00`. */
export function timeStampedFolder(parent: string, now = new Date()): string {
  return join(parent, now.toISOString().slice(0, 19).replaceAll(':', '-'));
}
