#!/bin/sh
# Stands in for a linker, by whose name it is called: as `ld` it is the quickest one on the machine. Where sources were left
# out (see quick-compile.sh), functions that are missing get a stand-in that says so when it is called, and ends the
# program: what nobody calls need not be there. Anything else that is missing is told, and is no program then.
name=${0##*/}
real=''
if [ "$name" = ld ]; then
  # Elsewhere programs are not what the quick ones make.
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
# Whoever tries out what the machine has is told what it lacks: CMake in folders of its own, autoconf under this name.
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
# No word at all for most linkers.
# shellcheck disable=SC2086
LC_ALL=C "$real" "$@" --no-demangle $unlimited 2>"$said" && exit 0

# It stays: a build that fails once something was missing, at whatever, may fail for that alone. What else is linked beside
# it adds to it.
wanted=$build/wanted.txt
: >>"$wanted"
missing=$build/missing-$$.txt
# As mold, lld, gold and GNU ld say it.
sed -n "s/.*undefined symbol: \([^ ]*\).*/\1/p; s/.*undefined reference to [\`']\([^']*\)'.*/\1/p" "$said" | sort -u >"$missing"
[ -s "$missing" ] || { cat "$said" >&2 && exit 1; }
# The name of what is called ends with what it is called with. Those of tables, information on types and variables do not.
filter=$(command -v c++filt || command -v llvm-cxxfilt) || { cat "$said" >&2 && exit 1; }
"$filter" <"$missing" | paste - "$missing" | awk -F '\t' -v stubs="$build/stubs.txt" -v wanted="$wanted" '
  BEGIN { printf "" > stubs }
  $2 ~ /^_Z/ && $2 !~ /^_Z(T[VTISCHWA]|G|Z)/ && $1 ~ /\)( const| volatile| &|&&)*$/ { print $2 > stubs; next }
  { print $2 >> wanted }
'
[ ! -s "$wanted" ] || { echo "sources that were left out are needed: $(head -n 1 "$wanted")" >&2 && exit 1; }
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
# It may be words, such as those of ccache before a compiler.
# shellcheck disable=SC2086
${CC:-cc} -w -c "$build/stubs-$$.c" -o "$build/stubs-$$.o" || exit
"$real" "$@" "$build/stubs-$$.o"
