#!/bin/sh
# Says how many seconds of processor time it may take before the system ends it.
printf '(error "%s")\n' "$(ulimit -t)"
