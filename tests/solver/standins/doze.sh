# Works for a moment and then waits for something that never comes.
exec perl -e '1 while (times)[0] < 0.05; sleep 1000'
