import { join } from 'node:path';

/**
 * Default folder of a campaign, such as `campaigns/2026-11-15T10-00-00-123`. Milliseconds keep two of one second
 * apart.
 */
export function timeStampedFolder(parent: string, now = new Date()): string {
  return join(parent, now.toISOString().slice(0, 23).replaceAll(/[:.]/g, '-'));
}
