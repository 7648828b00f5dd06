# Uses the processor briefly, then waits forever.
exec perl -e '1 while (times)[0] < 0.05; sleep 1000'
