# Kills the process that started it and goes on; where it may not, it answers.
kill -9 $PPID 2>/dev/null && exec sleep 1000
echo sat
