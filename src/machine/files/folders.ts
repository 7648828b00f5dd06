import { mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { commandWorkspace } from '../processes/command-workspace.js';
import type { Machine } from '../this-machine.js';

/** `$CULPRIT_CACHE`, else `$XDG_CACHE_HOME/culprit`, else `~/.cache/culprit`. */
export function cacheFolder(machine: Machine): string {
  const { CULPRIT_CACHE: own, XDG_CACHE_HOME: shared } = machine.env;
  if (own) return resolve(machine.cwd, own);
  // The XDG specification says to ignore a relative path.
  return join(shared?.startsWith('/') ? shared : join(machine.home, '.cache'), 'culprit');
}

export function toolsFolder(machine: Machine): string {
  return join(cacheFolder(machine), 'tools');
}

/** A new empty folder. If culprit is killed, a watchdog removes it. */
export function temporaryFolder(purpose: string): Promise<string> {
  return mkdtemp(join(commandWorkspace().directory, `${purpose}-`));
}
