/** Start scripts of the toolchain's programs, with options that clang and the linker need. */

import { type DebianArchitecture, startScript } from '../../machine/index.js';

/** If the machine has its own headers and libraries, programs are compiled for them. */
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
    // clang starts itself again, and searches the linker and headers relative to its own path.
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

/** Programs that are linked with the toolchain's libraries start with the toolchain's loader. */
function linkerWords(libraries: string, loader: string): string {
  return `for word do
  if [ "$word" = -dynamic-linker ] && ${lacksLibraries}; then
    set -- "$@" -dynamic-linker "${libraries}/${loader}" --disable-new-dtags -rpath "${libraries}"
    break
  fi
done
`;
}
