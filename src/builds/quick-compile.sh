#!/bin/sh
# Runs a compiler so that it is quick rather than what it makes: nothing is optimised, no debug information, no
# warnings, and the headers of the C++ library, which take half of the time, are read once and kept in $CULPRIT_BUILD.
# With ccache on the PATH, what was compiled for another commit is not compiled again.
case " $* " in
*" -c "*) ;;
*) exec "$@" ;;
esac
cache=$(command -v ccache)
line='
'
# The compiler and its options, a line each, without names of files and what only warns: what kept headers depend on.
options='' source='' skipped=''
for word; do
  if [ -n "$skipped" ]; then
    skipped=''
    continue
  fi
  case $word in
  -o | -MF | -MT | -MQ | -I | -isystem | -iquote) skipped=1 ;;
  *.cpp | *.cc | *.cxx | *.C) source=$word ;;
  -c | -M* | -I* | -W*) ;;
  *) options=$options$line$word ;;
  esac
done
[ -n "$source" ] || exec $cache "$@" -O0 -g0 -w
folder=$CULPRIT_BUILD/quick-$(printf %s "$options" | cksum | tr ' ' -)
header=$folder/headers.h
if [ ! -e "$header.gch" ]; then
  mkdir -p "$folder"
  printf '#include <%s>\n' algorithm atomic cmath condition_variable cstdint cstdio cstdlib cstring fstream functional \
    iomanip iostream limits list map memory mutex queue set sstream string thread unordered_map unordered_set \
    utility vector >"$folder/$$.h"
  mv "$folder/$$.h" "$header"
  # In a shell of its own, for its way of splitting words.
  (
    IFS=$line
    set -f
    # shellcheck disable=SC2086
    set -- $options
    "$@" -O0 -g0 -w -x c++-header "$header" -o "$folder/$$.gch" 2>/dev/null
  ) && mv "$folder/$$.gch" "$header.gch"
fi
# Sources that do not go together with these headers are compiled without them.
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}"
[ -e "$header.gch" ] && $cache "$@" -O0 -g0 -w -include "$header" 2>/dev/null && exit 0
exec $cache "$@" -O0 -g0 -w
