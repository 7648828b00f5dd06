/** A last word that a reader may want to copy: a path, a command, an option, a version, a number. */
const copied = /[/\\\-_@=<>\d"]\S*$/;

/** A message as it is printed: with a full stop, but for one that would be copied along with a path or a command. */
export function sentence(message: string): string {
  return /[.?!:…]$/.test(message) || copied.test(message) ? message : `${message}.`;
}
