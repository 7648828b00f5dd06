#!/bin/sh
# Compiler launcher for fast builds of slow programs: no optimisation, no debug information, no warnings. The headers that
# nearly every source includes take half of the time; they are precompiled once into $CULPRIT_BUILD. With ccache on the
# PATH, sources compiled for another commit are reused.
case " $* " in
*" -c "*) ;;
*) exec "$@" ;;
esac
# By name, because its path may contain blanks.
cache=$(command -v ccache >/dev/null && echo ccache)
# Paths below the parent folder of the build are relative for ccache, so that builds in other folders share its entries.
build=$(cd "${CULPRIT_BUILD:?}" && pwd -P)
around=${build%/*}
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$around}"
line='
'
# The compiler and its options, one per line, without file names and warnings. The precompiled headers depend on them.
options='' source='' before='' listed='' object=''
for word; do
  case $before in
  -o) object=$word && before='' && continue ;;
  -MT | -MQ) before='' && continue ;;
  -MF) listed=$word && before='' && continue ;;
  esac
  before=$word
  case $word in
  *.cpp | *.cc | *.cxx | *.C) source=$word ;;
  -o | -c | -M* | -W*) ;;
  *) options=$options$line$word ;;
  esac
done
[ -n "$source" ] || exec $cache "$@" -O0 -g0 -w

# Records the object and source names for partial builds; see partial/.
named=${source#"$around"/}
named=${named#"${CULPRIT_BUILD%/*}"/}
case $object in
/*) made=$object ;;
*) made=$PWD/$object ;;
esac
tab=$(printf '\t')

# Creates an empty object for a left-out source.
leave_out() (
  nothing=$build/nothing.o
  if ! [ -e "$nothing" ]; then
    IFS=$line
    set -f
    # One word per line, without globbing.
    # shellcheck disable=SC2086
    set -- $options
    "$@" -w -x c++ -c /dev/null -o "$nothing.$$" && mv "$nothing.$$" "$nothing" || exit
  fi
  # Recorded before it exists, because a later build that needs the source must remove it.
  printf '%s\n' "$made$tab$named" >>"$build/left-out.txt" || exit
  rm -f "$made" && cp "$nothing" "$made" || exit
  [ -z "$listed" ] || printf '%s:\n' "$object" >"$listed"
)
if [ -n "$object" ] && [ -n "${CULPRIT_LEFT_OUT-}" ] && grep -qxF -e "$named" "$CULPRIT_LEFT_OUT"; then
  leave_out
  exit
fi
[ -z "$object" ] || printf '%s\n' "$made$tab$named" >>"$build/compiled.txt"

# Project headers can change, and then the sources that include them must be recompiled. The build finds that out only
# from the dependency list it requests. Without such a list, only library headers are precompiled.
commons=''
[ -z "$listed" ] || commons='ast/ast_pp.h expr/node.h'
rest=$options known=''
while :; do
  case $rest in
  *"$around"/*) known=$known${rest%%"$around"/*} rest=${rest#*"$around"/} ;;
  *) break ;;
  esac
done
sum=$(printf %s "$commons$known$rest" | cksum)
folder=$build/quick-${sum%% *}-${sum##* }
header=$folder/headers.h
kept=$header.gch
# The precompiled project headers, as a make rule and by name.
list=$folder/list
names=$folder/names

# Whether the precompiled headers exist and no project header has changed since.
is_current() {
  [ -e "$kept" ] && [ -e "$list" ] && while IFS= read -r name; do
    [ -e "$name" ] && ! [ "$name" -nt "$kept" ] || return
  done <"$names"
}

library_headers() {
  printf '#include <%s>\n' algorithm atomic cmath condition_variable cstdint cstdio cstdlib cstring fstream functional \
    iomanip iostream limits list map memory mutex queue set sstream string thread unordered_map unordered_set \
    utility vector
}

# Project headers that most sources of Z3, CVC4 and cvc5 include.
common_headers() {
  for common in $commons; do
    printf '#if __has_include("%s")\n#include "%s"\n#endif\n' "$common" "$common"
  done
}

# Precompiles the headers with the options and further ones. A subshell, because it changes word splitting.
compile_headers() (
  others=$1
  IFS=$line
  set -f
  # One word per line here too.
  # shellcheck disable=SC2086
  set -- $options $others
  exec "$@" -O0 -g0 -w -MMD -MT headers -MF "$folder/$$.made.d" -x c++-header "$header" -o "$folder/$$.made" 2>/dev/null
)

# Precompiles the headers of standard input. The result is not reproducible, so ccache compares the contents of the headers,
# which are stored next to it. Several calls may run at once.
precompile() {
  cat >"$folder/$$.h"
  cmp -s "$folder/$$.h" "$header" || mv "$folder/$$.h" "$header"
  rm -f "$folder/$$.h"
  # Compilers that can also instantiate the templates once, which saves a fifth of the time.
  compile_headers -fpch-instantiate-templates || compile_headers '' || return
  sed 's/^headers://; s/\\$//' "$folder/$$.made.d" | tr '\n' ' ' >"$folder/$$.list"
  xargs cat <"$folder/$$.list" >"$folder/$$.sum"
  xargs printf '%s\n' <"$folder/$$.list" >"$folder/$$.names"
  rm "$folder/$$.made.d"
  mv "$folder/$$.names" "$names" && mv "$folder/$$.list" "$list" &&
    mv "$folder/$$.sum" "$kept.sum" && mv "$folder/$$.made" "$kept"
}

if ! is_current; then
  mkdir -p "$folder"
  rm -f "$kept"
  { library_headers && common_headers; } | precompile || library_headers | precompile
fi
# Depend mode: ccache does not preprocess the source, which would cost a tenth of compiling it.
export CCACHE_DEPEND="${CCACHE_DEPEND:-1}" CCACHE_PCH_EXTSUM=1
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}"
# Sources that conflict with these headers are compiled without them.
if [ -e "$kept" ] && $cache "$@" -O0 -g0 -w -include "$header" 2>/dev/null; then
  # The compiler does not list the precompiled headers, so they are added to its first rule, which is that of the source.
  if [ -n "$listed" ] && [ -e "$listed" ]; then
    awk '
      FNR == NR { kept = $0; next }
      !done && (at = index($0, ":")) { $0 = substr($0, 1, at) kept substr($0, at + 1); done = 1 }
      1
    ' "$list" "$listed" >"$listed.$$" && mv "$listed.$$" "$listed"
  fi
  exit 0
fi
exec $cache "$@" -O0 -g0 -w
