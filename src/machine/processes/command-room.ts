import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newOwnerName } from './owner.js';
import { markerVariable } from './starters/starter.js';
import { sweep } from './sweep.js';
import { Watchdog } from './watchdog.js';

/** What all commands that are no solvers have in common. */
export interface CommandRoom {
  /** For their files; it goes when culprit goes. */
  readonly directory: string;
  /** Whose marks they carry: part of the environment of all they start, by which it is known. */
  readonly owner: string;
  readonly watchdog: Watchdog;
}

let room: CommandRoom | undefined;

/** Opened by the first command. Should culprit be killed outright, a watchdog ends what was left running. */
export function commandRoom(): CommandRoom {
  if (room !== undefined) return room;
  const owner = newOwnerName();
  const directory = join(tmpdir(), owner);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch {
    // Whoever wants to put something there hears of it; others need none.
  }
  room = { directory, owner, watchdog: new Watchdog(owner, directory, []) };
  // Of a culprit that was killed together with its watchdog. Nobody has to wait for it.
  void sweep(tmpdir(), { v1: new Map(), v2: undefined });
  return room;
}

let commands = 0;

/** A mark for one command and all it starts, as an entry of their environment. */
export function nextMark(): readonly [name: string, value: string] {
  return [markerVariable, `${commandRoom().owner}:command-${++commands};`];
}
