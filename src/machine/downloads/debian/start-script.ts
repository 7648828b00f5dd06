/**
 * The small scripts that start programs of Debian's archive: with their own loader and libraries, since the machine's
 * may be older or other ones.
 */

import { environmentFault, type Fault } from '../../fault.js';

/** The script's folder is `bin` of the tool, wherever that was moved to or is linked from. */
const whereItLies = `self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in
  /*) self=$link ;;
  *) self=\${self%/*}/$link ;;
  esac
done
case $self in
/*/bin/*) tool=\${self%/bin/*} ;;
*) tool=$(cd "\${self%/*}/.." && pwd) ;;
esac
root=$tool/root
`;

/** What is started; paths are those below the root. */
export interface DebianStart {
  readonly program: string;
  readonly loader: string;
  /** The folders with its libraries. */
  readonly libraries: readonly string[];
  /** Lines of the script before the program is started; they may use `$tool` and `$root`, and change the words. */
  readonly before?: string;
  /** The name it is to be called by, if it looks at that. */
  readonly calledAs?: string;
}

/** A shell script for `bin` of a tool whose packages lie in `root` beside it. */
export function startScript({ program, loader, libraries, before = '', calledAs }: DebianStart): string {
  const path = libraries.map((folder) => `$root/${folder}`).join(':');
  const as = calledAs === undefined ? '' : ` --argv0 "${calledAs}"`;
  const start = `exec "$root/${loader}" --inhibit-cache --library-path "${path}"${as} "$root/${program}" "$@"`;
  return `#!/bin/sh\n# Made by culprit: a program of Debian's archive.\n${whereItLies}${before}${start}\n`;
}

/** The loader splits its search path at these, and there is no way to quote them. */
export function whyNotSearchable(folder: string): Fault | undefined {
  return /[:;$]/.test(folder)
    ? environmentFault(`the cache folder must have no ":", ";" or "$" in its name: ${folder}`)
    : undefined;
}
