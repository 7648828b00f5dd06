import { mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { commandRoom } from '../processes/command-room.js';
import type { Machine } from '../this-machine.js';

/** `$CULPRIT_CACHE`, else `$XDG_CACHE_HOME/culprit`, else `~/.cache/culprit`. */
export function cacheFolder(machine: Machine): string {
  const { CULPRIT_CACHE: own, XDG_CACHE_HOME: shared } = machine.env;
  if (own) return resolve(machine.cwd, own);
  // The XDG specification says to ignore a relative path here.
  return join(shared?.startsWith('/') ? shared : join(machine.home, '.cache'), 'culprit');
}

/** Where tools that culprit fetched for itself are kept, each in a folder of its own. */
export function toolsFolder(machine: Machine): string {
  return join(cacheFolder(machine), 'tools');
}

/** An empty folder for whoever needs one for a while; should culprit be killed, a watchdog removes it. */
export function temporaryFolder(purpose: string): Promise<string> {
  return mkdtemp(join(commandRoom().directory, `${purpose}-`));
}
