import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newOwnerName } from './owner.js';
import { marker, markerVariable } from './starters/starter.js';
import { Watchdog } from './watchdog.js';

/** What all commands that are no solvers have in common. */
export interface CommandRoom {
  /** For their files; it goes when culprit goes. */
  readonly directory: string;
  /** Part of the environment of all they start, by which it is known. */
  readonly marks: Readonly<Record<string, string>>;
  readonly watchdog: Watchdog;
}

let room: CommandRoom | undefined;

/** Opened by the first command. Should culprit be killed outright, a watchdog ends what was left running. */
export function commandRoom(): CommandRoom {
  if (room !== undefined) return room;
  const owner = newOwnerName();
  const directory = join(tmpdir(), owner);
  try {
    mkdirSync(directory, { recursive: true });
  } catch {
    // Whoever wants to put something there hears of it; others need none.
  }
  const value = marker(owner, 'command').slice(markerVariable.length + 1);
  room = {
    directory,
    marks: { [markerVariable]: value },
    watchdog: new Watchdog(owner, directory, []),
  };
  return room;
}
