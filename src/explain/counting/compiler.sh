#!/bin/sh
# Compiler wrapper that adds coverage counters. It is first on PATH under the name of the compiler that it calls.
# $CULPRIT_PATH is the PATH without the wrapper, $CULPRIT_LAST an object file that is linked to every program.
me=${0##*/}
PATH=$CULPRIT_PATH
export PATH
for word; do
  case $word in
  -c | -S | -E | -M | -MM | -r | c-header | c++-header | *.gch | --version | -v | -dump* | -print* | -shared | -Wl,-r) exec "$me" --coverage -g "$@" ;;
  esac
done
# Keeps the user's -O level, since another level may change the order of evaluation.
if [ $# -eq 0 ]; then exec "$me"; fi
exec "$me" --coverage -g "$@" "$CULPRIT_LAST"
