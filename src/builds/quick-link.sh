#!/bin/sh
# Linker wrapper, called by the name of a linker; as `ld` it runs the fastest linker on the machine. If sources were left out
# (see quick-compile.sh), each missing function gets a stand-in that reports the call and ends the program. Any other
# missing symbol is recorded, and linking fails.
name=${0##*/}
real=''
if [ "$name" = ld ]; then
  # The fast linkers do not produce macOS programs.
  [ "$(uname -s)" = Darwin ] && linkers=ld || linkers='ld.mold ld.lld ld.gold ld'
  for linker in $linkers; do
    real=$(command -v "$linker") && break
  done
else real=$(command -v "$name"); fi
[ -n "$real" ] || { echo "there is no $name" >&2 && exit 1; }
case " ${CULPRIT_LEFT_OUT:+partial} $* " in
*" -shared "* | *" -r "*) exec "$real" "$@" ;;
*" partial "*) ;;
*) exec "$real" "$@" ;;
esac
# Feature checks must see missing functions: CMake's in these folders, autoconf's under this name.
case "$PWD/ $* " in
*/CMakeFiles/CMakeTmp/* | */CMakeFiles/CMakeScratch/* | *" conftest"*) exec "$real" "$@" ;;
esac

build=${CULPRIT_BUILD:?}
said=$build/link-$$.txt
trap 'rm -f "$said" "$build/stubs-$$.c" "$build/stubs-$$.o" "$build/missing-$$.txt"' EXIT
case $real in
*ld.lld) unlimited=--error-limit=0 ;;
*) unlimited='' ;;
esac
# Empty for most linkers.
# shellcheck disable=SC2086
LC_ALL=C "$real" "$@" --no-demangle $unlimited 2>"$said" && exit 0

# Stays after success: if a later step of the build fails, the missing function may be the cause. Concurrent links append.
wanted=$build/wanted.txt
: >>"$wanted"
missing=$build/missing-$$.txt
# The messages of mold, lld, gold and GNU ld.
sed -n "s/.*undefined symbol: \([^ ]*\).*/\1/p; s/.*undefined reference to [\`']\([^']*\)'.*/\1/p" "$said" | sort -u >"$missing"
[ -s "$missing" ] || { cat "$said" >&2 && exit 1; }
# Demangled names of functions end with their parameters; names of tables, type information and variables do not.
filter=$(command -v c++filt || command -v llvm-cxxfilt) || { cat "$said" >&2 && exit 1; }
"$filter" <"$missing" | paste - "$missing" | awk -F '\t' -v stubs="$build/stubs.txt" -v wanted="$wanted" '
  BEGIN { printf "" > stubs }
  $2 ~ /^_Z/ && $2 !~ /^_Z(T[VTISCHWA]|G|Z)/ && $1 ~ /\)( const| volatile| &|&&)*$/ { print $2 > stubs; next }
  { print $2 >> wanted }
'
[ ! -s "$wanted" ] || { echo "left-out sources are needed: $(head -n 1 "$wanted")" >&2 && exit 1; }
{
  cat <<'C'
#include <unistd.h>
static void missing(int number) {
  char text[64], *at = text + sizeof text;
  *--at = '\n';
  *--at = ')';
  *--at = '"';
  do *--at = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  const char before[] = "(error \"culprit: not compiled: ";
  if (write(2, before, sizeof before - 1) < 0 || write(2, at, (size_t)(text + sizeof text - at)) < 0) _exit(71);
  _exit(70);
}
C
  awk '{ printf "void f%d(void) __asm__(\"%s\");\nvoid f%d(void) { missing(%d); }\n", NR, $0, NR, NR }' "$build/stubs.txt"
} >"$build/stubs-$$.c"
# CC may be several words, such as ccache and a compiler.
# shellcheck disable=SC2086
${CC:-cc} -w -c "$build/stubs-$$.c" -o "$build/stubs-$$.o" || exit
"$real" "$@" "$build/stubs-$$.o"
