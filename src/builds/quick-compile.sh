#!/bin/sh
# Runs a compiler so that it is quick rather than what it makes: nothing is optimised, no debug information, no
# warnings, and the headers that nearly every source includes, which take half of the time, are read once and kept in
# $CULPRIT_BUILD. With ccache on the PATH, what was compiled for another commit is not compiled again.
case " $* " in
*" -c "*) ;;
*) exec "$@" ;;
esac
# By its name: where it lies may have blanks in it.
cache=$(command -v ccache >/dev/null && echo ccache)
# What lies below the folder around the build is told from there: the same build elsewhere has the same in ccache.
build=$(cd "${CULPRIT_BUILD:?}" && pwd -P)
around=${build%/*}
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$around}"
line='
'
# The compiler and its options, a line each, without names of files and what only warns: what kept headers depend on.
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

# What is made of which source, for those who ask which ones are needed; see partial/.
named=${source#"$around"/}
named=${named#"${CULPRIT_BUILD%/*}"/}
case $object in
/*) made=$object ;;
*) made=$PWD/$object ;;
esac
tab=$(printf '\t')

# An object with nothing in it, in place of one of a source that nobody calls.
leave_out() (
  nothing=$build/nothing.o
  if ! [ -e "$nothing" ]; then
    IFS=$line
    set -f
    # A word in each line, and nothing in them is a pattern.
    # shellcheck disable=SC2086
    set -- $options
    "$@" -w -x c++ -c /dev/null -o "$nothing.$$" && mv "$nothing.$$" "$nothing" || exit
  fi
  # Told before it is there: whoever needs it later removes it first.
  printf '%s\n' "$made$tab$named" >>"$build/left-out.txt" || exit
  rm -f "$made" && cp "$nothing" "$made" || exit
  [ -z "$listed" ] || printf '%s:\n' "$object" >"$listed"
)
if [ -n "$object" ] && [ -n "${CULPRIT_LEFT_OUT-}" ] && grep -qxF -e "$named" "$CULPRIT_LEFT_OUT"; then
  leave_out
  exit
fi
[ -z "$object" ] || printf '%s\n' "$made$tab$named" >>"$build/compiled.txt"

# Headers of the project can change, and what was compiled with them must be compiled again then: the build knows only
# if they are in the list that it asked for. Without such a list only the library's are kept.
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
# The headers of the project among them, as make writes them and by their names.
list=$folder/list
names=$folder/names

# Those may have changed since, or be gone.
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

# What most sources of Z3, of CVC4 and cvc5 include.
common_headers() {
  for common in $commons; do
    printf '#if __has_include("%s")\n#include "%s"\n#endif\n' "$common" "$common"
  done
}

# The compiler with its options, and others, on the headers. In a shell of its own, for its way of splitting words.
compile_headers() (
  others=$1
  IFS=$line
  set -f
  # A word in each line here, too.
  # shellcheck disable=SC2086
  set -- $options $others
  exec "$@" -O0 -g0 -w -MMD -MT headers -MF "$folder/$$.made.d" -x c++-header "$header" -o "$folder/$$.made" 2>/dev/null
)

# Keeps the headers of standard input. Compiled twice they are not the same to the byte; by what is in them, which stands
# in a file beside them, ccache knows what was compiled with them for a commit before. Several calls may do so at once.
keep() {
  cat >"$folder/$$.h"
  cmp -s "$folder/$$.h" "$header" || mv "$folder/$$.h" "$header"
  rm -f "$folder/$$.h"
  # What they make of templates is made once, too, by compilers that can: a fifth of their time.
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
  { library_headers && common_headers; } | keep || library_headers | keep
fi
# Without ccache's own reading of the source, which costs a tenth of compiling it.
export CCACHE_DEPEND="${CCACHE_DEPEND:-1}" CCACHE_PCH_EXTSUM=1
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}"
# Sources that do not go together with these headers are compiled without them.
if [ -e "$kept" ] && $cache "$@" -O0 -g0 -w -include "$header" 2>/dev/null; then
  # The compiler does not list what it did not read itself. Its first rule is that of the source; others may follow.
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
