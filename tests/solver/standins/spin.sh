# Never ends and uses all of one core.
while :; do :; done
