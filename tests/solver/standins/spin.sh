# Never ends, using all of one core.
while :; do :; done
