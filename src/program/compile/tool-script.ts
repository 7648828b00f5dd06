/** The small scripts that start the programs of the toolchain, with what clang and the linker have to be told. */

import { type DebianArchitecture, startScript } from '../../machine/index.js';

/** A machine that can compile by itself has the headers and libraries its programs are meant for. */
const lacksLibraries = '! { [ -e /usr/include/stdio.h ] && [ -d /usr/include/c++ ] && [ -d /usr/lib/gcc ]; }';

/** @param program its path below the root */
export function toolScript(name: string, program: string, { loader, triple }: DebianArchitecture): string {
  const libraries = `usr/lib/${triple}`;
  const isClang = /\/clang(\+\+)?$/.test(program);
  return startScript({
    program,
    loader: `${libraries}/${loader}`,
    libraries: [libraries],
    before: isClang ? clangWords : /^ld(\.|$)/.test(name) ? linkerWords(`$root/${libraries}`, loader) : '',
    // It starts itself again for a part of the work, and looks for the linker and its headers beside what it is called.
    ...(isClang ? { calledAs: `$tool/bin/${name}` } : {}),
  });
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
