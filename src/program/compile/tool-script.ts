/**
 * The small scripts that start the programs of the toolchain: with their own loader and libraries, since the machine's
 * may be older or other ones.
 */

import type { DebianArchitecture } from '../../machine/index.js';

/** The script's folder is `bin` of the toolchain, wherever that was moved to or is linked from. */
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

/** A machine that can compile by itself has the headers and libraries its programs are meant for. */
const lacksLibraries = '! { [ -e /usr/include/stdio.h ] && [ -d /usr/include/c++ ] && [ -d /usr/lib/gcc ]; }';

/** @param program its path below the root */
export function toolScript(name: string, program: string, { loader, triple }: DebianArchitecture): string {
  const libraries = `$root/usr/lib/${triple}`;
  const start = `exec "${libraries}/${loader}" --inhibit-cache --library-path "${libraries}"`;
  const isClang = /\/clang(\+\+)?$/.test(program);
  const words = isClang ? clangWords : /^ld(\.|$)/.test(name) ? linkerWords(libraries, loader) : '';
  // It starts itself again for a part of the work, and looks for the linker and its headers beside what it is called.
  const as = isClang ? ` --argv0 "$tool/bin/${name}"` : '';
  return `#!/bin/sh\n# Made by culprit: a program of Debian's archive.\n${whereItLies}${words}${start}${as} "$root/${program}" "$@"\n`;
}

const clangWords = `case \${1-} in
-cc1*) ;;
*)
  if ${lacksLibraries}; then set -- --sysroot="$root" "$@"; fi
  set -- -no-canonical-prefixes "$@"
  ;;
esac
`;

/** Programs linked with the toolchain's libraries are started with them, by its loader. */
function linkerWords(libraries: string, loader: string): string {
  return `for word do
  if [ "$word" = -dynamic-linker ] && ${lacksLibraries}; then
    set -- "$@" -dynamic-linker "${libraries}/${loader}" --disable-new-dtags -rpath "${libraries}"
    break
  fi
done
`;
}
