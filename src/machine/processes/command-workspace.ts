import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newOwnerName } from './owner.js';
import { markerVariable } from './starters/starter.js';
import { sweep } from './sweep.js';
import { Watchdog } from './watchdog.js';

/** Shared by all commands that are not solver runs. */
export interface CommandWorkspace {
  readonly directory: string;
  /** Owner part of the marker in the environment of every started process. */
  readonly owner: string;
  readonly watchdog: Watchdog;
}

let room: CommandWorkspace | undefined;

/** Created by the first command. If culprit is killed, the watchdog ends the remaining processes. */
export function commandWorkspace(): CommandWorkspace {
  if (room !== undefined) return room;
  const owner = newOwnerName();
  const directory = join(tmpdir(), owner);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch {}
  room = { directory, owner, watchdog: new Watchdog(owner, directory, []) };
  // For leftovers of a culprit that was killed together with its watchdog.
  void sweep(tmpdir(), { v1: new Map(), v2: undefined });
  return room;
}

let commands = 0;

export function nextMarker(): readonly [name: string, value: string] {
  return [markerVariable, `${commandWorkspace().owner}:command-${++commands};`];
}
