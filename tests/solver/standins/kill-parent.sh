# Kills its parent and continues, or answers if it may not kill it.
kill -9 $PPID 2>/dev/null && exec sleep 1000
echo sat
