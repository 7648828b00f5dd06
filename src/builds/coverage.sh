#!/bin/sh
# Runs before a build with coverage: compiles the coverage runtime. It depends on the compiler's version, so it uses the
# same compiler as the build.
exec "${CC:-cc}" -O2 -c "$(dirname "$0")/counters.c" -o "$CULPRIT_BUILD/counters.o"
