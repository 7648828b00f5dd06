#!/bin/sh
# Prints its limit of processor seconds in an error message.
printf '(error "%s")\n' "$(ulimit -t)"
