#!/bin/sh
# Stands first on PATH under the name of a compiler while a program is built that counts what it executes: calls the
# compiler it is named after. $CULPRIT_PATH is the PATH without this, $CULPRIT_LAST what is linked to every program.
me=${0##*/}
PATH=$CULPRIT_PATH
export PATH
for word; do
  case $word in
  -c | -S | -E | -M | -MM | -r | c-header | c++-header | *.gch | --version | -v | -dump* | -print* | -shared | -Wl,-r) exec "$me" --coverage -g "$@" ;;
  esac
done
# -O as it is asked for: another order of evaluation would be another program.
if [ $# -eq 0 ]; then exec "$me"; fi
exec "$me" --coverage -g "$@" "$CULPRIT_LAST"
