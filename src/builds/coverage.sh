#!/bin/sh
# Before the commands of a build that counts what it executes: compiles what keeps its counters, by the compiler that is
# going to compile the rest, whose version it must know.
exec "${CC:-cc}" -O2 -c "$(dirname "$0")/counters.c" -o "$CULPRIT_BUILD/counters.o"
