/**
 * Shell scripts that start programs from Debian's archive with the loader and libraries of the same archive, because
 * those of the machine may be older or different.
 */

import { environmentFault, type Fault } from '../../fault.js';

/** Finds the tool's folder: the script is in its `bin`, and may be moved or reached through links. */
const locateTool = `self=$0
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

/** The program to start; paths are relative to the root. */
export interface DebianStart {
  readonly program: string;
  readonly loader: string;
  readonly libraries: readonly string[];
  /** Script lines to run first; they may use `$tool` and `$root`, and change the arguments. */
  readonly before?: string;
  /** `argv[0]`, for programs that read it. */
  readonly calledAs?: string;
}

/** A shell script for `bin` of a tool whose packages are in the sibling folder `root`. */
export function startScript({ program, loader, libraries, before = '', calledAs }: DebianStart): string {
  const path = libraries.map((folder) => `$root/${folder}`).join(':');
  const as = calledAs === undefined ? '' : ` --argv0 "${calledAs}"`;
  const start = `exec "$root/${loader}" --inhibit-cache --library-path "${path}"${as} "$root/${program}" "$@"`;
  return `#!/bin/sh\n# Made by culprit: a program of Debian's archive.\n${locateTool}${before}${start}\n`;
}

/** The loader splits its search path at these characters and has no quoting. */
export function checkSearchablePath(folder: string): Fault | undefined {
  return /[:;$]/.test(folder)
    ? environmentFault(`the cache folder must have no ":", ";" or "$" in its name: ${folder}`)
    : undefined;
}
