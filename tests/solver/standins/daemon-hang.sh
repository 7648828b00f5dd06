# Starts a daemon and hangs.
(setsid sh -c 'sleep 1000 & exec sleep 1000' </dev/null >/dev/null 2>&1 &)
exec sleep 1000
