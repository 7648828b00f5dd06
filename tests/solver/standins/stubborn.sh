# Never ends and ignores every signal it can.
trap '' HUP INT QUIT TERM XCPU
while :; do sleep 1000; done
