/** A last word that a reader may copy: a path, a command, an option, a version, a number. */
const copied = /[/\\\-_@=<>\d"]\S*$/;

/** Adds a full stop, unless it would be copied with a path or a command. */
export function sentence(message: string): string {
  return /[.?!:…]$/.test(message) || copied.test(message) ? message : `${message}.`;
}
